"""Random schemas, options and Arrow rows for property tests: seeded, so that a failing seed is a test of its own."""

from __future__ import annotations

import datetime as dt
import random
import string
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pyarrow as pa

_ALPHABET = string.ascii_letters + string.digits + " /%:=é漢🙂"
_PLAIN = [
    "BOOLEAN",
    "TINYINT",
    "SMALLINT",
    "INT",
    "BIGINT",
    "FLOAT",
    "DOUBLE",
    "STRING",
    "VARCHAR(30)",
    "CHAR(5)",
    "BYTES",
    "DATE",
    "TIMESTAMP(3)",
    "TIMESTAMP(6)",
    "TIMESTAMP(3) WITH LOCAL TIME ZONE",
    "TIMESTAMP(6) WITH LOCAL TIME ZONE",
]
if int(pa.__version__.split(".")[0]) >= 21:
    _PLAIN.append("TIME(3)")  # older pyarrow cannot write it as Java does, and the writer refuses
_PARTITIONABLE = ["BOOLEAN", "INT", "BIGINT", "STRING", "DATE", "DECIMAL(10, 2)", "DECIMAL(25, 3)", "TIMESTAMP(3)", "TIMESTAMP(6)"]


@dataclass
class RandomTable:
    """A table to make and rows for it. ``row_type`` is what Arrow needs, with Paimon's type in the field metadata."""

    schema: pa.Schema
    partitioned_by: list[str]
    options: dict[str, str]
    rows: pa.Table


def random_table(seed: int, *, rows: int = 200) -> RandomTable:
    rng = random.Random(seed)
    kinds = [_kind(rng, depth=0) for _ in range(rng.randint(1, 9))]
    partitions = [rng.choice(_PARTITIONABLE) for _ in range(rng.choice([0, 0, 1, 2]))]
    names = [f"c{i}" for i in range(len(kinds))] + [f"p{i}" for i in range(len(partitions))]
    fields = [_field(rng, name, kind) for name, kind in zip(names, kinds + partitions, strict=True)]
    # Few values per partition column, or every row would be a file of its own.
    count = rng.choice([0, 1, rows, rows])
    columns = []
    for field, kind in zip(fields, kinds + partitions, strict=True):
        pool = None if not field.name.startswith("p") else [_value(rng, kind, field.nullable) for _ in range(3)]
        columns.append(pa.array([rng.choice(pool) if pool else _value(rng, kind, field.nullable) for _ in range(count)], field.type))
    options = {
        "metadata.stats-mode": rng.choice(["truncate(16)", "truncate(3)", "full", "counts", "none"]),
        "metadata.stats-dense-store": rng.choice(["true", "false"]),
        "file.compression": rng.choice(["zstd", "snappy", "lz4", "uncompressed"]),
    }
    schema = pa.schema(fields)
    return RandomTable(schema, [name for name in names if name.startswith("p")], options, pa.table(columns, schema=schema))


def _kind(rng: random.Random, depth: int) -> Any:
    choice = rng.random()
    if depth < 2 and choice < 0.08:
        return ("ARRAY", _kind(rng, depth + 1))
    if depth < 2 and choice < 0.14:
        return ("MAP", rng.choice(["STRING", "INT", "BIGINT"]), _kind(rng, depth + 1))
    if depth < 2 and choice < 0.22:
        return ("ROW", [_kind(rng, depth + 1) for _ in range(rng.randint(1, 3))])
    if choice < 0.4:
        precision = rng.choice([1, 5, 9, 10, 18, 19, 28, 38])
        return f"DECIMAL({precision}, {rng.randint(0, precision)})"
    return rng.choice(_PLAIN)


def _field(rng: random.Random, name: str, kind: Any) -> pa.Field:
    metadata = {"PAIMON:type": kind} if isinstance(kind, str) else None
    return pa.field(name, _arrow(kind), nullable=rng.random() < 0.8, metadata=metadata)


