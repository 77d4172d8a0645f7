"""Rows of postponed tables (``bucket = -2``): written as they come, every kind kept, for a later job to put into buckets."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pyarrow as pa

from paimon_bridge.errors import WriteError
from paimon_bridge.model.profile import NO_STATS, FileProfile
from paimon_bridge.write.append import AppendSink
from paimon_bridge.write.context import WriteContext
from paimon_bridge.write.describe import Describer, KeyValueDescriber
from paimon_bridge.write.filetypes import FileSchema
from paimon_bridge.write.keyvalue import KeyValueColumns, key_value_schema
from paimon_bridge.write.parquet import FileFormat
from paimon_bridge.write.paths import POSTPONE_BUCKET
from paimon_bridge.write.router import Bucket, OneBucket
from paimon_bridge.write.stats import StatsPlan

# Replay gives every row a number of its own; until then Java writes this one.
_NO_SEQUENCE = -1
_LARGEST_WRITE_ID = 2**31 - 2


class PostponeSink(AppendSink):
    """Takes rows of a table's logical file schema and a ``_VALUE_KIND`` column.

    Java writes Avro here; readers go by the extension, so Parquet serves as well, and faster. As in Java there are no column statistics.
    Unlike Java, the key range of a file is the true one, which keeps files of one key in one split when they are replayed.
    """

    def __init__(self, context: WriteContext) -> None:
        super().__init__(context, OneBucket(POSTPONE_BUCKET, POSTPONE_BUCKET), ordered=True)
        self._key_value = KeyValueColumns(context.spec)
        self._named = replace(context.options.data_profile, stats_mode=NO_STATS, prefix=_prefix(context))

    def _columns(self, rows: pa.Table, schema: FileSchema) -> tuple[pa.Table, FileSchema]:
        files = key_value_schema(self._key_value, schema) if self._form is None else self._form.schema
        return self._key_value.table(rows, np.full(len(rows), _NO_SEQUENCE, dtype=np.int64), files.logical), files

    def _file_format(self, schema: FileSchema, rows: pa.Table) -> FileFormat:
        form = self._context.file_format(self._named, schema, rows)
        return replace(form, stats=StatsPlan(schema.fields, [NO_STATS] * len(schema.fields), self._context.spec.release))

    def _describer(self, bucket: Bucket, form: FileFormat) -> Describer:
        spec = self._context.spec
        dense = self._context.options.stats_dense_store
        return KeyValueDescriber(
            form.schema.fields, self._key_value.keys, schema_id=spec.schema_id, zone=self._context.zone, dense=dense, sorted_rows=False
        )

    @property
    def _profile(self) -> FileProfile:
        return self._named


def _prefix(context: WriteContext) -> str:
    """What Flink's compaction reads from a name: who wrote the file, and which of its readers gets it."""
    user, prefix = context.commit_user, context.options.data_file_prefix
    if "-s-" in user + prefix or "/" in user:
        raise WriteError(
            f"the commit user {user!r} does not fit the file names of {context.spec.name}: jobs find the writer's number behind '-s-'",
            code="COMMIT_USER_UNSUPPORTED",
            remedy="use a commit user without '-s-' and '/'.",
            details={"final": True},
        )
    number = context.task if context.task >= 0 else random.randint(0, _LARGEST_WRITE_ID)
    return f"{prefix}-u-{user}-s-{number}-w-"
