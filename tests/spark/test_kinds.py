"""Every kind of table, written by Python and by Paimon Java from the same rows: equal file by file, equal when read and compacted."""

from __future__ import annotations

import datetime as dt
import os
import random
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from paimon_bridge.model.options import at_least
from tests import manifest
from tests.conftest import release_under_test

ADDITIONS = (0, 2)
ALL_KINDS = (0, 1, 2, 3)
COLUMNS: dict[str, pa.DataType] = {
    "id": pa.int64(),
    "code": pa.string(),
    "day": pa.date32(),
    "narrow": pa.decimal128(9, 2),
    "wide": pa.decimal128(25, 3),
    "at": pa.timestamp("us"),
    "stamp": pa.timestamp("ms"),
    "part": pa.string(),
    "amount": pa.float64(),
    "note": pa.string(),
    "version": pa.int32(),
    "small": pa.int32(),
    "op": pa.string(),
}
KEYABLE = ("id", "code", "day", "narrow", "wide", "at", "stamp", "small")
SEEDS = range(int(os.environ.get("PAIMON_BRIDGE_SEEDS", "4" if os.environ.get("PAIMON_BRIDGE_SHORT") else "16")))


@dataclass(frozen=True)
class Case:
    """A table definition; ``kinds`` are the row kinds that its rows have, ``since`` the first release that knows it."""

    name: str
    options: dict[str, str]
    keys: tuple[str, ...] = ("id",)
    parts: tuple[str, ...] = ()
    kinds: tuple[int, ...] = ALL_KINDS
    since: str = "1.0"
    visible: bool = True
    # Where rows of one key are left to the reader, files differ from Java's, and only what is read is the same.
    same_files: bool = True
    # Java's write buffer knows ascending sequence fields only (SortBufferWriteBuffer), so there each key comes once per write.
    unique: bool = False
    columns: tuple[str, ...] = tuple(COLUMNS)


def fixed(name: str, **more: Any) -> Case:
    options = {"bucket": "3", **more.pop("options", {})}
    return Case(name, options, **more)


CASES = [
    Case("append-buckets", {"bucket": "3", "bucket-key": "id"}, keys=(), kinds=(0,)),
    Case("append-buckets-null-keys", {"bucket": "3", "bucket-key": "note,small"}, keys=(), kinds=(0,)),
    Case("append-buckets-unordered", {"bucket": "3", "bucket-key": "id", "bucket-append-ordered": "false"}, keys=(), kinds=(0,)),
    Case("append-buckets-partitioned", {"bucket": "2", "bucket-key": "code,id"}, keys=(), parts=("part",), kinds=(0,)),
    Case("row-tracking", {"row-tracking.enabled": "true"}, keys=(), kinds=(0,), since="1.3"),
    fixed("deduplicate"),
    fixed("partitioned", keys=("part", "id"), parts=("part",)),
    fixed("thin", options={"data-file.thin-mode": "true"}),
    fixed("ignore-delete", options={"ignore-delete": "true"}),
    fixed("sequence-field", options={"sequence.field": "version"}),
    fixed(
        "sequence-fields-descending", options={"sequence.field": "version,amount", "sequence.field.sort-order": "descending"}, unique=True
    ),
    fixed("rowkind-field", options={"rowkind.field": "op"}, kinds=(0,)),
    fixed("changelog-input", options={"changelog-producer": "input"}),
    fixed("changelog-lookup", options={"changelog-producer": "lookup"}),
    fixed("changelog-full-compaction", options={"changelog-producer": "full-compaction"}),
    fixed("first-row", options={"merge-engine": "first-row"}, kinds=(0,), visible=False),
    fixed("first-row-ignore-delete", options={"merge-engine": "first-row", "ignore-delete": "true"}, visible=False),
    fixed("partial-update", options={"merge-engine": "partial-update"}, kinds=ADDITIONS),
    fixed(
        "partial-update-groups",
        options={"merge-engine": "partial-update", "fields.version.sequence-group": "amount,note"},
        kinds=ADDITIONS,
        same_files=False,
    ),
    fixed(
        "aggregation",
        options={"merge-engine": "aggregation", "fields.amount.aggregate-function": "sum", "fields.note.aggregate-function": "max"},
        kinds=(0,),
        same_files=False,
    ),
    fixed("deletion-vectors", options={"deletion-vectors.enabled": "true"}, visible=False),
    fixed("bucket-mod", options={"bucket-function.type": "mod"}, since="1.3"),
    fixed("bucket-hive", keys=("code", "id", "wide"), options={"bucket-function.type": "hive"}, since="1.3"),
    fixed("stats-full", options={"metadata.stats-mode": "full", "metadata.stats-dense-store": "false"}),
    *(fixed(f"key-{'-'.join(keys)}", keys=keys) for keys in [("small",), ("code",), ("day",), ("narrow",), ("wide",), ("at",), ("stamp",)]),
    fixed("key-composite", keys=("day", "wide", "code", "at", "small")),
]


