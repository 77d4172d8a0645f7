from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from paimon_bridge.errors import TableError
from paimon_bridge.model.options import TableOptions
from paimon_bridge.write.encoding import leaf_paths, sample_of, writer_arguments
from paimon_bridge.write.filetypes import file_schema
from tests.write.tables import spec_of

ROWS = 8192
DICE = np.random.default_rng(7)


def arguments(paimon: Any, values: Any, **options: str) -> dict[str, Any]:
    spec = spec_of("/t", {"c": paimon}, options=options)
    schema = file_schema(spec.fields)
    rows = pa.table([pa.array(values, schema.stored.field(0).type)], schema=schema.stored)
    return writer_arguments(TableOptions(spec), TableOptions(spec).data_profile.compression, schema, rows)


@pytest.mark.parametrize(
    ("paimon", "values"),
    [
        ("STRING", DICE.integers(0, 10_000, ROWS).astype(str)),
        ("INT", DICE.integers(0, 100, ROWS)),
        ("DOUBLE", DICE.integers(0, 5, ROWS).astype(float)),
        ("BIGINT", [None] * ROWS),
    ],
)
def test_columns_of_few_values_get_a_dictionary(paimon: str, values: Any) -> None:
    assert arguments(paimon, values)["use_dictionary"] == ["c"]


@pytest.mark.parametrize(
    ("paimon", "values"),
    [
        ("STRING", DICE.integers(0, 2**62, ROWS).astype(str)),
        ("BIGINT", DICE.integers(-(2**62), 2**62, ROWS)),
        ("DOUBLE", DICE.random(ROWS)),
        ("BOOLEAN", DICE.random(ROWS) < 0.5),
    ],
)
def test_columns_of_many_values_get_none(paimon: str, values: Any) -> None:
    chosen = arguments(paimon, values)
    assert chosen["use_dictionary"] is False
    assert "column_encoding" not in chosen


@pytest.mark.parametrize("paimon", ["BIGINT", "INT", "TIMESTAMP(6)", "DATE"])
def test_numbers_close_together_are_kept_as_differences(paimon: str) -> None:
    assert arguments(paimon, (np.arange(ROWS) * 3).astype(np.int32 if paimon == "DATE" else np.int64))["column_encoding"] == {
        "c": "DELTA_BINARY_PACKED"
    }


def test_int96_columns_are_never_kept_as_differences() -> None:
    assert "column_encoding" not in arguments("TIMESTAMP(9)", np.arange(ROWS))


def test_the_tables_own_word_on_dictionaries_holds() -> None:
    assert arguments("INT", [1] * ROWS, **{"parquet.enable.dictionary": "false"})["use_dictionary"] is False
    assert arguments("DOUBLE", DICE.random(ROWS), **{"parquet.enable.dictionary#c": "true"})["use_dictionary"] == ["c"]
    assert arguments("INT", [1] * ROWS, **{"parquet.enable.dictionary#c": "false"})["use_dictionary"] is False


def test_options_reach_the_writer() -> None:
    chosen = arguments(
        "INT",
        [1],
        **{
            "parquet.page.size": "1000",
            "parquet.dictionary.page.size": "2000",
            "parquet.writer.version": "PARQUET_2_0",
            "file.compression": "zstd",
        },
        **{"file.compression.zstd-level": "5"},
    )
    assert (chosen["data_page_size"], chosen["dictionary_pagesize_limit"]) == (1000, 2000)
    assert (chosen["data_page_version"], chosen["compression"], chosen["compression_level"]) == ("2.0", "zstd", 5)
    assert "compression_level" not in arguments("INT", [1], **{"file.compression": "snappy"})


@pytest.mark.parametrize("codec", ["brotli", "lzo", "fast"])
def test_codecs_that_java_cannot_read_are_refused(codec: str) -> None:
    with pytest.raises(TableError, match=codec) as caught:
        arguments("INT", [1], **{"file.compression": codec})
    assert caught.value.code == "COMPRESSION_UNSUPPORTED"


def test_leaves_are_named_as_parquet_names_them() -> None:
    inner = {
        "type": "ROW",
        "fields": [{"id": 5, "name": "x", "type": "INT"}, {"id": 6, "name": "l", "type": {"type": "ARRAY", "element": "INT"}}],
    }
    spec = spec_of("/t", {"r": inner, "m": {"type": "MAP", "key": "INT", "value": {"type": "ARRAY", "element": "INT"}}})
    assert [path for field in file_schema(spec.fields).stored for path in leaf_paths(field)] == [
        "r.x",
        "r.l.list.element",
        "m.key_value.key",
        "m.key_value.value.list.element",
    ]


def test_a_sample_comes_from_the_middle() -> None:
    rows = pa.table({"c": range(100_000)})
    assert sample_of(rows).column(0)[0].as_py() == (100_000 - ROWS) // 2
    assert len(sample_of(rows)) == ROWS
    assert sample_of(rows.slice(0, 5)).column(0).to_pylist() == [0, 1, 2, 3, 4]
