"""Dynamic buckets: a key goes where its hash already is, else to a bucket with room, else to a new one.

Each bucket has an index file with the hashes of its keys: four bytes each, big-endian, in any order. A new file replaces the bucket's
old one and holds old and new hashes. Rules: Paimon's ``HashBucketAssigner`` and ``PartitionIndex``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paimon_bridge.binary.row import murmur_hash
from paimon_bridge.errors import WriteError
from paimon_bridge.model.file import IndexFileMeta
from paimon_bridge.model.options import at_least
from paimon_bridge.model.state import BucketState
from paimon_bridge.write.buckets import key_columns
from paimon_bridge.write.context import WriteContext
from paimon_bridge.write.keyhash import hash_rows
from paimon_bridge.write.names import FileNames
from paimon_bridge.write.router import Bucket, Bucketing, Partition

HASH_INDEX = "HASH"
_DYNAMIC_TOTAL = -1
# Java keeps bucket numbers of the index in sixteen bits.
_MOST_BUCKETS = 2**15 - 1

Hashes = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int64]

_LOW, _HIGH = np.uint64(0xFFFFFFFF), np.uint64(0xFFFFFFFF00000000)


def _words(hashes: Hashes) -> npt.NDArray[np.uint64]:
    """Hashes in the upper half of a word each, the lower half empty."""
    words: npt.NDArray[np.uint64] = hashes.view(np.uint32).astype(np.uint64) << np.uint64(32)
    return words


@dataclass(frozen=True)
class Share:
    """Which part of every partition's buckets one of several tasks may fill.

    Buckets fall into ``classes`` by their number. Task ``owner`` has one class of a partition or none; rows with a known hash go to the
    owner of its bucket, others to the class of their hash, so that no bucket ever has two writers.
    """

    owner: int
    owners: int
    classes: int

    @classmethod
    def of(cls, context: WriteContext) -> Share:
        options = context.options
        bounds = [context.owners, options.integer("dynamic-bucket.initial-buckets", context.owners)]
        most = most_buckets(context)
        return cls(context.owner, context.owners, max(1, min(*bounds, most)))

    def first_owner(self, partition: bytes) -> int:
        """Partitions begin at different owners, so that small ones do not all meet at the first."""
        return abs(murmur_hash(partition[4:])) % self.owners

    def class_of(self, partition: bytes) -> int | None:
        """The class of buckets that this owner has in a partition."""
        mine = (self.owner - self.first_owner(partition)) % self.owners
        return mine if mine < self.classes else None

    def owners_of(self, partition: bytes, hashes: Hashes, known: Numbers) -> Numbers:
        """The owner of each row; ``known`` is its bucket, or -1 for a hash that has none yet."""
        fresh = np.abs(hashes.astype(np.int64)) % self.classes
        classes = np.where(known >= 0, known % self.classes, fresh)
        return (self.first_owner(partition) + classes) % self.owners


def most_buckets(context: WriteContext) -> int:
    """``dynamic-bucket.max-buckets``, which exists since 1.1; -1 stands for no limit but Java's own."""
    limit = context.options.integer("dynamic-bucket.max-buckets", -1) if at_least(context.spec.release, "1.1") else -1
    return _MOST_BUCKETS if limit == -1 else limit


class DynamicBuckets(Bucketing):
    """Assigns rows to buckets by the hash of their key, and keeps the indexes of the buckets it fills."""

    def __init__(self, context: WriteContext) -> None:
        spec = context.spec
        self._context = context
        self._names = spec.trimmed_primary_keys
        self._types = [spec.field_by_name[name].type for name in self._names]
        self._share = Share.of(context)
        self._target = context.options.integer("dynamic-bucket.target-row-num", 2_000_000)
        self._indexes: dict[bytes, PartitionIndex] = {}
        self._file_names = FileNames(context.run_id)
        self._paths: list[str] = []

    def assign(self, table: pa.Table, codes: npt.NDArray[Any], partitions: Sequence[Partition]) -> Numbers:
        hashes = hash_rows(key_columns(table, self._names), self._types)
        numbers = np.empty(len(table), dtype=np.int64)
        for code, partition in enumerate(partitions):
            rows = slice(None) if len(partitions) == 1 else np.flatnonzero(codes == code)
            numbers[rows] = self._index(partition).assign(hashes[rows])
        return numbers

    def owners(self, table: pa.Table, codes: npt.NDArray[Any], partitions: Sequence[Partition]) -> Numbers:
        """The task that must write each row; nothing is assigned."""
        hashes = hash_rows(key_columns(table, self._names), self._types)
        owners = np.empty(len(table), dtype=np.int64)
        for code, partition in enumerate(partitions):
            rows = slice(None) if len(partitions) == 1 else np.flatnonzero(codes == code)
            owners[rows] = self._share.owners_of(partition.row, hashes[rows], self._index(partition).find(hashes[rows]))
        return owners

    def total_buckets(self, partition: bytes) -> int:
        return _DYNAMIC_TOTAL

    def index_files(self, bucket: Bucket) -> tuple[IndexFileMeta, ...]:
        hashes = self._indexes[bucket.partition.row].take_changed(bucket.number)
        if hashes is None:
            return ()
        path = f"{_index_folder(self._context, bucket)}/{self._file_names.next('index-', '')}"
        data = hashes.astype(">i4").tobytes()
        sink = self._context.storage.create(path)
        self._paths.append(path)
        with sink:
            sink.write(data)
        return (IndexFileMeta(index_type=HASH_INDEX, file_name=path.rpartition("/")[2], file_size=len(data), row_count=len(hashes)),)

    def release(self) -> None:
        self._paths.clear()

    def abort(self) -> list[str]:
        left = self._context.storage.delete_all(self._paths)
        self._paths.clear()
        return left

    def _index(self, partition: Partition) -> PartitionIndex:
        if partition.row not in self._indexes:
            states = self._context.state.by_partition.get(partition.row, ())
            stored = {state.bucket: self._load(partition, state) for state in states if state.hash_index is not None}
            self._indexes[partition.row] = PartitionIndex(
                stored,
                mine=self._share.class_of(partition.row),
                classes=self._share.classes,
                target=self._target,
                most=most_buckets(self._context),
            )
        return self._indexes[partition.row]

    def _load(self, partition: Partition, state: BucketState) -> Hashes:
        folder = _index_folder(self._context, Bucket(partition, state.bucket))
        data = self._context.storage.read(f"{folder}/{state.hash_index}")
        return np.frombuffer(data, dtype=">i4").astype(np.int32)