def random_case(seed: int) -> Case:
    """A table of random columns, keys, partitions, engine and options that Java writes file by file like us."""
    rng = random.Random(seed)
    keys = tuple(rng.sample(KEYABLE, rng.randint(1, 3)))
    parts = rng.choice([(), (), ("part",), (rng.choice(KEYABLE),)])
    options = {
        "bucket": str(rng.choice([1, 2, 5])),
        "metadata.stats-mode": rng.choice(["truncate(16)", "truncate(2)", "full", "counts", "none"]),
        "metadata.stats-dense-store": rng.choice(["true", "false"]),
        "data-file.thin-mode": rng.choice(["true", "false"]),
        "changelog-producer": rng.choice(["none", "none", "input"]),
    }
    kinds, visible = ALL_KINDS, True
    engine = rng.choice(["deduplicate", "deduplicate", "partial-update", "first-row"])
    if engine == "first-row":
        options |= {"merge-engine": engine, "changelog-producer": "none"}
        kinds, visible = (0,), False
    elif engine == "partial-update":
        options["merge-engine"] = engine
        kinds = ADDITIONS
    elif rng.random() < 0.4:
        options["sequence.field"] = rng.choice(["version", "version,amount"])
    columns = tuple(name for name in COLUMNS if name in {*keys, *parts, "version", "amount"} or rng.random() < 0.5)
    return Case(
        f"random-{seed}", options, keys=tuple(dict.fromkeys((*parts, *keys))), parts=parts, kinds=kinds, visible=visible, columns=columns
    )


@pytest.fixture(autouse=True)
def release_knows(request: pytest.FixtureRequest) -> None:
    case = request.node.callspec.params.get("case") if hasattr(request.node, "callspec") else None
    if isinstance(case, Case) and not at_least(release_under_test(), case.since):
        pytest.skip(f"exists since Paimon {case.since}")


def rows_for(case: Case, seed: int, count: int = 300) -> pa.Table:
    """Rows with a ``_VALUE_KIND`` column, each key several times; null where the key has no part in it."""
    rng = random.Random(seed)
    fixed_columns = {*case.keys, *case.parts}

    def value(name: str, number: int) -> Any:
        if name not in fixed_columns and name != "op" and rng.random() < 0.15:
            return None
        return {
            "id": number * 7919 - 300_000,
            "code": "k" * (number % 19) + str(number),
            "day": dt.date(2020, 1, 1) + dt.timedelta(days=number * 11 - 900),
            "narrow": Decimal(number * 101 - 5000).scaleb(-2),
            "wide": Decimal((number - 40) * 10**15 + number).scaleb(-3),
            "at": dt.datetime(1990, 1, 1) + dt.timedelta(microseconds=number * 7_777_777_777_777),
            "stamp": dt.datetime(1969, 1, 1) + dt.timedelta(milliseconds=number * 777_777_777),
            "part": f"p{number % 2}",
            "amount": rng.randrange(1000) / 4,
            "note": rng.choice(["", "a", "漢字", "n" * 40]),
            "version": rng.randrange(5),
            "small": number - 40,
            "op": rng.choice(["+I", "-U", "+U", "-D"]),
        }[name]

    numbers = rng.sample(range(80), 60) if case.unique else [rng.randrange(80) for _ in range(count)]
    columns = {name: pa.array([value(name, number) for number in numbers], kind) for name, kind in _columns(case)}
    return pa.table({**columns, "_VALUE_KIND": pa.array([rng.choice(case.kinds) for _ in numbers], pa.int8())})


