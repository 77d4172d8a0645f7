from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from paimon_bridge.write.lanes import Lanes


def test_actions_of_a_lane_run_in_order_beside_the_caller() -> None:
    lanes = Lanes(2, 1000)
    done: list[tuple[int, int]] = []
    threads: set[str] = set()

    def note(lane: int, index: int) -> Callable[[], None]:
        def action() -> None:
            threads.add(threading.current_thread().name)
            done.append((lane, index))

        return action

    for index in range(20):
        lanes.submit(index % 2, 1, note(index % 2, index))
    lanes.drain()
    lanes.stop()
    assert [index for lane, index in done if lane == 0] == list(range(0, 20, 2))
    assert [index for lane, index in done if lane == 1] == list(range(1, 20, 2))
    assert threading.current_thread().name not in threads


def test_a_caller_that_is_too_far_ahead_waits() -> None:
    lanes = Lanes(1, 100)
    gate = threading.Event()
    running = threading.Event()

    def first() -> None:
        running.set()
        assert gate.wait(10)

    lanes.submit(0, 80, first)
    assert running.wait(10)
    admitted = threading.Event()

    def ahead() -> None:
        lanes.submit(0, 80, lambda: None)
        admitted.set()

    caller = threading.Thread(target=ahead)
    caller.start()
    assert not admitted.wait(0.05)
    gate.set()
    assert admitted.wait(10)
    caller.join()
    lanes.drain()
    lanes.stop()


def test_one_action_is_always_let_in_however_large() -> None:
    lanes = Lanes(1, 10)
    ran = threading.Event()
    lanes.submit(0, 10**9, ran.set)
    lanes.drain()
    lanes.stop()
    assert ran.is_set()


def test_a_failure_reaches_the_caller() -> None:
    lanes = Lanes(1, 100)

    def fail() -> None:
        raise OSError("disk on fire")

    lanes.submit(0, 1, fail)
    with pytest.raises(OSError, match="disk on fire"):
        lanes.drain()
    lanes.stop()


def test_stopping_drops_what_has_not_begun() -> None:
    lanes = Lanes(1, 100)
    gate, running = threading.Event(), threading.Event()
    late = threading.Event()

    def first() -> None:
        running.set()
        assert gate.wait(10)

    lanes.submit(0, 1, first)
    lanes.submit(0, 1, late.set)
    assert running.wait(10)
    threading.Timer(0.05, gate.set).start()
    lanes.stop()
    assert not late.is_set()
