"""Rows that wait for company: per (partition, bucket), until they are worth a row group, within one bound for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

import pyarrow as pa

K = TypeVar("K")


class Buffers(Generic[K]):
    """Buffered tables by key. What is given is kept by reference; ``total_bytes`` counts it as if it were not shared."""

    def __init__(self) -> None:
        self._tables: dict[K, list[pa.Table]] = {}
        self._sizes: dict[K, int] = {}
        self.total_bytes = 0

    def add(self, key: K, table: pa.Table, size_bytes: int) -> int:
        """Keep rows for a key; the bytes it holds now."""
        self._tables.setdefault(key, []).append(table)
        self._sizes[key] = self._sizes.get(key, 0) + size_bytes
        self.total_bytes += size_bytes
        return self._sizes[key]

    def take(self, key: K) -> tuple[pa.Table, int]:
        """A key's rows, in order, and their size."""
        size = self._sizes.pop(key)
        self.total_bytes -= size
        return pa.concat_tables(self._tables.pop(key)), size

    def take_all(self) -> Iterator[tuple[K, pa.Table, int]]:
        for key in list(self._tables):
            yield key, *self.take(key)

    def take_largest(self, keep_bytes: int) -> Iterator[tuple[K, pa.Table, int]]:
        """The largest keys first, until at most ``keep_bytes`` remain. What remains is copied out of the tables it shared with them.

        A slice keeps the whole table alive that it was cut from, so dropping some slices of it frees nothing until all are gone.
        """
        for key in sorted(self._sizes, key=self._sizes.__getitem__, reverse=True):
            if self.total_bytes <= keep_bytes:
                break
            yield key, *self.take(key)
        for key, tables in self._tables.items():
            self._tables[key] = [_copied(tables)]


def _copied(tables: list[pa.Table]) -> pa.Table:
    # combine_chunks leaves a single chunk as it is, shared memory included; a second, empty one makes it copy.
    return pa.concat_tables([*tables, tables[0].slice(0, 0)]).combine_chunks()