def schema_for(case: Case) -> pa.Schema:
    required = {*case.keys, *case.parts}
    return pa.schema([pa.field(name, kind, nullable=name not in required) for name, kind in _columns(case)])


def _columns(case: Case) -> list[tuple[str, pa.DataType]]:
    return [(name, COLUMNS[name]) for name in case.columns]


def create(bridge: Any, name: str, case: Case) -> Any:
    return bridge.create_table(
        name, schema_for(case), primary_key=case.keys, partitioned_by=case.parts, options={"write-only": "true", **case.options}
    )


def write(bridge: Any, name: str, rows: pa.Table) -> Any:
    spec = bridge.describe(name)
    with spec.new_batch_write_builder().new_write() as writer:
        writer.write_arrow(rows if spec.primary_keys else rows.drop_columns([c for c in rows.column_names if c not in spec.field_by_name]))
        return bridge.commit(writer.prepare_commit(), level="full")


class Java:
    """Paimon Java as the other writer, on the same warehouse."""

    def __init__(self, bridge: Any, spark: Any, warehouse: str, scratch: str) -> None:
        self._bridge = bridge
        self._twin = spark._jvm.org.paimonbridge.twin.TableTwin
        self._warehouse = warehouse
        self._scratch = scratch
        self._count = 0

    def write(self, name: str, case: Case, rows: pa.Table) -> None:
        """Write rows in their order, the kinds from ``_VALUE_KIND``; they reach Java through a table of their own."""
        stage = f"db.stage{self._count}"
        self._count += 1
        schema = schema_for(case)
        if case.keys:
            schema = schema.append(pa.field("kind", pa.int8(), nullable=False))
            rows = rows.rename_columns([*schema.names])
        else:
            rows = rows.select(schema.names)
        spec = self._bridge.create_table(stage, schema)
        with spec.new_batch_write_builder().new_write(encoders=1) as writer:
            writer.write_arrow(rows)
            self._bridge.commit(writer.prepare_commit(), level="off")
        assert self._twin.copy(self._warehouse, stage, name, self._scratch) == rows.num_rows

    def copy(self, source: str, target: str) -> int:
        return int(self._twin.copy(self._warehouse, source, target, self._scratch))

    def compact(self, name: str) -> int:
        return int(self._twin.compact(self._warehouse, name, self._scratch))


@pytest.fixture
def java(bridge: Any, spark: Any, warehouse: str, tmp_path: Any) -> Java:
    return Java(bridge, spark, warehouse, str(tmp_path))


def read(bridge: Any, name: str) -> list[str]:
    return sorted(repr(row) for row in bridge.read_arrow(name).to_pylist())


def facts(bridge: Any, name: str, lists: tuple[str, ...] = ("baseManifestList", "deltaManifestList")) -> list[Any]:
    """What the manifests of the latest snapshot say about each file, without names, sizes and times."""
    spec = bridge.describe(name, state=False)
    folder = manifest.table_folder(spec)
    left_out = {"_FILE_NAME", "_FILE_SIZE", "_CREATION_TIME"}
    entries = manifest.entries(folder, manifest.snapshot_ids(folder)[-1], lists)
    told = [
        (
            entry["_PARTITION"].hex(),
            entry["_BUCKET"],
            entry["_TOTAL_BUCKETS"],
            sorted((key, repr(value)) for key, value in file.items() if key not in left_out),
        )
        for entry in entries
        for file in [entry["_FILE"] | {"_VALUE_STATS": manifest.canonical_stats(entry["_FILE"], spec)}]
    ]
    return sorted(told)


