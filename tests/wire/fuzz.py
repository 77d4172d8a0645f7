"""Damage good messages at random: decoding must refuse them with a CodecError, or give a value that encodes to the very same bytes.

    python -m tests.wire.fuzz [--mutations 1000000] [--seed 1]

Also measured: the longest decode, and on a sample what it allocates at its peak, which must stay below 1 MB + 16 x input.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import struct
import sys
import time
import tracemalloc
from dataclasses import dataclass, field

from paimon_bridge.errors import CodecError
from paimon_bridge.wire import MESSAGE_VERSIONS, encode
from tests.strategies import MessageSource
from tests.wire.vectors import Vector, committed_vectors, further_vectors

# Numbers at which lengths, counts and offsets go wrong.
BOUNDARIES = (0, 1, 2, 7, 8, 9, 16, 255, 256, 0x7FFF, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF)

SLOWEST_SECONDS = 0.1
MEMORY_EVERY = 200


@dataclass
class Outcome:
    """What became of the mutations, and the worst of each kind."""

    refused: int = 0
    kept: int = 0
    unchanged: int = 0
    slowest_seconds: float = 0.0
    most_memory_share: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.refused:,} refused, {self.kept:,} kept to the byte, {self.unchanged:,} mutations changed nothing, "
            f"{len(self.wrong)} wrong; slowest decode {self.slowest_seconds * 1000:.1f} ms, "
            f"most memory {self.most_memory_share:.0%} of what is allowed"
        )


def mutate(data: bytes, dice: random.Random) -> bytes:
    """One to three damages: bits, bytes, numbers of either byte order, bytes removed, doubled or moved."""
    damaged = bytearray(data)
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        if not damaged:
            break
        at = dice.randrange(len(damaged))
        kind = dice.randrange(8)
        if kind == 0:
            damaged[at] ^= 1 << dice.randrange(8)
        elif kind == 1:
            damaged[at] = dice.randrange(256)
        elif kind in (2, 3):
            number = struct.pack(dice.choice("<>") + "I", dice.choice(BOUNDARIES))
            at -= at % 4 if kind == 2 else 0
            damaged[at : at + 4] = number[: len(damaged) - at]
        elif kind == 4:
            del damaged[at : at + dice.choice((1, 4, 8, 64))]
        elif kind == 5:
            size = dice.choice((1, 4, 8, 64))
            damaged[at:at] = damaged[at : at + size]
        elif kind == 6:
            other = dice.randrange(len(damaged))
            damaged[at : at + 8] = damaged[other : other + 8]
        else:
            del damaged[at:]
    return bytes(damaged)


def attempt(vector: Vector, data: bytes, outcome: Outcome, measure_memory: bool = False) -> None:
    """Decode damaged bytes and note what happened."""
    if measure_memory:
        tracemalloc.start()
    start = time.perf_counter()
    try:
        value = vector.decode(data)
    except CodecError:
        value = None
    except BaseException as error:
        outcome.wrong.append(f"{vector.path.name}: {error!r} for {data.hex()}")
        value = None
    seconds = time.perf_counter() - start
    if measure_memory:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        outcome.most_memory_share = max(outcome.most_memory_share, peak / ((1 << 20) + 16 * len(data)))
    else:
        outcome.slowest_seconds = max(outcome.slowest_seconds, min(seconds, _again(vector, data, seconds)))
    if value is None:
        outcome.refused += 1
    elif vector.encode(value) == data:
        outcome.kept += 1
    else:
        outcome.wrong.append(f"{vector.path.name}: decoded, but does not encode to {data.hex()}")


def _again(vector: Vector, data: bytes, seconds: float) -> float:
    """The best of three further tries of a slow input. Input that hangs a decoder hangs it every time; a busy machine does not."""
    if seconds < SLOWEST_SECONDS / 10:
        return seconds
    tries = []
    for _ in range(3):
        start = time.perf_counter()
        with contextlib.suppress(CodecError):
            vector.decode(data)
        tries.append(time.perf_counter() - start)
    return min(tries)


def truncations(vectors: list[Vector], outcome: Outcome) -> None:
    """Every prefix of every vector must be refused."""
    _prepare(vectors)
    for vector in vectors:
        data = vector.data
        for size in range(len(data)):
            attempt(vector, data[:size], outcome)


def _prepare(vectors: list[Vector]) -> None:
    """Decode everything once: reading twins and compiling layouts is no part of what is measured."""
    for vector in vectors:
        vector.decode(vector.data)


def mutations(vectors: list[Vector], count: int, seed: int, outcome: Outcome, progress: bool = False) -> None:
    _prepare(vectors)
    dice = random.Random(seed)
    loaded = [(vector, vector.data) for vector in vectors]
    for index in range(count):
        vector, data = loaded[index % len(loaded)]
        damaged = mutate(data, dice)
        if damaged == data:
            outcome.unchanged += 1
            continue
        attempt(vector, damaged, outcome, measure_memory=index % MEMORY_EVERY == 0)
        if progress and index % 50_000 == 0:
            print(f"{index:,}: {outcome}", file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Generated(Vector):
    """A generated message in the place of a vector, so that versions without one are damaged too."""

    held: bytes = b""

    @property
    def data(self) -> bytes:
        return self.held


def corpus() -> list[Vector]:
    """All vectors there are, and a few generated messages of every version."""
    found: list[Vector] = [*committed_vectors(), *further_vectors()]
    for version in MESSAGE_VERSIONS:
        source = MessageSource(seed=version)
        for index in range(3):
            path = found[0].path.with_name(f"generated-{index}.v{version}.single.bin")
            found.append(Generated(path, "single", version, encode(source.message(version), version)))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutations", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    vectors = corpus()
    prefixes, outcome = Outcome(), Outcome()
    truncations(vectors, prefixes)
    print(f"{len(vectors)} vectors, every truncation: {prefixes}", flush=True)
    mutations(vectors, arguments.mutations, arguments.seed, outcome, progress=True)
    print(f"{arguments.mutations:,} mutations: {outcome}")
    for wrong in (prefixes.wrong + outcome.wrong)[:10]:
        print(wrong)
    too_slow = max(prefixes.slowest_seconds, outcome.slowest_seconds) > SLOWEST_SECONDS
    return 1 if prefixes.wrong or prefixes.kept or outcome.wrong or too_slow or outcome.most_memory_share > 1 else 0


if __name__ == "__main__":
    sys.exit(main())
