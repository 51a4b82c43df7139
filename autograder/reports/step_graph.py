"""A drawing of one step's graph: new operations in round boxes, re-run ones in six-sided ones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from autograder.evidence import Node, Spot
from autograder.messages import Messages

MOST = 24
BOX, GAP, ROW, MARGIN = 112, 16, 70, 14
TALL = 40


@dataclass(frozen=True)
class Box:
    """One operation, or the operations of one line."""

    operators: tuple[str, ...]
    spot: Spot | None
    fresh: bool
    inputs: tuple[int, ...]


def boxes(nodes: Sequence[Node]) -> dict[int, Box]:
    """Box number → box, the first one the loss: one a node, or one a line where there are many."""
    key = {n.id: n.id for n in nodes}
    if len(nodes) > MOST:
        lines: dict[tuple[object, bool], int] = {}
        key = {n.id: lines.setdefault((_line(n.spot), n.fresh), n.id) for n in nodes}
    found: dict[int, Box] = {}
    for node in nodes:
        number = key[node.id]
        known = found.get(number)
        inputs = dict.fromkeys(known.inputs if known else ())
        inputs.update(dict.fromkeys(key[i] for i in node.inputs if i in key and key[i] != number))
        operators = (*(known.operators if known else ()), short(node.operator))
        found[number] = Box(operators, node.spot, node.fresh, tuple(inputs))
    return dict(list(found.items())[:MOST])


def rows(found: Mapping[int, Box]) -> list[list[int]]:
    """Box numbers, the loss first, each as far down as the longest way from it."""
    depth = dict.fromkeys(found, 0)
    for _ in range(len(found)):
        moved = False
        for number, box in found.items():
            for i in box.inputs:
                if i in depth and depth[i] <= depth[number] < len(found):
                    depth[i], moved = depth[number] + 1, True
        if not moved:
            break
    levels = sorted(set(depth.values()))
    return [[n for n in found if depth[n] == level] for level in levels]


def draw(key: str, title: str, desc: str, nodes: Sequence[Node], messages: Messages) -> Markup:
    """The drawing."""
    found = boxes(nodes)
    levels = rows(found)
    width = max(len(level) for level in levels) * (BOX + GAP) - GAP + 2 * MARGIN
    height = len(levels) * ROW - (ROW - TALL) + 2 * MARGIN
    at: dict[int, tuple[float, float]] = {}
    for down, level in enumerate(levels):
        left = (width - len(level) * (BOX + GAP) + GAP) / 2
        for along, number in enumerate(level):
            at[number] = left + along * (BOX + GAP) + BOX / 2, MARGIN + down * ROW + TALL / 2
    parts = [Markup(
        '<defs><marker id="{}-a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" class="head"/></marker></defs>'
    ).format(key)]
    for number, box in found.items():
        parts += [_edge(key, at[number], at[i]) for i in box.inputs if i in at]
    parts += [_box(box, *at[number], messages) for number, box in found.items()]
    return Markup(
        '<svg class="graph" viewBox="0 0 {:.0f} {:.0f}" style="width:{:.0f}px" role="img" '
        'aria-labelledby="{}-t {}-d"><title id="{}-t">{}</title><desc id="{}-d">{}</desc>{}</svg>'
    ).format(width, height, width, key, key, key, title, key, desc, Markup("").join(parts))


def _edge(key: str, start: tuple[float, float], end: tuple[float, float]) -> Markup:
    below = TALL / 2 if end[1] > start[1] else -TALL / 2
    return Markup(
        '<path class="edge" d="M{:.1f} {:.1f} C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}" '
        'marker-end="url(#{}-a)"/>'
    ).format(start[0], start[1] + below, start[0], start[1] + below * 1.8,
             end[0], end[1] - below * 2.2, end[0], end[1] - below - 1, key)


def _box(box: Box, x: float, y: float, messages: Messages) -> Markup:
    half, tall = BOX / 2, TALL / 2
    if box.fresh:
        shape = Markup(
            '<rect class="fresh" x="{:.1f}" y="{:.1f}" width="{}" height="{}" rx="12"/>'
        ).format(x - half, y - tall, BOX, TALL)
    else:
        corners = [(x - half + 9, y - tall), (x + half - 9, y - tall), (x + half, y),
                   (x + half - 9, y + tall), (x - half + 9, y + tall), (x - half, y)]
        shape = Markup('<polygon class="old" points="{}"/>').format(
            " ".join(f"{a:.1f},{b:.1f}" for a, b in corners))
    name = box.operators[0]
    if len(box.operators) > 1:
        name = messages.label("operations", count=len(box.operators))
    age = messages.label("new" if box.fresh else "old")
    return shape + Markup(
        '<text class="op" x="{:.1f}" y="{:.1f}" text-anchor="middle">{}</text>'
        '<text class="at" x="{:.1f}" y="{:.1f}" text-anchor="middle">{} · {}</text>'
    ).format(x, y - 3, name[:16], x, y + 12, age, address(box.spot, messages))


def short(operator: str) -> str:
    """`Mm` for `MmBackward0`."""
    return re.sub(r"Backward\d*$", "", operator) or operator


def address(spot: Spot | None, messages: Messages) -> str:
    """`3:6` for a cell and a line, the line alone in a script, – where it is not known."""
    if spot is None:
        return "–"
    if spot.cell is None:
        return messages.label("at-line", line=spot.line)
    return f"{spot.cell}:{spot.line}"


def _line(spot: Spot | None) -> tuple[int | None, int] | None:
    return None if spot is None else (spot.cell, spot.line)