@pytest.mark.parametrize("case", [*CASES, *map(random_case, SEEDS)], ids=lambda case: case.name)
def test_files_reads_and_compactions_are_those_of_java(case: Case, bridge: Any, java: Java) -> None:
    both = ("db.ours", "db.java")
    for name in both:
        create(bridge, name, case)
    for seed in (7, 8):  # the second write continues what the first left
        rows = rows_for(case, seed)
        result = write(bridge, "db.ours", rows)
        java.write("db.java", case, rows)
        assert result.visible == case.visible
        assert bool(result.hint) != case.visible, "an invisible commit says what to run"
        if case.same_files:
            assert facts(bridge, "db.ours") == facts(bridge, "db.java")
            changes = [facts(bridge, name, ("changelogManifestList",)) for name in both]
            assert changes[0] == changes[1]
            assert bool(changes[0]) == (case.options.get("changelog-producer") == "input")
        assert read(bridge, "db.ours") == read(bridge, "db.java")
    if "bucket" not in case.options:
        return  # Paimon compacts append tables without buckets by another way
    for name in both:
        assert java.compact(name) > 0
    compacted = read(bridge, "db.ours")
    assert compacted
    assert compacted == read(bridge, "db.java")


TAKING_TURNS = ("partitioned",) if os.environ.get("PAIMON_BRIDGE_SHORT") else ("partitioned", "sequence-field", "thin", "key-composite")
INTERLEAVED = [case for case in CASES if case.name in TAKING_TURNS]


@pytest.mark.parametrize("case", INTERLEAVED, ids=lambda case: case.name)
def test_java_and_python_take_turns_for_twenty_rounds(case: Case, bridge: Any, java: Java) -> None:
    both = ("db.ours", "db.java")
    for name in both:
        create(bridge, name, case)
    for turn in range(20):
        rows = rows_for(case, seed=100 + turn, count=60)
        if turn % 2:
            java.write("db.ours", case, rows)
        else:
            write(bridge, "db.ours", rows)
        java.write("db.java", case, rows)
        assert read(bridge, "db.ours") == read(bridge, "db.java"), f"after turn {turn}"
        if turn == 9:
            # Both, as a full compaction forgets deletes, and with them the sequence fields that later rows would lose against.
            assert all(java.compact(name) > 0 for name in both)
    assert java.compact("db.ours") > 0
    assert read(bridge, "db.ours") == read(bridge, "db.java")


@pytest.mark.parametrize("parts", [(), ("part",)], ids=["whole", "partitioned"])
def test_dynamic_buckets_and_their_indexes_are_as_java_keeps_them(parts: tuple[str, ...], bridge: Any, java: Java) -> None:
    case = Case(
        "dynamic", {"bucket": "-1", "dynamic-bucket.target-row-num": "20"}, keys=(*parts, "id"), parts=parts, kinds=(0,), unique=True
    )
    for name in ("db.ours", "db.java"):
        create(bridge, name, case)
    write(bridge, "db.ours", rows_for(case, 7))
    assert java.copy("db.ours", "db.java") == 60
    assert facts(bridge, "db.ours") == facts(bridge, "db.java")
    assert len(hashes(bridge, "db.ours")) > 2
    assert hashes(bridge, "db.ours") == hashes(bridge, "db.java")
    before = bridge.read_arrow("db.ours").to_pylist()
    more = rows_for(case, 8)
    write(bridge, "db.ours", more)
    expected = {row["id"]: row for row in before} | {row["id"]: row for row in more.drop_columns(["_VALUE_KIND"]).to_pylist()}
    assert read(bridge, "db.ours") == sorted(map(repr, expected.values())), "a known key must stay in its bucket"
    assert sum(map(len, hashes(bridge, "db.ours").values())) == len(expected)
    assert java.compact("db.ours") > 0
    assert read(bridge, "db.ours") == sorted(map(repr, expected.values()))


def hashes(bridge: Any, name: str) -> dict[tuple[str, int], list[bytes]]:
    """The contents of the hash indexes that the latest snapshot refers to."""
    folder = manifest.table_folder(bridge.describe(name, state=False))
    found = {}
    for state in bridge.describe(name).state.buckets:
        data = (folder / "index" / state.hash_index).read_bytes()
        found[state.partition.hex(), state.bucket] = sorted(data[place : place + 4] for place in range(0, len(data), 4))
    return found
