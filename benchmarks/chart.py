"""Charts as SVG text: a line over two logarithmic axes, and bars beside a goal. Readable in light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from xml.sax.saxutils import escape

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 560, 260, 64, 44, 34
_INK, _LINE, _PEER, _GOAL = "#7a7a7a", "#2f6fde", "#b9b9b9", "#d9534f"


def line(title: str, x_label: str, y_label: str, xs: Sequence[float], ys: Sequence[float]) -> str:
    """One series; both axes logarithmic, so that a straight line at 45 degrees is linear growth."""
    x_scale, y_scale = _scale(xs, _LEFT, _WIDTH - 24), _scale(ys, _HEIGHT - _BOTTOM, _TOP + 12)
    places = [(x_scale(x), y_scale(y)) for x, y in zip(xs, ys, strict=True)]
    parts = [f'<polyline fill="none" stroke="{_LINE}" stroke-width="2" points="{" ".join(f"{x:.0f},{y:.0f}" for x, y in places)}"/>']
    for (x, y), size, value in zip(places, xs, ys, strict=True):
        parts.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="4" fill="{_LINE}"/>')
        parts.append(_text(x, y - 9, f"{value:.3g}", "middle"))
        parts.append(_text(x, _HEIGHT - _BOTTOM + 18, f"{size:,.0f}", "middle"))
    parts.append(_text(_WIDTH / 2, _HEIGHT - 8, x_label, "middle"))
    parts.append(_text(8, _TOP, y_label, "start"))
    return _svg(title, _HEIGHT, parts)


def bars(title: str, values: Mapping[str, float], goal: float | None, own: str) -> str:
    """Ratios, one bar each; the goal as a line across."""
    height = _TOP + 28 * len(values) + 16
    left, right = 190, _WIDTH - 60
    most = max([*values.values(), goal or 0]) or 1
    parts = []
    for place, (name, value) in enumerate(values.items()):
        y = _TOP + 28 * place
        width = max(1.0, (right - left) * value / most)
        colour = _LINE if name == own else _PEER
        parts.append(f'<rect x="{left}" y="{y + 4}" width="{width:.0f}" height="18" fill="{colour}"/>')
        parts.append(_text(left - 8, y + 18, name, "end"))
        parts.append(_text(left + width + 6, y + 18, f"{value:.2f} ×", "start"))
    if goal is not None:
        x = left + (right - left) * goal / most
        parts.append(f'<line x1="{x:.0f}" x2="{x:.0f}" y1="{_TOP}" y2="{height - 12}" stroke="{_GOAL}" stroke-dasharray="4 3"/>')
        parts.append(_text(x, height - 1, f"goal {goal:g}", "middle"))
    return _svg(title, height, parts)


def _scale(values: Sequence[float], start: float, end: float) -> Callable[[float], float]:
    low, high = math.log(min(values)), math.log(max(values))
    return lambda value: start + (end - start) * ((math.log(value) - low) / (high - low) if high > low else 0.5)


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{_INK}" font-size="12">{escape(text)}</text>'


def _svg(title: str, height: float, parts: Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:.0f}" font-family="sans-serif" role="img">'
    heading = f'<title>{escape(title)}</title><text x="8" y="18" fill="{_INK}" font-size="14" font-weight="bold">{escape(title)}</text>'
    return "\n".join([head, heading, *parts, "</svg>", ""])
