"""The columns of a key-value file: the key, a sequence number, the row's kind, then the table's own columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paimon_bridge.model.options import TableOptions
from paimon_bridge.model.profile import KEY_PREFIX
from paimon_bridge.model.table import TableSpec
from paimon_bridge.model.types import DataType, Field
from paimon_bridge.write.describe import SEQUENCE_NUMBER, VALUE_KIND
from paimon_bridge.write.filetypes import FileSchema, file_schema

# Ids of Paimon's SpecialFields: far above those of columns.
_KEY_ID_START = 2**31 // 2 - 1
_SEQUENCE = Field(id=2**31 - 2, name=SEQUENCE_NUMBER, type=DataType(root="BIGINT", nullable=False))
_KIND = Field(id=2**31 - 3, name=VALUE_KIND, type=DataType(root="TINYINT", nullable=False))


class KeyValueColumns:
    """Which columns a table's key-value files have. Thin files leave the ``_KEY_`` columns out; readers take the table's own."""

    def __init__(self, spec: TableSpec) -> None:
        self.key_names: tuple[str, ...] = spec.trimmed_primary_keys
        self.thin = TableOptions(spec).thin_mode
        own = [spec.field_by_name[name] for name in self.key_names]
        copies = [replace(field, id=_KEY_ID_START + field.id, name=KEY_PREFIX + field.name) for field in own]
        self.fields: tuple[Field, ...] = (*(() if self.thin else copies), _SEQUENCE, _KIND, *spec.fields)
        self.keys: Sequence[Field] = own if self.thin else copies
        self._value_names = [field.name for field in spec.fields]

    def table(self, rows: pa.Table, sequences: npt.NDArray[np.int64], schema: pa.Schema) -> pa.Table:
        """Rows of the table's columns and ``_VALUE_KIND`` as rows of a file. Key columns share memory with the table's own."""
        columns: list[Any] = [] if self.thin else [rows.column(name) for name in self.key_names]
        columns += [pa.array(sequences), rows.column(VALUE_KIND)]
        columns += [rows.column(name) for name in self._value_names]
        return pa.Table.from_arrays(columns, schema=schema)


def key_value_schema(columns: KeyValueColumns, values: FileSchema) -> FileSchema:
    """The schema of key-value files whose table columns have the types of ``values``."""
    return file_schema(columns.fields, finest_unit=values.finest_unit)
