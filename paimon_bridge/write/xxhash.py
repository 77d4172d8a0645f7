"""xxHash64 (seed 0) of whole columns of strings or bytes: those of one length at a time, a word of all of them per step."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paimon_bridge.write.keyhash import text_of

Words = npt.NDArray[np.uint64]

_P1, _P2, _P3, _P4, _P5 = (
    np.uint64(prime) for prime in (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
)
_STRIPE = 32


def xxhash64(column: pa.Array) -> npt.NDArray[np.int64]:
    """The hash of each value; there must be no nulls."""
    text = text_of(column)
    hashes = np.empty(len(column), dtype=np.uint64)
    order = np.argsort(text.lengths, kind="stable")
    lengths, firsts = np.unique(text.lengths[order], return_index=True)
    for length, rows in zip(lengths.tolist(), np.split(order, firsts[1:]), strict=True):
        hashes[rows] = _hashes(text.words, text.starts[rows], length)
    return hashes.view(np.int64)


def _hashes(words: Words, starts: npt.NDArray[np.int64], length: int) -> Words:
    """Of byte strings of one length; ``words`` can be read at any byte."""
    place = 0
    if length >= _STRIPE:
        with np.errstate(over="ignore"):
            seeds = (_P1 + _P2, _P2, np.uint64(0), -_P1)
        lanes = [np.full(len(starts), seed, dtype=np.uint64) for seed in seeds]
        while place + _STRIPE <= length:
            lanes = [_round(lane, words[starts + place + 8 * index]) for index, lane in enumerate(lanes)]
            place += _STRIPE
        state = _rotated(lanes[0], 1) + _rotated(lanes[1], 7) + _rotated(lanes[2], 12) + _rotated(lanes[3], 18)
        for lane in lanes:
            state = (state ^ _round(np.zeros_like(lane), lane)) * _P1 + _P4
    else:
        state = np.full(len(starts), _P5, dtype=np.uint64)
    state += np.uint64(length)
    while place + 8 <= length:
        state = _rotated(state ^ _round(np.zeros_like(state), words[starts + place]), 27) * _P1 + _P4
        place += 8
    if place + 4 <= length:
        state = _rotated(state ^ ((words[starts + place] & np.uint64(0xFFFFFFFF)) * _P1), 23) * _P2 + _P3
        place += 4
    for last in range(place, length):
        state = _rotated(state ^ ((words[starts + last] & np.uint64(0xFF)) * _P5), 11) * _P1
    state = (state ^ (state >> np.uint64(33))) * _P2
    state = (state ^ (state >> np.uint64(29))) * _P3
    mixed: Words = state ^ (state >> np.uint64(32))
    return mixed


def _round(lane: Words, word: Words) -> Words:
    rounded: Words = _rotated(lane + word * _P2, 31) * _P1
    return rounded


def _rotated(word: Words, count: int) -> Words:
    rotated: Words = (word << np.uint64(count)) | (word >> np.uint64(64 - count))
    return rotated