def _index_folder(context: WriteContext, bucket: Bucket) -> str:
    beside = context.options.boolean("index-file-in-data-file-dir", False) and at_least(context.spec.release, "1.3")
    return context.paths.bucket(bucket.partition.values, bucket.number) if beside else "index"


class PartitionIndex:
    """The buckets of one partition: which hash is where, and how full those are that may take more."""

    def __init__(self, stored: dict[int, Hashes], *, mine: int | None, classes: int, target: int, most: int) -> None:
        sizes = [len(hashes) for hashes in stored.values()]
        hashes = np.concatenate([np.empty(0, dtype=np.int32), *stored.values()])
        # One word per hash, sorted: the hash without its sign above, the bucket below.
        self._entries = _words(hashes) | np.repeat(np.array(list(stored), dtype=np.uint64), sizes)
        self._entries.sort()
        self._counts = {number: len(hashes) for number, hashes in stored.items() if number % classes == mine}
        self._mine = mine
        self._classes = classes
        self._target = target
        self._most = most
        self._changed: set[int] = set()

    def find(self, hashes: Hashes) -> Numbers:
        """The bucket of each hash, -1 where it has none."""
        if not len(self._entries):
            return np.full(len(hashes), -1, dtype=np.int64)
        wanted = _words(hashes)
        found = self._entries[np.minimum(np.searchsorted(self._entries, wanted), len(self._entries) - 1)]
        return np.where(found & _HIGH == wanted, (found & _LOW).astype(np.int64), -1)

    def assign(self, hashes: Hashes) -> Numbers:
        """The bucket of each hash; new ones are given a place in their order of arrival."""
        # Sorted once, with the row below the hash: then equal hashes are neighbours, and finding them is a walk, not a hunt.
        packed = _words(hashes) | np.arange(len(hashes), dtype=np.uint64)
        packed.sort()
        rows = packed.astype(np.uint32)
        packed >>= np.uint64(32)
        sorted_hashes = packed.astype(np.uint32).view(np.int32)
        del packed
        first = np.append(True, sorted_hashes[1:] != sorted_hashes[:-1])
        distinct = sorted_hashes[first]
        places = self.find(distinct)
        unknown = np.flatnonzero(places < 0)
        if len(unknown):
            given = self._places(len(unknown))
            if (given == given[0]).all():
                places[unknown] = given[0]
            else:
                places[unknown[np.argsort(rows[first][unknown])]] = given
            self._changed.update(np.unique(given).tolist())
            # Grown and sorted where they are: a copy of millions of hashes would weigh as much again.
            self._entries.resize(len(self._entries) + len(unknown), refcheck=False)
            self._entries[-len(unknown) :] = _words(distinct[unknown]) | places[unknown].astype(np.uint64)
            self._entries.sort()
        numbers = np.empty(len(hashes), dtype=np.int64)
        numbers[rows] = places[np.cumsum(first) - 1]
        return numbers

    def take_changed(self, number: int) -> Hashes | None:
        """All hashes of a bucket if there are new ones since the last time, else None."""
        if number not in self._changed:
            return None
        self._changed.discard(number)
        mine = self._entries[self._entries & _LOW == number]
        hashes: Hashes = (mine >> np.uint64(32)).astype(np.uint32).view(np.int32)
        return hashes

    def _places(self, count: int) -> Numbers:
        """Room for so many new hashes: in buckets that are not full, lowest first, then in new ones, then anywhere."""
        places: list[Numbers] = []
        while count:
            number = next((number for number in sorted(self._counts) if self._counts[number] < self._target), None)
            if number is None:
                number = self._new_bucket()
            if number is None:
                chosen = np.random.default_rng().choice(np.array(sorted(self._counts)), count)
                places.append(chosen)
                break
            taken = min(count, self._target - self._counts[number])
            self._counts[number] += taken
            places.append(np.full(taken, number, dtype=np.int64))
            count -= taken
        return np.concatenate(places)

    def _new_bucket(self) -> int | None:
        """The lowest free number of this writer's class; None if the table may have no more."""
        if self._mine is None:
            raise WriteError(
                "a row of a dynamic bucket table came to a task that owns no bucket of its partition",
                code="ROW_AT_WRONG_OWNER",
                remedy="shuffle rows by the owners that paimon_bridge.write.owners gives, and tell each task which one it is.",
                details={"final": True},
            )
        for number in range(self._mine, self._most, self._classes):
            if number not in self._counts:
                self._counts[number] = 0
                return number
        if self._most == _MOST_BUCKETS:
            raise WriteError(
                f"a partition has all {_MOST_BUCKETS} buckets that Paimon can count, and each is full",
                code="TOO_MANY_BUCKETS",
                remedy="raise dynamic-bucket.target-row-num.",
                details={"final": True},
            )
        return None
