"""What a writer must know of the buckets a table already has: values, asked of the shim before a write and shipped with the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class BucketState:
    """One live bucket. ``partition`` is the arity and the BinaryRow; ``hash_index`` the name of a dynamic bucket's index file."""

    partition: bytes
    bucket: int
    total_buckets: int
    max_sequence_number: int
    hash_index: str | None = None


@dataclass(frozen=True, kw_only=True)
class TableState:
    """The buckets of one snapshot; ``snapshot_id`` is None for a table without any."""

    snapshot_id: int | None = None
    buckets: tuple[BucketState, ...] = ()

    @classmethod
    def from_json(cls, shape: Mapping[str, Any]) -> TableState:
        """Read what the shim's ``bucketState`` answers: rows of partition (hex), bucket, total buckets, maximum, index file."""
        return cls(
            snapshot_id=shape["snapshotId"],
            buckets=tuple(
                BucketState(
                    partition=bytes.fromhex(partition),
                    bucket=bucket,
                    total_buckets=total,
                    max_sequence_number=maximum,
                    hash_index=index,
                )
                for partition, bucket, total, maximum, index in shape["buckets"]
            ),
        )

    def to_json(self) -> dict[str, Any]:
        rows = [[b.partition.hex(), b.bucket, b.total_buckets, b.max_sequence_number, b.hash_index] for b in self.buckets]
        return {"snapshotId": self.snapshot_id, "buckets": rows}

    @cached_property
    def by_key(self) -> dict[tuple[bytes, int], BucketState]:
        return {(bucket.partition, bucket.bucket): bucket for bucket in self.buckets}

    @cached_property
    def by_partition(self) -> dict[bytes, tuple[BucketState, ...]]:
        found: dict[bytes, tuple[BucketState, ...]] = {}
        for bucket in self.buckets:
            found[bucket.partition] = (*found.get(bucket.partition, ()), bucket)
        return found

    def max_sequence_number(self, partition: bytes, bucket: int) -> int:
        """The highest sequence number of a bucket's live files; -1 where there is none."""
        state = self.by_key.get((partition, bucket))
        return -1 if state is None else state.max_sequence_number

    def total_buckets(self, partition: bytes) -> int | None:
        """How many buckets a partition's live files were written for."""
        return next((bucket.total_buckets for bucket in self.by_partition.get(partition, ()) if bucket.total_buckets > 0), None)
