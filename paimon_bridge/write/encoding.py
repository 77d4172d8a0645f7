"""How pyarrow is to encode each column of a task's files: the table's ``parquet.*`` options, then a look at the first rows.

A dictionary of a column with many values is built, found too large and thrown away again in every row group. A sample of the rows
tells which columns are worth one; integers that lie close together are kept as differences instead.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paimon_bridge.errors import TableError
from paimon_bridge.model.options import TableOptions
from paimon_bridge.write.filetypes import FileSchema

# Codecs that Paimon's Parquet readers know in every release; brotli's class is missing there.
_CODECS = {"zstd": "zstd", "snappy": "snappy", "gzip": "gzip", "lz4": "lz4", "lz4_raw": "lz4", "none": "none", "uncompressed": "none"}
SAMPLE_ROWS = 8192
# Above this many distinct values of a fixed width, looking each one up costs more than the smaller page saves.
_DICTIONARY_NUMBERS = 4096
_DICTIONARY_BYTES = 1024 * 1024


def writer_arguments(options: TableOptions, compression: str, schema: FileSchema, sample: pa.Table) -> dict[str, Any]:
    """Arguments for ``pyarrow.parquet.ParquetWriter``, other than target and schema. ``sample`` is of the stored schema."""
    codec = _codec(compression)
    dictionary, encodings = _encodings(options, sample, schema.int96)
    arguments: dict[str, Any] = {
        "compression": codec,
        "use_dictionary": dictionary or False,
        "data_page_version": "2.0" if options.text("parquet.writer.version", "v1").lower() in ("v2", "parquet_2_0") else "1.0",
        "data_page_size": options.integer("parquet.page.size", 1024 * 1024),
        "dictionary_pagesize_limit": options.integer("parquet.dictionary.page.size", _DICTIONARY_BYTES),
        "use_deprecated_int96_timestamps": schema.int96,
        "store_decimal_as_integer": True,
        # Java needs no Arrow schema, and reads no key-value metadata at all.
        "store_schema": False,
    }
    if codec == "zstd":
        arguments["compression_level"] = options.zstd_level
    if any(pa.types.is_time(field.type) for field in schema.logical):
        arguments["write_time_adjusted_to_utc"] = _time_as_java_writes_it()
    if encodings:
        arguments["column_encoding"] = encodings
    return arguments


def _time_as_java_writes_it() -> bool:
    """Java writes TIME as adjusted to UTC, which pyarrow can since release 21."""
    if int(pa.__version__.split(".")[0]) < 21:
        raise TableError(
            f"a TIME column cannot be written by pyarrow {pa.__version__} the way Paimon writes it",
            code="PYARROW_TOO_OLD",
            remedy="install pyarrow 21 or newer on the executors.",
        )
    return True


def _codec(name: str) -> str:
    if name not in _CODECS:
        raise TableError(
            f"the table asks for Parquet files compressed with {name!r}, which Paimon's readers cannot be relied on to read",
            code="COMPRESSION_UNSUPPORTED",
            remedy=f"set file.compression to one of {', '.join(sorted(_CODECS))}.",
        )
    return _CODECS[name]


def _encodings(options: TableOptions, sample: pa.Table, int96: bool) -> tuple[list[str], dict[str, str]]:
    """The columns with a dictionary, and the encodings of those that have a better one."""
    default = options.boolean("parquet.enable.dictionary", True)
    explicit = options.with_prefix("parquet.enable.dictionary#")
    dictionary: list[str] = []
    encodings: dict[str, str] = {}
    for field, column in zip(sample.schema, sample.columns, strict=True):
        leaves = leaf_paths(field)
        if field.name in explicit:
            if explicit[field.name].lower() == "true":
                dictionary += leaves
        elif not default or not len(column):
            dictionary += leaves if default else []
        elif leaves != [field.name] or _dictionary_pays(column):
            # Leaves inside nested columns are not sampled: dictionaries do them no harm worth the trouble.
            dictionary += leaves
        elif not (int96 and pa.types.is_timestamp(field.type)) and _differences_pay(column):
            encodings[field.name] = "DELTA_BINARY_PACKED"
    return dictionary, encodings


def _dictionary_pays(column: pa.ChunkedArray) -> bool:
    if pa.types.is_boolean(column.type):
        return False
    values = column.drop_null()
    seen = len(values)
    distinct = pc.count_distinct(values).as_py()
    if distinct <= 1:
        return True
    expected = _expected_distinct(seen, distinct)
    if pa.types.is_string(column.type) or pa.types.is_binary(column.type):
        return bool(expected * (pc.mean(pc.binary_length(values)).as_py() + 4) <= _DICTIONARY_BYTES)
    return expected <= _DICTIONARY_NUMBERS


def _expected_distinct(seen: int, distinct: int) -> float:
    """How many values a column draws from, if ``seen`` draws gave ``distinct`` ones: the D with D(1 - e^(-seen/D)) = distinct."""
    low, high = float(distinct), float(distinct)
    while high * -math.expm1(-seen / high) < distinct:
        high *= 4
        if high > 1e9:
            return math.inf
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if middle * -math.expm1(-seen / middle) < distinct else (low, middle)
    return high


def _differences_pay(column: pa.ChunkedArray) -> bool:
    """Whether neighbours lie so close that their differences need far fewer bits than the values."""
    width = {pa.int32(): 32, pa.date32(): 32, pa.time32("ms"): 32, pa.int64(): 64}.get(
        column.type, 64 if pa.types.is_timestamp(column.type) else 0
    )
    values = column.drop_null()
    if not width or len(values) < 2:
        return False
    steps = np.diff(values.cast(pa.int64() if width == 64 else pa.int32()).to_numpy().astype(np.float64))
    return bool(np.log2(steps.max() - steps.min() + 1) <= width * 0.6)


def leaf_paths(field: pa.Field) -> list[str]:
    """The dotted names of a column's Parquet leaves."""
    arrow = field.type
    if pa.types.is_struct(arrow):
        inner = [arrow.field(index) for index in range(arrow.num_fields)]
        return [f"{field.name}.{path}" for child in inner for path in leaf_paths(child)]
    if pa.types.is_map(arrow):
        return [f"{field.name}.key_value.{path}" for child in (arrow.key_field, arrow.item_field) for path in leaf_paths(child)]
    if pa.types.is_list(arrow):
        return [f"{field.name}.list.{path}" for path in leaf_paths(arrow.value_field)]
    return [field.name]


def sample_of(table: pa.Table) -> pa.Table:
    """Rows to judge columns by: neighbours, from the middle, so that a sorted or padded start misleads less."""
    return table.slice(max(0, (len(table) - SAMPLE_ROWS) // 2), SAMPLE_ROWS)
