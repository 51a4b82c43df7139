"""lqr: a controller learned forwards in time, its sensitivities carried along the path."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from autograder import graphs
from autograder.checks import lqr as checks
from autograder.checks import path_facts as facts
from autograder.diagnoses.lqr import LQR_DIAGNOSERS
from autograder.evidence import Answer, Evidence, Path, Recording, Walk
from autograder.exercises.base import Exercise, Interview
from autograder.exercises.control import Vector, Walked, cost, gain, network_of
from autograder.settings import LqrSettings
from autograder.submission import Submission

WILD = 1e3
"""Beyond this size float32 differences of a path say nothing any more."""
CANDIDATES = 40
"""Seeds tried for initial controllers; 77 % of default initialisations are good enough."""


def interview(settings: LqrSettings, seed: int) -> Interview:
    """Recorded steps, frozen paths, updating paths, then up to three paths to convergence."""
    rng = np.random.default_rng([seed, 4])
    seeds = [int(s) for s in rng.integers(1, 2**31 - 2, CANDIDATES)]
    small, large = settings.hidden
    base = Walk(hidden=small, delta=settings.delta, seed=seeds[0], fallback_C=settings.update_rate)
    recorded = base.model_copy(update={"record": True, "C": settings.update_rate})
    first = yield "recorded", recorded.model_copy(update={"steps": settings.recorded_steps})
    if not isinstance(first, Path) or not first.states:
        return
    yield "short", recorded.model_copy(update={"steps": settings.short_steps})
    executed = [p.executed for p in first.recording.passes] if first.recording else []
    if _slows(executed):
        return
    good: list[int] = []
    costs: dict[int, float] = {}
    for number, candidate in enumerate(seeds):
        start = yield f"start-{number}", base.model_copy(
            update={"hidden": large, "seed": candidate})
        if isinstance(start, Path) and start.states:
            costs[candidate] = cost(network_of(start.states[0]))
            if settings.initial_cost[0] < costs[candidate] < settings.initial_cost[1]:
                good.append(candidate)
        if len(good) >= settings.paths or not isinstance(start, Path) or start.failure:
            break
    if not good:
        good = seeds[:1]
    # Where control costs most, every term of its gradient counts.
    strongest = max(good, key=lambda s: costs.get(s, 0.0))
    big = base.model_copy(update={"hidden": large, "seed": good[0]})
    still = big.model_copy(
        update={"C": 0.0, "steps": settings.frozen_steps, "seed": strongest})
    frozen = yield "frozen", still
    coarse = yield "coarse", still.model_copy(
        update={"delta": settings.coarse_delta, "steps": settings.coarse_steps})
    updates = []
    for number, hidden in enumerate(settings.hidden):
        updates.append((yield f"update-{number}", base.model_copy(update={
            "C": settings.update_rate, "steps": settings.update_steps, "hidden": hidden,
            "seed": strongest})))
    if first.failure:
        return
    steps = settings.training_steps
    if not _derives(frozen, coarse, updates, settings):
        # Convergence will not be judged: one path, long enough for the cost.
        steps, good = steps // 3, good[:1]
    for number, candidate in enumerate(good):
        answer = yield f"path-{number}", big.model_copy(update={
            "seed": candidate, "steps": steps, "every": max(steps // 40, 1)})
        if not isinstance(answer, Path) or answer.failure:
            return
        if answer.states and gain(network_of(answer.states[-1])) >= settings.fraction:
            break
    if isinstance(answer, Path) and graphs.swells(answer.live) and not _leaks(first):
        yield "recorded-long", big.model_copy(update={
            "seed": candidate, "record": True, "steps": graphs.affordable(
                settings.long_recorded_steps, steps, answer.seconds, answer.live)})


def _leaks(recorded: Path) -> bool:
    """Whether the short recording shows it already."""
    recording = recorded.recording
    return (recording is None or graphs.grows(recording) or graphs.piles_up(recording)
            or graphs.rises(recorded.live))


def _derives(frozen: Answer | None, coarse: Answer | None, updates: list[Answer | None],
             settings: LqrSettings) -> bool:
    """Whether path, sensitivities and updates are right."""
    path = finite(walked(frozen, settings.delta))
    tame = [p for u in updates if (p := _tame(walked(u, settings.delta))) is not None]
    return (facts.path_right(path, finite(walked(coarse, settings.coarse_delta)), settings)
            and facts.sensitivity_right(path, settings)
            and len(tame) == len(updates) and facts.update_right(tame, settings))


def walked(answer: Answer | None, delta: float) -> Walked | None:
    """A walk with every state, as arrays; None if it is not there or too short."""
    if not isinstance(answer, Path) or len(answer.states) < 3:
        return None
    return Walked(
        X=np.array([s.X for s in answer.states]),
        theta=np.array([s.w + s.b + s.c for s in answer.states]),
        tilde=np.array([s.tilde_w + s.tilde_b + s.tilde_c for s in answer.states]),
        delta=delta,
    )


def finite(path: Walked | None) -> Walked | None:
    """The path, where it stays finite."""
    return path if path is not None and np.isfinite(path.X).all() else None


def _tame(path: Walked | None) -> Walked | None:
    """The states up to where it runs away; None where fewer than five are left."""
    if path is None:
        return None
    size = np.abs(np.column_stack([path.X, path.theta, path.tilde])).max(axis=1)
    wild = ~(size < WILD)  # true for nan too
    steps = int(np.argmax(wild)) if wild.any() else len(size)
    return path.first(steps) if steps >= 5 else None


def _slows(executed: list[int]) -> bool:
    """Whether each step's backward pass is longer than the last: thousands would never end."""
    half = executed[len(executed) // 2:]
    return len(half) >= 4 and half[-1] > 1.5 * half[0]


@dataclass(frozen=True)
class LqrCase:
    """One submission's paths beside the truth."""

    submission: Submission
    evidence: Evidence
    settings: LqrSettings

    def path(self, label: str) -> Path | None:
        """The answer of that label."""
        answer = self.evidence.answer(label)
        return answer if isinstance(answer, Path) else None

    @property
    def recorded(self) -> Path | None:
        """The recorded walk."""
        return self.path("recorded")

    @property
    def recording(self) -> Recording:
        """Its recording, perhaps empty."""
        recorded = self.recorded
        return recorded.recording if recorded and recorded.recording else Recording()

    @property
    def asked(self) -> Iterable[tuple[str, Path]]:
        """All walks that came back, in the order they were asked for."""
        return [(e.label, e.answer) for e in self.evidence.exchanges if isinstance(e.answer, Path)]

    @cached_property
    def trained(self) -> list[Path]:
        """The walks to convergence."""
        return [p for label, p in self.asked if label.startswith("path-")]

    @cached_property
    def controlled(self) -> list[Path]:
        """The walks that learn: those whose updates are judged, and those to convergence."""
        return [p for label, p in self.asked if label.startswith("update-")] + self.trained

    @cached_property
    def ran(self) -> bool:
        """Whether every walk asked for came to its end."""
        walks = [p for _, p in self.asked]
        return (bool(walks) and all(p.failure is None and p.states for p in walks)
                and not any(e.lost for e in self.evidence.exchanges))

    @cached_property
    def as_asked(self) -> bool:
        """Whether it also returned what was asked for."""
        return self.ran and not any(p.problems for _, p in self.asked)

    @cached_property
    def frozen(self) -> Walked | None:
        """The path at rate 0; None without one, or where it is not finite."""
        return finite(walked(self.path("frozen"), self.settings.delta))

    @cached_property
    def coarse(self) -> Walked | None:
        """On the same draws at rate 0, in longer steps; None without one, or not finite."""
        return finite(walked(self.path("coarse"), self.settings.coarse_delta))

    @cached_property
    def updating(self) -> list[Walked]:
        """The paths whose updates are judged: each up to where it runs away."""
        answers = [path for label, path in self.asked if label.startswith("update-")]
        paths = [_tame(walked(path, self.settings.delta)) for path in answers]
        return [p for p in paths if p is not None] if None not in paths else []

    @cached_property
    def gains(self) -> list[float]:
        """The part of the possible gain that each trained path reached."""
        return [gain(network_of(p.states[-1])) for p in self.trained if p.states]

    @cached_property
    def costs(self) -> list[tuple[float, float]]:
        """(exact cost before, after) of each trained path."""
        return [(cost(network_of(p.states[0])), cost(network_of(p.states[-1])))
                for p in self.trained if p.states]

    def control_law(self, x: Vector) -> Vector | None:
        """The law learned on the best path, at x."""
        paths = [p for p in self.trained if p.states]
        if not paths:
            return None
        best = int(np.argmax(self.gains))
        return network_of(paths[best].states[-1])(x)


def examine(submission: Submission, evidence: Evidence, settings: LqrSettings,
            seed: int) -> LqrCase:
    """The answers beside the truth."""
    return LqrCase(submission, evidence, settings)


LQR = Exercise(
    name="lqr", asks_for=("OneD_NN_LQR",), interview=interview, examine=examine,
    checks={
        "runs": checks.runs, "loss-falls": checks.loss_falls, "converges": checks.converges,
        "own-graph": checks.own_graph, "sensitivity": checks.sensitivity, "update": checks.update,
    },
    diagnosers=LQR_DIAGNOSERS,
)
