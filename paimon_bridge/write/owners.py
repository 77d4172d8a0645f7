"""Which task must write which row, so that every bucket has exactly one writer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

from paimon_bridge.binary.row import murmur_hash
from paimon_bridge.model.options import TableOptions
from paimon_bridge.model.table import DYNAMIC, FIXED, POSTPONE, TableSpec
from paimon_bridge.write.buckets import BucketKey, FixedBuckets, PartitionBuckets
from paimon_bridge.write.columns import ColumnConverter, match_columns
from paimon_bridge.write.context import WriteContext
from paimon_bridge.write.dynamic import DynamicBuckets
from paimon_bridge.write.router import Bucketing, Router


def needs_owners(spec: TableSpec) -> bool:
    """Whether rows must be brought to owners first; append tables without buckets and postponed ones can be written anywhere."""
    return spec.bucket_mode in (FIXED, DYNAMIC) or (spec.bucket_mode == POSTPONE and TableOptions(spec).postpone_fixed_bucket)


class OwnerAssigner:
    """Tells the owner of each row: the same for all rows of a bucket. Runs where the rows are, before they are shuffled.

    Task ``n`` of ``owners`` then writes what it was given, with ``write_task(..., owner=n, owners=owners)``. Reads a dynamic table's
    indexes, so that a key that is known stays in its bucket.
    """

    def __init__(self, spec: TableSpec, owners: int, *, overwrite: bool = False) -> None:
        self._owners = owners
        self._context = WriteContext.of(spec, run_id="", overwrite=overwrite, owners=owners)
        keys = spec.trimmed_primary_keys if spec.bucket_mode == DYNAMIC else BucketKey(spec).names
        self._names = list(dict.fromkeys((*spec.partition_keys, *keys)))
        # Only what decides is converted; the writers look at the other columns.
        self._slim = replace(spec, fields=tuple(field for field in spec.fields if field.name in self._names))
        self._bucketing = _bucketing(self._context)
        self._router = Router(spec, self._bucketing)
        self._row_count = 0

    def owners(self, batch: pa.RecordBatch) -> pa.Array:
        """The owner of each row of a batch, from 0 on. Raises WriteError where a key cannot be read."""
        if not len(batch):
            return pa.array([], pa.int32())
        keys = batch.select([name for name in self._names if name in batch.schema.names])
        converter = ColumnConverter(match_columns(keys.schema, self._slim), self._slim)
        table = pa.Table.from_batches([converter.convert(keys, self._row_count)])
        self._row_count += len(batch)
        codes, partitions = self._router.partitions(table)
        if isinstance(self._bucketing, DynamicBuckets):
            return pa.array(self._bucketing.owners(table, codes, partitions).astype(np.int32))
        numbers = self._bucketing.assign(table, codes, partitions)
        # Partitions begin at different owners, so that the first buckets of many partitions do not all meet at the first owner.
        firsts = np.array([abs(murmur_hash(partition.row[4:])) % self._owners for partition in partitions], dtype=np.int64)
        return pa.array(((firsts[codes] + numbers) % self._owners).astype(np.int32))


def _bucketing(context: WriteContext) -> Bucketing:
    if context.spec.bucket_mode == DYNAMIC:
        return DynamicBuckets(context)
    if context.spec.bucket_mode == POSTPONE:
        return PartitionBuckets(context.spec, context.state)
    return FixedBuckets(context.spec, context.state)
