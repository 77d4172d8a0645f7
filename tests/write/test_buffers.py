from __future__ import annotations

import pyarrow as pa

from paimon_bridge.write.buffers import Buffers


def test_rows_come_back_in_order_with_their_size() -> None:
    buffers: Buffers[str] = Buffers()
    buffers.add("a", pa.table({"c": [1]}), 10)
    assert buffers.add("a", pa.table({"c": [2]}), 5) == 15
    buffers.add("b", pa.table({"c": [3]}), 7)
    table, size = buffers.take("a")
    assert (table.column("c").to_pylist(), size, buffers.total_bytes) == ([1, 2], 15, 7)
    assert [(key, size) for key, _, size in buffers.take_all()] == [("b", 7)]
    assert buffers.total_bytes == 0


def test_the_largest_go_first_until_little_enough_remains() -> None:
    buffers: Buffers[int] = Buffers()
    for key, size in enumerate((5, 50, 20, 1)):
        buffers.add(key, pa.table({"c": [key]}), size)
    assert [key for key, _, _ in buffers.take_largest(10)] == [1, 2]
    assert buffers.total_bytes == 6
    assert sorted(key for key, _, _ in buffers.take_all()) == [0, 3]


def test_what_remains_lets_go_of_the_memory_it_shared() -> None:
    shared = pa.table({"c": pa.array(range(1_000_000), pa.int64())})
    buffers: Buffers[int] = Buffers()
    buffers.add(0, shared.slice(0, 10), 80)
    buffers.add(1, shared.slice(10), 8_000_000)
    before = pa.total_allocated_bytes()
    for _, table, _ in buffers.take_largest(1000):
        del table
    del shared
    assert before - pa.total_allocated_bytes() > 7_000_000
    ((_, kept, _),) = buffers.take_all()
    assert kept.column("c").to_pylist() == list(range(10))
