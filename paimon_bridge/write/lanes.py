"""Threads that encode while the caller reads and routes: pyarrow lets go of the interpreter while it writes Parquet.

A lane is one thread with its jobs in order. A caller that is too far ahead waits, so what is held in memory stays bounded; a job's
failure is raised in the caller, at the next call.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor


def lane_of(partition: bytes, bucket: int, count: int) -> int:
    """The lane that has a bucket, always the same one; neighbouring buckets have different ones."""
    return (zlib.crc32(partition) + bucket) % count


class Lanes:
    """``count`` lanes that may hold ``limit_bytes`` of waiting and running jobs together; one job is always let in."""

    def __init__(self, count: int, limit_bytes: int) -> None:
        self._threads = [ThreadPoolExecutor(1, thread_name_prefix=f"paimon-bridge-encoder-{index}") for index in range(count)]
        self._limit_bytes = limit_bytes
        self._pending: deque[tuple[Future[None], int]] = deque()
        self._pending_bytes = 0

    def __len__(self) -> int:
        return len(self._threads)

    def submit(self, lane: int, size_bytes: int, action: Callable[[], None]) -> None:
        """Run ``action`` after the lane's earlier ones. Waits for room first; raises what an earlier action raised."""
        while self._pending and self._pending_bytes + size_bytes > self._limit_bytes:
            self._wait_for_oldest()
        self._pending.append((self._threads[lane].submit(action), size_bytes))
        self._pending_bytes += size_bytes

    def drain(self) -> None:
        """Wait for every action; raises what the first failing one raised."""
        while self._pending:
            self._wait_for_oldest()

    def stop(self) -> None:
        """Drop what has not started, wait for what has, end the threads. Failures are not raised any more."""
        for thread in self._threads:
            thread.shutdown(wait=True, cancel_futures=True)
        self._pending.clear()

    def _wait_for_oldest(self) -> None:
        future, size_bytes = self._pending.popleft()
        self._pending_bytes -= size_bytes
        future.result()
