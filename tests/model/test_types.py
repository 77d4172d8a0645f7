from __future__ import annotations

from typing import Any

import pytest

from paimon_bridge.model.types import DataType, parse_type


@pytest.mark.parametrize(
    "text",
    [
        "BOOLEAN",
        "TINYINT NOT NULL",
        "SMALLINT",
        "INT NOT NULL",
        "BIGINT",
        "FLOAT",
        "DOUBLE",
        "DECIMAL(38, 10)",
        "CHAR(3)",
        "VARCHAR(20) NOT NULL",
        "STRING",
        "BINARY(4)",
        "VARBINARY(9)",
        "BYTES NOT NULL",
        "DATE",
        "TIME(3)",
        "TIMESTAMP(9) NOT NULL",
        "TIMESTAMP(6) WITH LOCAL TIME ZONE",
        "VARIANT",
    ],
)
def test_plain_type_is_written_as_it_was_read(text: str) -> None:
    assert str(parse_type(text)) == text
    assert parse_type(text).to_json() == text


@pytest.mark.parametrize(
    "shape",
    [
        {"type": "ARRAY NOT NULL", "element": "INT"},
        {"type": "MULTISET", "element": "STRING"},
        {"type": "MAP", "key": "STRING NOT NULL", "value": {"type": "ARRAY", "element": "DECIMAL(5, 2)"}},
        {"type": "ROW", "fields": [{"id": 3, "name": "x", "type": "INT"}, {"id": 4, "name": "y", "type": "STRING", "description": "why"}]},
        {"type": "VECTOR", "element": "FLOAT", "length": 8},
    ],
)
def test_nested_type_is_written_as_it_was_read(shape: dict[str, Any]) -> None:
    assert parse_type(shape).to_json() == shape


def test_timestamp_with_local_time_zone_has_its_own_root() -> None:
    assert parse_type("TIMESTAMP(3) WITH LOCAL TIME ZONE") == DataType(root="TIMESTAMP_LTZ", precision=3)


@pytest.mark.parametrize("shape", ["WHATEVER", "INT(", "", {"type": "TREE", "element": "INT"}])
def test_unknown_type_is_an_error(shape: Any) -> None:
    with pytest.raises(ValueError, match="unknown Paimon type"):
        parse_type(shape)
