"""Random columns of every key type, and the order in which Java puts their values."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

import pyarrow as pa

from paimon_bridge.model.types import DataType, Field, parse_type
from paimon_bridge.write.filetypes import file_schema

KEY_TYPES = (
    "BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "STRING", "BYTES", "DECIMAL(5, 2)", "DECIMAL(18, 0)",
    "DECIMAL(19, 3)", "DECIMAL(38, 10)", "DATE", "TIME(3)", "TIMESTAMP(3)", "TIMESTAMP(6)", "TIMESTAMP(9)",
)  # fmt: skip


def arrow_type(paimon: str) -> pa.DataType:
    return file_schema([Field(id=0, name="c", type=parse_type(paimon))]).logical.field(0).type


def column(dice: random.Random, paimon: str, count: int, *, nulls: float = 0.15, distinct: int | None = None) -> pa.Array:
    """A column of random values; ``distinct`` bounds how many different ones there are."""
    data_type = parse_type(paimon)
    pool = [_value(dice, data_type) for _ in range(distinct or count)]
    values = [None if dice.random() < nulls else dice.choice(pool) for _ in range(count)]
    target = arrow_type(paimon)
    if pa.types.is_date(target) or pa.types.is_time(target):
        return pa.array(values, pa.int32()).cast(target)
    return pa.array(values, pa.int64()).cast(target) if pa.types.is_timestamp(target) else pa.array(values, target)


def _value(dice: random.Random, data_type: DataType) -> Any:
    root = data_type.root
    if root == "BOOLEAN":
        return dice.random() < 0.5
    if root in ("TINYINT", "SMALLINT", "INT", "BIGINT"):
        bits = {"TINYINT": 7, "SMALLINT": 15, "INT": 31, "BIGINT": 63}[root]
        return dice.choice([0, 1, -1, 2**bits - 1, -(2**bits), dice.randint(-(2**bits), 2**bits - 1)])
    if root in ("FLOAT", "DOUBLE"):
        return dice.choice([0.0, 1.5, -3e10, float("inf"), float("-inf"), dice.randint(-100, 100) / 4])
    if root == "VARCHAR":
        return "".join(dice.choice("aé日😀 x\0") for _ in range(dice.choice([0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 40])))
    if root == "VARBINARY":
        return bytes(dice.randrange(256) for _ in range(dice.choice([0, 1, 7, 8, 9, 33])))
    if root == "DECIMAL":
        digits = 10 ** ((data_type.precision or 1) - 1)
        unscaled = dice.choice([0, 1, -1, 127, 128, -128, -129, 255, dice.randint(-digits, digits)])
        return Decimal(f"{unscaled}E-{data_type.scale}")
    if root == "DATE":
        return dice.randint(-20_000, 20_000)
    return dice.randint(0, 86_399_999) if root == "TIME" else dice.randint(-(2**50), 2**50)


def java_order(value: Any) -> tuple[Any, ...]:
    """A key that sorts values of one column as Java does: nulls first, strings by their bytes."""
    if value is None:
        return (0,)
    return (1, value.encode()) if isinstance(value, str) else (1, value)
