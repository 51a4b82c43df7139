"""Line charts as inline SVG: no script, told apart by dashes and marks as well as by colour."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

WIDTH, HEIGHT = 420, 260
LEFT, RIGHT, TOP, BOTTOM = 58, 20, 14, 44
Points = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Series:
    """A line; `kind` is a CSS class: it sets dashes and colour, `mark` the shape at its points."""

    label: str
    points: Points
    kind: str = "one"
    mark: str = ""


@dataclass(frozen=True)
class Band:
    """A region: (x, low, high)."""

    label: str
    points: Sequence[tuple[float, float, float]]


@dataclass(frozen=True)
class Axes:
    """What stands at the axes; `log` and `counts` (from 0, whole numbers) are about y."""

    x: str
    y: str
    log: bool = False
    counts: bool = False


def plot(key: str, title: str, desc: str, axes: Axes, series: Sequence[Series],
         band: Band | None = None) -> Markup:
    """A chart. `key` must be unique on the page: ids are made from it."""
    series = [Series(s.label, _drawable(s.points, axes.log), s.kind, s.mark) for s in series]
    xs = [x for s in series for x, _ in s.points]
    ys = [y for s in series for _, y in s.points]
    if band is not None:
        xs += [x for x, _, _ in band.points]
        ys += [y for _, low, high in band.points for y in (low, high) if y > 0 or not axes.log]
    across = _scale(min(xs), max(xs), LEFT, WIDTH - RIGHT)
    low, high = _bounds(ys, axes)
    up = _scale(low, high, HEIGHT - BOTTOM, TOP)

    def place(y: float) -> float:
        return up(math.log10(y) if axes.log else y)

    parts = [_grid(low, high, axes, up), _ticks(min(xs), max(xs), across)]
    if band is not None:
        upper = [f"{across(x):.1f},{place(h):.1f}" for x, _, h in band.points]
        lower = [f"{across(x):.1f},{place(v):.1f}" for x, v, _ in reversed(band.points)]
        parts.append(Markup('<polygon class="band" points="{}"/>').format(" ".join(upper + lower)))
    for one in series:
        spots = [(across(x), place(y)) for x, y in one.points]
        parts.append(_line(one, spots))
    parts.append(_axis_words(axes))
    return _svg(key, title, desc, parts, "plot")


def legend(series: Sequence[Series], band: Band | None = None) -> Markup:
    """The chart's key, in words beside samples of the lines."""
    items = []
    for one in series:
        sample = _line(one, [(2.0, 7.0), (17.0, 7.0), (32.0, 7.0)])
        items.append(Markup('<li><svg class="sample" viewBox="0 0 34 14" aria-hidden="true">{}'
                            "</svg> {}</li>").format(sample, one.label))
    if band is not None:
        items.append(Markup(
            '<li><svg class="sample" viewBox="0 0 34 14" aria-hidden="true">'
            '<rect class="band" x="1" y="1" width="32" height="12"/></svg> {}</li>'
        ).format(band.label))
    return Markup('<ul class="legend">{}</ul>').format(Markup("").join(items))


def _line(one: Series, spots: Sequence[tuple[float, float]]) -> Markup:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
    line = Markup('<polyline class="line {}" points="{}"/>').format(one.kind, path)
    if not one.mark:
        return line
    return line + Markup("").join(_mark(one, x, y) for x, y in spots)


def _mark(one: Series, x: float, y: float) -> Markup:
    if one.mark == "square":
        return Markup('<rect class="mark {}" x="{:.1f}" y="{:.1f}" width="6" height="6"/>').format(
            one.kind, x - 3, y - 3)
    return Markup('<circle class="mark {}" cx="{:.1f}" cy="{:.1f}" r="3"/>').format(one.kind, x, y)


def _svg(key: str, title: str, desc: str, parts: Sequence[Markup], kind: str,
         size: tuple[float, float] = (WIDTH, HEIGHT)) -> Markup:
    return Markup(
        '<svg class="{}" viewBox="0 0 {:.0f} {:.0f}" role="img" aria-labelledby="{}-t {}-d">'
        '<title id="{}-t">{}</title><desc id="{}-d">{}</desc>{}</svg>'
    ).format(kind, *size, key, key, key, title, key, desc, Markup("").join(parts))


def _grid(low: float, high: float, axes: Axes, up: Callable[[float], float]) -> Markup:
    rows = []
    for value, label in _log_steps(low, high) if axes.log else _even_steps(low, high, axes):
        y = up(value)
        rows.append(Markup(
            '<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>'
            '<text class="tick" x="{}" y="{:.1f}" text-anchor="end">{}</text>'
        ).format(LEFT, WIDTH - RIGHT, y, y, LEFT - 5, y + 4, label))
    return Markup("").join(rows)


def _ticks(low: float, high: float, across: Callable[[float], float]) -> Markup:
    return Markup("").join(
        Markup('<text class="tick" x="{:.1f}" y="{}" text-anchor="middle">{}</text>').format(
            across(value), HEIGHT - BOTTOM + 17, f"{value:g}")
        for value in _steps(low, high, 4))


def _axis_words(axes: Axes) -> Markup:
    return Markup(
        '<text class="axis" x="{}" y="{}" text-anchor="middle">{}</text>'
        '<text class="axis" transform="translate(13 {}) rotate(-90)" text-anchor="middle">{}</text>'
    ).format((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, escape(axes.x),
             (TOP + HEIGHT - BOTTOM) / 2, escape(axes.y))


def _drawable(points: Points, log: bool) -> Points:
    return [(x, y) for x, y in points if math.isfinite(x) and math.isfinite(y)
            and (y > 0 or not log)]


def _bounds(ys: Sequence[float], axes: Axes) -> tuple[float, float]:
    if axes.log:
        low, high = math.log10(min(ys)), math.log10(max(ys))
        if high - low < 1.5:
            return low - 0.1, high + 0.1
        return math.floor(low + 1e-9), math.ceil(high - 1e-9)
    low, high = min(ys), max(ys)
    if axes.counts:
        return 0.0, max(high * 1.1, 1.0)
    room = (high - low) * 0.05 or max(abs(high), 1) * 0.1
    return low - room, high + room


def _scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    width = (high - low) or 1.0
    return lambda value: start + (value - low) / width * (end - start)


def _steps(low: float, high: float, count: int) -> list[float]:
    """Round numbers between low and high, about `count` of them."""
    width = (high - low) or 1.0
    size = float(10 ** math.floor(math.log10(width / count)))
    step = next(size * k for k in (1, 2, 5, 10) if width / (size * k) <= count)
    first = math.ceil(low / step - 1e-9)
    return [round(k * step, 10) for k in range(first, math.floor(high / step + 1e-9) + 1)]


def _even_steps(low: float, high: float, axes: Axes) -> list[tuple[float, str]]:
    values = _steps(low, high, 5)
    return [(v, f"{v:g}") for v in values if not axes.counts or v == round(v)]


def _log_steps(low: float, high: float) -> list[tuple[float, str]]:
    """Powers of ten; where there are fewer than two decades, 2 and 5 times them too."""
    decades = range(math.floor(low), math.ceil(high) + 1)
    if high - low < 2:
        values = [k * 10.0 ** d for d in decades for k in (1, 2, 5)]
        return [(math.log10(v), f"{v:g}") for v in values if low <= math.log10(v) <= high]
    every = max(1, math.ceil((high - low) / 6))
    return [(float(d), f"10{_superscript(d)}") for d in decades
            if low <= d <= high and (d - math.floor(high)) % every == 0]


def _superscript(number: int) -> str:
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