def _arrow(kind: Any) -> pa.DataType:
    if isinstance(kind, tuple):
        if kind[0] == "ARRAY":
            return pa.list_(_inner("element", kind[1]))
        if kind[0] == "MAP":
            return pa.map_(_arrow(kind[1]), _inner("value", kind[2]))
        return pa.struct([_inner(f"f{i}", child) for i, child in enumerate(kind[1])])
    root = kind.split("(")[0]
    if root == "DECIMAL":
        precision, scale = _numbers(kind)
        return pa.decimal128(precision, scale)
    if root == "TIMESTAMP":
        return pa.timestamp({3: "ms", 6: "us", 9: "ns"}[_numbers(kind)[0]], tz="UTC" if "ZONE" in kind else None)
    return {
        "BOOLEAN": pa.bool_(),
        "TINYINT": pa.int8(),
        "SMALLINT": pa.int16(),
        "INT": pa.int32(),
        "BIGINT": pa.int64(),
        "FLOAT": pa.float32(),
        "DOUBLE": pa.float64(),
        "STRING": pa.string(),
        "VARCHAR": pa.string(),
        "CHAR": pa.string(),
        "BYTES": pa.binary(),
        "DATE": pa.date32(),
        "TIME": pa.time32("ms"),
    }[root]


def _inner(name: str, kind: Any) -> pa.Field:
    return pa.field(name, _arrow(kind), metadata={"PAIMON:type": kind} if isinstance(kind, str) else None)


def _numbers(kind: str) -> list[int]:
    return [int(part) for part in kind[kind.index("(") + 1 : kind.index(")")].split(",")]


def _value(rng: random.Random, kind: Any, nullable: bool = True) -> Any:
    if nullable and rng.random() < 0.15:
        return None
    if isinstance(kind, tuple):
        if kind[0] == "ARRAY":
            return [_value(rng, kind[1]) for _ in range(rng.randint(0, 4))]
        if kind[0] == "MAP":
            keys = {_value(rng, kind[1], False) for _ in range(rng.randint(0, 3))}
            return [(key, _value(rng, kind[2])) for key in sorted(keys)]
        return {f"f{i}": _value(rng, child) for i, child in enumerate(kind[1])}
    root = kind.split("(")[0]
    if root == "DECIMAL":
        precision, scale = _numbers(kind)
        return Decimal(rng.randint(-(10**precision) + 1, 10**precision - 1)).scaleb(-scale)
    if root == "TIMESTAMP":
        micros = rng.randint(-(10**15), 2 * 10**15)
        unit = {3: 1000, 6: 1, 9: 1}[_numbers(kind)[0]]
        zone = dt.timezone.utc if "ZONE" in kind else None
        return dt.datetime(1970, 1, 1, tzinfo=zone) + dt.timedelta(microseconds=micros // unit * unit)
    bits = {"TINYINT": 8, "SMALLINT": 16, "INT": 32, "BIGINT": 64}
    if root in bits:
        return rng.randint(-(2 ** (bits[root] - 1)), 2 ** (bits[root] - 1) - 1)
    if root in ("FLOAT", "DOUBLE"):
        return float(rng.choice([0.0, 1.5, -2.25, 1e10, float("inf"), float("-inf"), rng.randint(-1000, 1000) / 8]))
    if root == "BOOLEAN":
        return rng.random() < 0.5
    if root in ("STRING", "VARCHAR", "CHAR"):
        longest = {"STRING": 40, "VARCHAR": 30, "CHAR": 5}[root]
        return "".join(rng.choice(_ALPHABET) for _ in range(rng.choice([0, 1, rng.randint(0, longest)])))
    if root == "BYTES":
        return rng.randbytes(rng.choice([0, 1, rng.randint(0, 40)]))
    if root == "DATE":
        return dt.date(1970, 1, 1) + dt.timedelta(days=rng.randint(-40000, 40000))
    assert root == "TIME", root
    return (dt.datetime(1970, 1, 1) + dt.timedelta(milliseconds=rng.randrange(86_400_000))).time()
