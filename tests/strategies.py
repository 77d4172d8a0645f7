"""Random messages, repeatable by seed: every field null and set, short and long strings, other scripts, rows of every type.

A message is made for a version: fields that the version lacks keep their defaults, so encoding it loses nothing. The table itself
says which fields those are.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeVar

from paimon_bridge.binary.row import Timestamp, encode_row
from paimon_bridge.model.file import EMPTY_ROW, DataFileMeta, DeletionVectorMeta, GlobalIndexMeta, IndexFileMeta, SimpleStats
from paimon_bridge.model.message import CommitMessage, CompactIncrement, DataIncrement, ManifestCommittable
from paimon_bridge.model.types import DataType, Field, parse_type
from paimon_bridge.wire.fields import Struct
from paimon_bridge.wire.versions import COMMIT_MESSAGE, COMMITTABLE, DATA_FILE, DELETION_VECTOR, GLOBAL_INDEX, INDEX_FILE

T = TypeVar("T")

LONG_MAX = 2**63 - 1
INT_MAX = 2**31 - 1

SIMPLE_TYPES = (
    "BOOLEAN", "TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DATE", "TIME(0)", "TIME(3)", "CHAR(10)", "VARCHAR(30)",
    "STRING", "BINARY(4)", "VARBINARY(12)", "BYTES", "DECIMAL(9, 4)", "DECIMAL(18, 0)", "DECIMAL(19, 0)", "DECIMAL(38, 18)",
    "TIMESTAMP(0)", "TIMESTAMP(3)", "TIMESTAMP(6)", "TIMESTAMP(9)", "TIMESTAMP(3) WITH LOCAL TIME ZONE",
    "TIMESTAMP(6) WITH LOCAL TIME ZONE",
)  # fmt: skip

LETTERS = ("a", "Z", "0", "-", "/", "=", " ", "%", "é", "ß", "ж", "中", "あ", "🐎", "\U0001f600", "\0", "\u200d")


class MessageSource:
    """A source of random values. Two sources of one seed give the same ones."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)

    def message(self, version: int) -> CommitMessage:
        present = {part.path for part in COMMIT_MESSAGE.at(version)}
        dice = self.dice

        def files(path: str) -> tuple[DataFileMeta, ...]:
            count = dice.choice((0, 0, 1, 1, 2, 5)) if path == "data.new_files" else dice.choice((0, 0, 0, 1, 2))
            return tuple(self.data_file(version) for _ in range(count)) if path in present else ()

        compact = CompactIncrement(
            compact_before=files("compact.compact_before"),
            compact_after=files("compact.compact_after"),
            changelog_files=files("compact.changelog_files"),
        )
        data = DataIncrement(
            new_files=files("data.new_files"), deleted_files=files("data.deleted_files"), changelog_files=files("data.changelog_files")
        )
        data, compact = self._with_index_files(data, compact, version, present)
        return CommitMessage(
            partition=self.row(most=4),
            bucket=dice.choice((0, 1, 7, INT_MAX, -1, -2)),
            total_buckets=self.maybe(lambda: dice.choice((-2, -1, 1, 16, INT_MAX))) if "total_buckets" in present else None,
            data=data,
            compact=compact,
            check_from_snapshot=self.maybe(self.number) if "check_from_snapshot" in present else None,
        )

    def _with_index_files(
        self, data: DataIncrement, compact: CompactIncrement, version: int, present: set[str]
    ) -> tuple[DataIncrement, CompactIncrement]:
        shared = "shared.new_index_files" in present
        in_compact = bool(compact.compact_before or compact.compact_after or compact.changelog_files)
        deleted = not shared or "shared.deleted_index_files" in present

        def lists(wanted: bool) -> dict[str, tuple[IndexFileMeta, ...]]:
            counts = [self.dice.choice((0, 0, 1, 3)) if wanted else 0 for _ in range(2)]
            return {
                "new_index_files": tuple(self.index_file(version) for _ in range(counts[0])),
                "deleted_index_files": tuple(self.index_file(version) for _ in range(counts[1] if deleted else 0)),
            }

        in_data, in_other = lists(not shared or not in_compact), lists(not shared or in_compact)
        return (
            DataIncrement(new_files=data.new_files, deleted_files=data.deleted_files, changelog_files=data.changelog_files, **in_data),
            CompactIncrement(
                compact_before=compact.compact_before,
                compact_after=compact.compact_after,
                changelog_files=compact.changelog_files,
                **in_other,
            ),
        )

    def committable(self, version: int, message_version: int) -> ManifestCommittable:
        """At most one property and one offset: the order of more is that of Java's HashMap."""
        present = {part.path for part in COMMITTABLE.at(version)}
        dice = self.dice
        return ManifestCommittable(
            identifier=self.number(),
            watermark=self.maybe(self.number),
            log_offsets=((dice.randrange(9), self.number()),) if "log_offsets" in present and dice.random() < 0.5 else (),
            properties=((self.text(), self.text()),) if "properties" in present and dice.random() < 0.5 else (),
            messages=tuple(self.message(message_version) for _ in range(dice.choice((0, 1, 3)))),
            message_version=message_version,
        )

    def data_file(self, version: int) -> DataFileMeta:
        dice = self.dice
        optional: dict[str, Callable[[], Any]] = {
            "delete_row_count": self.number,
            "embedded_index": self.binary,
            "file_source": lambda: dice.choice((0, 1)),
            "value_stats_cols": self.names,
            "external_path": self.text,
            "first_row_id": self.number,
            "write_cols": self.names,
            "column_max_sequence_numbers": lambda: tuple(self.number() for _ in range(dice.choice((0, 1, 5)))),
        }
        return DataFileMeta(
            file_name=self.text(),
            file_size=self.number(),
            row_count=self.number(),
            min_key=self.row(most=4),
            max_key=self.row(most=4),
            key_stats=self.stats(most=4),
            value_stats=self.stats(most=70),
            min_sequence_number=self.number(),
            max_sequence_number=self.number(),
            schema_id=self.number(),
            level=dice.choice((0, 1, 5, INT_MAX, -1)),
            extra_files=self.names(),
            creation_time_millis=self.number(),
            **self._optional(DATA_FILE, version, optional),
        )

    def index_file(self, version: int) -> IndexFileMeta:
        optional: dict[str, Callable[[], Any]] = {
            "dv_ranges": lambda: self.deletion_vectors(version),
            "external_path": self.text,
            "global_index_meta": lambda: self.global_index(version),
        }
        return IndexFileMeta(
            index_type=self.dice.choice(("HASH", "DELETION_VECTORS", "btree", "a-longer-index-type")),
            file_name=self.text(),
            file_size=self.number(),
            row_count=self.number(),
            **self._optional(INDEX_FILE, version, optional),
        )

    def deletion_vectors(self, version: int) -> tuple[DeletionVectorMeta, ...]:
        # Distinct names: Java keeps them in a map.
        return tuple(
            DeletionVectorMeta(
                data_file_name=f"{index}{self.text()}",
                offset=self.dice.choice((0, 1, INT_MAX)),
                length=self.dice.choice((0, 22, INT_MAX)),
                **self._optional(DELETION_VECTOR, version, {"cardinality": self.number}),
            )
            for index in range(self.dice.choice((0, 1, 2, 9)))
        )

    def global_index(self, version: int) -> GlobalIndexMeta:
        optional: dict[str, Callable[[], Any]] = {
            "extra_field_ids": lambda: tuple(self.dice.choice((0, 3, INT_MAX)) for _ in range(self.dice.choice((0, 1, 4)))),
            "index_meta": self.binary,
            "source_meta": self.binary,
        }
        return GlobalIndexMeta(
            row_range_start=self.number(),
            row_range_end=self.number(),
            index_field_id=self.dice.choice((0, 17, INT_MAX)),
            **self._optional(GLOBAL_INDEX, version, optional),
        )

    def _optional(self, struct: Struct, version: int, values: dict[str, Callable[[], Any]]) -> dict[str, Any]:
        present = {item.name for item in struct.at(version)}
        return {name: self.maybe(make) for name, make in values.items() if name in present}

    def stats(self, most: int) -> SimpleStats:
        if self.dice.random() < 0.3:
            return SimpleStats()
        types = self.types(most)
        counts = tuple(self.maybe(lambda: self.dice.choice((0, 1, LONG_MAX))) for _ in types)
        return SimpleStats(min_values=self.row_of(types), max_values=self.row_of(types), null_counts=counts)

    def row(self, most: int) -> bytes:
        return EMPTY_ROW if self.dice.random() < 0.3 else self.row_of(self.types(most))

    def row_of(self, types: list[DataType]) -> bytes:
        return encode_row([self.maybe(lambda type_=type_: self.value(type_), nulls=0.2) for type_ in types], types)

    def types(self, most: int) -> list[DataType]:
        # Now and then more than 56 fields, where the header of a row grows.
        count = self.dice.randint(57, most) if most > 57 and self.dice.random() < 0.1 else self.dice.randint(0, min(most, 12))
        return [self.type(depth=1) for _ in range(count)]

    def type(self, depth: int) -> DataType:
        dice = self.dice
        if depth == 0 or dice.random() < 0.85:
            return parse_type(dice.choice(SIMPLE_TYPES))
        root = dice.choice(("ARRAY", "MAP", "MULTISET", "ROW", "VECTOR", "VARIANT", "BLOB"))
        if root == "ROW":
            fields = tuple(Field(id=index, name=f"f{index}", type=self.type(depth - 1)) for index in range(dice.choice((0, 1, 3))))
            return DataType(root=root, fields=fields)
        if root == "MAP":
            return DataType(root=root, key=self.type(0), value=self.type(depth - 1))
        if root == "VECTOR":
            return DataType(
                root=root, element=parse_type(dice.choice(("FLOAT", "DOUBLE", "INT", "TINYINT"))), length=dice.choice((1, 3, 8))
            )
        return DataType(root=root, element=self.type(depth - 1) if root in ("ARRAY", "MULTISET") else None)

    def value(self, type_: DataType) -> Any:
        dice = self.dice
        root = type_.root
        if root in ("TIMESTAMP", "TIMESTAMP_LTZ"):
            precision = type_.precision or 0
            nanos = dice.randrange(10 ** (precision - 3)) * 10 ** (9 - precision) if precision > 3 else 0
            return Timestamp(dice.choice((0, -1, -62_135_596_800_000, 1_700_000_000_123, 253_402_300_799_999)), nanos)
        if root == "DECIMAL":
            digits = dice.randint(0, type_.precision or 0)
            return Decimal((dice.randrange(2), tuple(dice.randrange(10) for _ in range(digits)) or (0,), -(type_.scale or 0)))
        if root == "ARRAY":
            assert type_.element is not None
            element = type_.element
            return [self.maybe(lambda: self.value(element), nulls=0.2) for _ in range(dice.choice((0, 1, 3, 40)))]
        if root in ("MAP", "MULTISET"):
            key = type_.key or type_.element
            assert key is not None
            count = parse_type("INT") if type_.value is None else type_.value
            return [(self.value(key), self.value(count)) for _ in range(dice.choice((0, 1, 3)))]
        if root == "ROW":
            return tuple(self.maybe(lambda field=field: self.value(field.type), nulls=0.2) for field in type_.fields)
        if root == "VECTOR":
            assert type_.element is not None
            return [self.value(type_.element) for _ in range(type_.length or 0)]
        makers: dict[str, Callable[[], Any]] = {
            "BOOLEAN": lambda: dice.random() < 0.5,
            "TINYINT": lambda: dice.randint(-128, 127),
            "SMALLINT": lambda: dice.randint(-(2**15), 2**15 - 1),
            "INT": lambda: dice.choice((0, -1, INT_MAX, -INT_MAX - 1, dice.randrange(INT_MAX))),
            "BIGINT": self.number,
            "FLOAT": lambda: dice.choice((0.0, -0.0, 1.5, -2.25, float("inf"))),
            "DOUBLE": lambda: dice.choice((0.0, -0.0, 3.14159, -1e300, float("-inf"))),
            "DATE": lambda: datetime.date.fromordinal(dice.randint(1, 3_652_059)),
            "TIME": lambda: dice.randrange(86_400_000),
            "CHAR": self.text,
            "VARCHAR": self.text,
            "VARIANT": lambda: (self.binary(), self.binary()),
        }
        return makers.get(root, self.binary)()

    def maybe(self, make: Callable[[], T], nulls: float = 0.5) -> T | None:
        return None if self.dice.random() < nulls else make()

    def number(self) -> int:
        dice = self.dice
        return dice.choice((0, 1, -1, LONG_MAX, -LONG_MAX - 1, dice.randrange(1 << 40), -dice.randrange(1 << 40)))

    def binary(self) -> bytes:
        return self.dice.randbytes(self.dice.choice((0, 1, 6, 7, 8, 9, 16, 100)))

    def names(self) -> tuple[str, ...]:
        return tuple(self.text() for _ in range(self.dice.choice((0, 1, 2, 33))))

    def text(self) -> str:
        """Empty, around the seven bytes that fit into a slot, long; plain and in other scripts."""
        dice = self.dice
        size = dice.choice((0, 1, 6, 7, 8, 9, 30))
        if dice.random() < 0.5:
            return "".join(dice.choice("abcdefgh-_.0123456789") for _ in range(size))
        return "".join(dice.choice(LETTERS) for _ in range(size))
