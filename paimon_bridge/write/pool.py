"""The open writers of a process: one per bucket and lane, with a bound on the files that are open at once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import partial
from typing import Generic, TypeVar

from paimon_bridge.write.lanes import Lanes
from paimon_bridge.write.parquet import RollingWriter

K = TypeVar("K")


class WriterPool(Generic[K]):
    """Writers by key and lane. A writer is touched by its lane's thread only, or when all lanes are at rest."""

    def __init__(self, lanes: Lanes, open_limit: int) -> None:
        self._lanes = lanes
        self._open_limit = open_limit
        self._writers: dict[tuple[K, int], RollingWriter] = {}
        # Those that may have a file open, least recently used first.
        self._open: OrderedDict[tuple[K, int], None] = OrderedDict()

    def submit(
        self, key: K, lane: int, size_bytes: int, make: Callable[[], RollingWriter], action: Callable[[RollingWriter], None]
    ) -> None:
        """Run ``action`` with the writer of a key on its lane; ``make`` makes it if there is none yet."""
        writer = self._writers.get((key, lane))
        if writer is None:
            writer = self._writers[key, lane] = make()
        self._open[key, lane] = None
        self._open.move_to_end((key, lane))
        while len(self._open) > self._open_limit:
            oldest, _ = self._open.popitem(last=False)
            self._lanes.submit(oldest[1], 0, self._writers[oldest].roll)
        self._lanes.submit(lane, size_bytes, partial(action, writer))

    def finish(self) -> Iterator[tuple[K, RollingWriter]]:
        """Close all files; every writer with its key, in the order of their making."""
        for place in list(self._open):
            self._lanes.submit(place[1], 0, self._writers[place].roll)
        self._open.clear()
        self._lanes.drain()
        for (key, _), writer in self._writers.items():
            yield key, writer

    def release(self) -> None:
        for writer in self._writers.values():
            writer.release()

    def abort(self) -> list[str]:
        """Stop, and delete every file that was not released; what could not be deleted, with the reason."""
        self._lanes.stop()
        return [failure for writer in self._writers.values() for failure in writer.abort()]

    def close(self) -> None:
        self._lanes.stop()
