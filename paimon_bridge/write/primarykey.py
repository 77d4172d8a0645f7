"""Rows of primary-key tables: collected, given a bucket and a sequence number, and handed on to be sorted and written."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paimon_bridge.model.file import DataFileMeta
from paimon_bridge.model.message import CommitMessage, DataIncrement
from paimon_bridge.model.options import MEBIBYTE
from paimon_bridge.write.context import WriteContext
from paimon_bridge.write.filetypes import FileSchema
from paimon_bridge.write.lanes import Lanes
from paimon_bridge.write.router import Assignment, Bucket, Bucketing, Router
from paimon_bridge.write.runs import Key, RunWriter, WriteBuffer

# Java's write-buffer-size is 256 MB by default. Here one buffer fills while another is sorted, taken apart and encoded, and a worker
# has 600 MB for everything.
_BUFFER_BYTES = 48 * MEBIBYTE
_IN_FLIGHT_BYTES = 80 * MEBIBYTE


class PrimaryKeySink:
    """Takes rows of a table's logical file schema and a ``_VALUE_KIND`` column."""

    def __init__(self, context: WriteContext, bucketing: Bucketing) -> None:
        self._context = context
        self._bucketing = bucketing
        self._router = Router(context.spec, bucketing)
        self._lanes = Lanes(context.encoders, _IN_FLIGHT_BYTES)
        # Each encoder sorts and writes what falls to it, and has had so many rows.
        self._runs = [RunWriter(context) for _ in range(context.encoders)]
        self._work = [0] * context.encoders
        self._limit = min(context.options.write_buffer_size, _BUFFER_BYTES)
        self._staged: list[pa.RecordBatch] = []
        self._staged_bytes = 0
        self._buffer_count = 0
        self._buckets: dict[Key, Bucket] = {}
        self._next_sequence: dict[Key, int] = {}

    def add(self, batch: pa.RecordBatch, schema: FileSchema) -> None:
        if not len(batch):
            return
        self._staged.append(batch)
        self._staged_bytes += batch.nbytes
        if self._staged_bytes >= self._limit:
            self._flush(schema)

    def prepare(self, schema: FileSchema | None) -> list[CommitMessage]:
        """Finish all files and describe them, one message per bucket with new files."""
        if schema is not None:
            self._flush(schema)
        self._lanes.drain()
        data: dict[Key, tuple[DataFileMeta, ...]] = {}
        changelog: dict[Key, tuple[DataFileMeta, ...]] = {}
        # In the order of arrival, whichever encoder made them.
        for _, key, is_changelog, files in sorted((made for runs in self._runs for made in runs.take_files()), key=lambda made: made[0]):
            of_its_kind = changelog if is_changelog else data
            of_its_kind[key] = (*of_its_kind.get(key, ()), *files)
        return [
            CommitMessage(
                partition=key[0],
                bucket=key[1],
                total_buckets=self._bucketing.total_buckets(key[0]),
                data=DataIncrement(
                    new_files=files,
                    changelog_files=changelog.get(key, ()),
                    new_index_files=self._bucketing.index_files(self._buckets[key]),
                ),
            )
            for key, files in data.items()
        ]

    def release(self) -> None:
        for runs in self._runs:
            runs.release()
        self._bucketing.release()

    def abort(self) -> list[str]:
        self._lanes.stop()
        return [*(failure for runs in self._runs for failure in runs.abort()), *self._bucketing.abort()]

    def close(self) -> None:
        self._lanes.stop()

    def _flush(self, schema: FileSchema) -> None:
        if not self._staged:
            return
        size = self._staged_bytes
        rows = pa.Table.from_batches(self._staged).combine_chunks()
        self._staged, self._staged_bytes = [], 0
        # The batches' memory is free now, but the pool would keep it beside what the sort is about to need.
        pa.default_memory_pool().release_unused()
        assignment = self._router.assign(rows)
        self._buffer_count += 1
        buffer = WriteBuffer(self._buffer_count, rows, assignment, self._sequences(assignment), schema)
        lanes = self._spread(assignment)
        for lane in np.unique(lanes).tolist():
            share = None if (lanes == lane).all() else np.flatnonzero((lanes == lane)[assignment.codes])
            share_bytes = size if share is None else size * len(share) // len(rows)
            self._lanes.submit(lane, share_bytes, partial(self._runs[lane].write, buffer, share))

    def _spread(self, assignment: Assignment) -> npt.NDArray[np.int64]:
        """The lane of each bucket of a buffer: its rows become runs of their own, so any lane will do, and all get the same work."""
        lanes = np.zeros(len(assignment.buckets), dtype=np.int64)
        counts = np.bincount(assignment.codes, minlength=len(lanes))
        for place in np.argsort(-counts, kind="stable").tolist():
            lanes[place] = self._work.index(min(self._work))
            self._work[lanes[place]] += int(counts[place])
        return lanes

    def _sequences(self, assignment: Assignment) -> npt.NDArray[np.int64]:
        """One number per row in its order of arrival, from each bucket's next one on."""
        codes, buckets = assignment.codes, assignment.buckets
        counts = np.bincount(codes, minlength=len(buckets))
        firsts = np.array([self._first_sequence(bucket) for bucket in buckets], dtype=np.int64)
        for bucket, count in zip(buckets, counts.tolist(), strict=True):
            self._buckets[bucket.key] = bucket
            self._next_sequence[bucket.key] += count
        arrival = np.argsort(codes, kind="stable")
        starts = np.cumsum(counts) - counts
        sequences = np.empty(len(codes), dtype=np.int64)
        sequences[arrival] = np.arange(len(codes)) - np.repeat(starts - firsts, counts)
        return sequences

    def _first_sequence(self, bucket: Bucket) -> int:
        if bucket.key not in self._next_sequence:
            self._next_sequence[bucket.key] = self._context.state.max_sequence_number(*bucket.key) + 1
        return self._next_sequence[bucket.key]
