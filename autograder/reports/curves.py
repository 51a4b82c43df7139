"""What is drawn of a submission's training: numbers of the run beside what a right one may do.

Nothing here gives an expected value away: losses are shown relative to their first one, parameters
by their distance to the target alone. For lqr the best control law and its cost, which the course
tells, are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from autograder.evidence import Path, Training, Walk
from autograder.exercises.control import BEST, NO_CONTROL, cost, network_of
from autograder.exercises.least_squares import LeastSquares, Vector
from autograder.exercises.lqr import LqrCase
from autograder.exercises.trainer import TrainerCase
from autograder.messages import Messages
from autograder.reports.charts import Axes, Band, Series, legend, plot

FLOOR = 1e-12
"""Below this part of the first loss float32 says nothing."""
RATES = (0.3, 0.6, 1.0)
"""Learning rates of the reference band, in units of one over the largest curvature."""


@dataclass(frozen=True)
class Figure:
    """A drawing, the words below it, and its numbers as a table."""

    key: str
    title: str
    note: str
    svg: Markup
    legend: Markup
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def figures(case: object, messages: Messages) -> Iterator[Figure]:
    """All figures that the evidence is enough for."""
    if isinstance(case, TrainerCase):
        yield from _losses(case, messages)
        yield from _distances(case, messages)
    elif isinstance(case, LqrCase) and case.trained:
        yield from _law(case, messages)
        yield from _costs(case, messages)


# -- trainers ----------------------------------------------------------------------------------

def _losses(case: TrainerCase, messages: Messages) -> Iterator[Figure]:
    run = case.long or case.clean
    if run is None or len(run.losses) < 3 or not np.isfinite(run.losses[0]) or run.losses[0] <= 0:
        return
    relative = np.array(run.losses) / run.losses[0]
    steps = sampled(len(relative))
    low, high = reference(_truth_of(case, run), run.bias is not None or case.name == "linear",
                          steps)
    band = Band(messages.label("reference"), list(zip(steps + 1.0, low, high)))
    mine = Series(messages.label("yours"), [
        (s + 1.0, max(float(relative[s]), FLOOR)) for s in steps
        if np.isfinite(relative[s]) and relative[s] > 0])
    if len(mine.points) < 2:
        return
    title = messages.label("loss-title")
    desc = messages.label("loss-desc", steps=len(relative), last=f"{relative[-1]:.2g}")
    rows = [(str(s + 1), _shown(float(relative[s])), f"{low[i]:.2g} … {high[i]:.2g}")
            for i, s in enumerate(steps) if i in _few(len(steps))]
    yield Figure("loss", title, messages.label("loss-note"),
                 plot("loss", title, desc, Axes(messages.label("step"),
                                                messages.label("relative-loss"), log=True),
                      [mine], band), legend([mine], band),
                 (messages.label("step"), messages.label("yours"), messages.label("reference")),
                 tuple(rows))


def _truth_of(case: TrainerCase, run: Training) -> LeastSquares:
    return case.truth if run is case.long else case.secrets.recorded.truth


def reference(truth: LeastSquares, with_bias: bool, steps: Vector) -> tuple[Vector, Vector]:
    """Lowest and highest relative loss of gradient descent at `steps`, in closed form.

    theta_k - theta* = (1 - rate H)^k (theta_0 - theta*), over first parameters as layers draw
    them and over the rates RATES / lambda_max; H = 2 AᵀA.
    """
    A = truth.A if with_bias else truth.A[:, :-1]
    values, vectors = np.linalg.eigh(2 * A.T @ A)
    target = np.linalg.lstsq(A, truth.y, rcond=None)[0]
    least = float(np.sum((A @ target - truth.y) ** 2))
    rng = np.random.default_rng(0)
    curves = []
    for _ in range(12):
        start = rng.uniform(-1, 1, len(target)) / np.sqrt(len(target))
        parts = (vectors.T @ (start - target)) ** 2 * values / 2
        for rate in RATES:
            shrink = (1 - rate * values / values[-1]) ** 2
            excess = (parts * shrink ** steps[:, None]).sum(axis=1)
            curves.append((least + excess) / (least + parts.sum()))
    found = np.maximum(np.array(curves), FLOOR)
    return found.min(axis=0), found.max(axis=0)


def _distances(case: TrainerCase, messages: Messages) -> Iterator[Figure]:
    path = [s.theta for s in case.trajectory]
    path += [s.theta + s.delta for s in case.trajectory[-1:]]
    path = [theta for theta in path if np.isfinite(theta).all()]
    if len(path) < 3 or case.clean is None:
        return
    away = np.abs(np.array(path) - _target(case))
    weight = np.linalg.norm(away[:, :-1], axis=1)
    lines = [Series(messages.label("weight"), _ratios(weight), "one", "circle")]
    if case.clean.bias is not None:
        lines.append(Series(messages.label("bias"), _ratios(away[:, -1]), "two", "square"))
    lines = [line for line in lines if len(line.points) > 1]
    if not lines:
        return
    title = messages.label("distance-title")
    note = messages.label("distance-note")
    if case.theta is not None and case.finite and case.long is not None:
        note += " " + messages.label("distance-end", steps=case.long.steps,
                                     distance=f"{case.truth.distance(case.theta):.1g}")
    rows = [(str(i), *(_shown(line.points[i][1]) if i < len(line.points) else "–"
                       for line in lines)) for i in _few(len(path))]
    yield Figure("distance", title, note,
                 plot("distance", title, note, Axes(messages.label("updates"),
                                                    messages.label("distance-axis"), log=True),
                      lines), legend(lines),
                 (messages.label("updates"), *(line.label for line in lines)), tuple(rows))


def _target(case: TrainerCase) -> Vector:
    truth = case.recorded_truth
    if case.clean is not None and case.clean.bias is None:
        weights = np.linalg.lstsq(truth.A[:, :-1], truth.y, rcond=None)[0]
        return np.append(weights, 0.0)
    return truth.optimum


def _ratios(distance: Vector) -> list[tuple[float, float]]:
    if distance[0] <= 0:
        return []
    return [(float(i), max(float(d / distance[0]), 1e-9)) for i, d in enumerate(distance)]


# -- lqr ---------------------------------------------------------------------------------------

def _law(case: LqrCase, messages: Messages) -> Iterator[Figure]:
    x = np.linspace(-2.5, 2.5, 51)
    law = case.control_law(x)
    if law is None or not np.isfinite(law).all():
        return
    law = np.clip(law, -6, 6)
    lines = [Series(messages.label("learned-law"), list(zip(x, law))),
             Series(messages.label("best-law"), list(zip(x, -BEST * x)), "two")]
    title, note = messages.label("law-title"), messages.label("law-note")
    rows = [(f"{x[i]:g}", f"{law[i]:.2f}", f"{-BEST * x[i]:.2f}") for i in range(0, 51, 5)]
    yield Figure("law", title, note, plot("law", title, note, Axes("x", "f(x)"), lines),
                 legend(lines), ("x", lines[0].label, lines[1].label), tuple(rows))


def _costs(case: LqrCase, messages: Messages) -> Iterator[Figure]:
    lines, kinds = [], (("one", "circle"), ("three", "square"), ("four", ""))
    walks = [(e.question.every, e.answer) for e in case.evidence.exchanges
             if isinstance(e.question, Walk) and isinstance(e.answer, Path)
             and e.label.startswith("path-") and e.answer.states]
    for number, (every, path) in enumerate(walks[:3]):
        points = [(float(min(i * every, path.steps)), min(cost(network_of(s), 801), 1.5))
                  for i, s in enumerate(path.states)]
        lines.append(Series(messages.label("path-number", number=number + 1), points,
                            *kinds[number]))
    if not lines:
        return
    ends = [0.0, max(line.points[-1][0] for line in lines)]
    marks = [Series(messages.label("no-control"), [(x, NO_CONTROL) for x in ends], "five"),
             Series(messages.label("best-cost"), [(x, BEST) for x in ends], "two")]
    title, note = messages.label("cost-title"), messages.label("cost-note")
    longest = max(lines, key=lambda line: len(line.points)).points
    rows = [(f"{longest[i][0]:g}", *(f"{line.points[i][1]:.3f}" if i < len(line.points) else "–"
                                     for line in lines), f"{BEST:.3f}")
            for i in _few(len(longest))]
    yield Figure("cost", title, note,
                 plot("cost", title, note, Axes(messages.label("step"), messages.label("cost")),
                      [*lines, *marks]), legend([*lines, *marks]),
                 (messages.label("step"), *(line.label for line in lines), marks[1].label),
                 tuple(rows))


# -- numbers -----------------------------------------------------------------------------------

def sampled(count: int, most: int = 60) -> Vector:
    """At most `most` indices of `count`, denser at the start, both ends among them."""
    places = np.unique(np.round(np.geomspace(1, count, most)).astype(int)) - 1
    even = np.linspace(0, count - 1, most // 2).astype(int)
    return np.union1d(places, even)


def _few(count: int, most: int = 9) -> Sequence[int]:
    return sorted({round(i * (count - 1) / (most - 1)) for i in range(most)}) if count else []


def _shown(value: float) -> str:
    return f"{value:.2g}" if value > FLOOR or not np.isfinite(value) else f"< {FLOOR:g}"
