"""What linear and conv share: the answers of `train` beside the truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from autograder.evidence import Evidence, Exchange, Recording, Training
from autograder.exercises.least_squares import LeastSquares, Vector
from autograder.exercises.trainer_interview import Secrets, parameters
from autograder.exercises.trajectory import Step, jumps, named, trajectory
from autograder.settings import TrainerSettings
from autograder.submission import Submission


@dataclass(frozen=True)
class TrainerCase:
    """One submission's training runs beside the truth."""

    name: str
    submission: Submission
    evidence: Evidence
    settings: TrainerSettings
    secrets: Secrets
    shapes: tuple[tuple[int, ...], tuple[int, ...]]
    """Of X and Y, as the contract asks of make_data."""
    weight_size: int
    labels: Callable[[Vector, Vector], Vector]
    """Of X and Y of these shapes: the labels that the contract asks of make_data, (n,)."""
    rule: str
    """The same in a formula."""
    correlation: Vector | None = None
    """conv: the right answer to the `correlate` question."""

    def _training(self, label: str) -> Training | None:
        answer = self.evidence.answer(label)
        return answer if isinstance(answer, Training) else None

    @property
    def own(self) -> Training | None:
        """The recorded run on the student's own data."""
        return self._training("own")

    @property
    def clean(self) -> Training | None:
        """The recorded run on data that carries no graph."""
        return self._training("clean")

    @property
    def short(self) -> Training | None:
        """The same with fewer steps."""
        return self._training("short")

    @property
    def long(self) -> Training | None:
        """The bare run to convergence."""
        return self._training("long")

    @property
    def recorded_long(self) -> Training | None:
        """The long run under the recorder, asked for where more and more nodes were alive in it."""
        return self._training("recorded-long")

    @property
    def longer(self) -> Training | None:
        """Four times as long, asked for where `long` did not arrive."""
        return self._training("longer")

    @property
    def lost(self) -> Exchange | None:
        """The question during which the process was lost."""
        return next((e for e in self.evidence.exchanges if e.lost), None)

    @property
    def recorded(self) -> list[tuple[Training, Recording]]:
        """The recorded runs."""
        return [(t, t.recording) for t in (self.own, self.clean) if t and t.recording]

    @cached_property
    def ran(self) -> bool:
        """Whether training on clean data ran through and returned a layer that can be judged."""
        return all(
            t is not None and t.failure is None and t.weight is not None
            and len(t.weight.values) == self.weight_size
            for t in (self.clean, self.short, self.long)
        )

    @cached_property
    def as_asked(self) -> bool:
        """Whether it also returned everything that was asked for."""
        trainings = (self.clean, self.short, self.long)
        return self.ran and all(t is not None and self.fits(t) for t in trainings)

    def fits(self, training: Training) -> bool:
        """Whether layer and losses are as asked for."""
        return (not training.problems and training.weight is not None
                and len(training.weight.values) == self.weight_size
                and len(training.losses) == training.steps)

    @cached_property
    def theta(self) -> Vector | None:
        """The parameters after the long run, (p,)."""
        theta = parameters(self.long)
        return theta if theta is not None and len(theta) == self.weight_size + 1 else None

    @property
    def truth(self) -> LeastSquares:
        """The truth of the long run's data."""
        return self.secrets.long.truth

    @property
    def finite(self) -> bool:
        """Whether the long run ended in finite parameters."""
        return self.theta is not None and bool(np.isfinite(self.theta).all())

    @cached_property
    def falls(self) -> bool:
        """Whether the loss fell, recomputed on the long run's data."""
        if self.theta is None or not self.finite:
            return False
        return self.truth.remaining(self.theta) <= self.settings.falls

    @cached_property
    def arrived(self) -> bool:
        """Whether the parameters are where they must be."""
        if self.theta is None or not self.finite:
            return False
        return (self.truth.excess(self.theta) <= self.settings.excess
                and self.truth.distance(self.theta) <= self.settings.distance
                and not self.stuck and not self.written_in)

    @cached_property
    def stuck(self) -> bool:
        """Whether a bias that is not 0 stands still while the weight moves: right by luck, if so.

        What has arrived before the short run ended moves no more: then nothing can be told.
        """
        bias = self.clean.bias if self.clean else None
        if not bias or not any(bias.values) or self.changed("bias"):
            return False
        one, two = parameters(self.short), parameters(self.clean)
        if one is None or two is None:
            return False
        # Rounding alone may stir the weight of what has arrived.
        return bool(np.linalg.norm(two - one) > 1e-3 * np.linalg.norm(two))

    @cached_property
    def written_in(self) -> bool:
        """Whether the last update alone, in a short run and a longer one, leads from far off to
        the very optimum: one pass a step does not do that, in the last step whichever it is."""
        runs = ((self.clean, self.trajectory), (self.short, self.short_trajectory))
        return all(run and run.recording and len(run.recording.passes) == len(steps)
                   and jumps(self.secrets.recorded.truth, steps) for run, steps in runs)

    @cached_property
    def moved(self) -> bool:
        """Whether training changes the parameters: seen by the recorder, or by more steps."""
        return any(self.changed(name) for name in ("weight", "bias"))

    def changed(self, name: str) -> bool:
        """The same for weight or bias alone; False for one that is not there."""
        recording = self.clean.recording if self.clean else None
        for leaf in recording.leaves if recording else ():
            if leaf.name == name and leaf.first and leaf.last \
                    and leaf.first.values != leaf.last.values:
                return True
        one, two = getattr(self.short, name, None), getattr(self.clean, name, None)
        return bool(one and two and one.values != two.values)

    @cached_property
    def recorded_truth(self) -> LeastSquares:
        """The truth of the recorded runs' data; without a bias, none of its gradient either."""
        truth = self.secrets.recorded.truth
        if self.clean is None or self.clean.bias is not None:
            return truth
        A = truth.A.copy()
        A[:, -1] = 0
        return LeastSquares(A, truth.y)

    @cached_property
    def own_leaves(self) -> dict[int, str]:
        """Leaf id → weight or bias, in the clean run."""
        recording = self.clean.recording if self.clean else None
        return named(recording) if recording else {}

    @cached_property
    def trajectory(self) -> tuple[Step, ...]:
        """The layer's updates in the clean run, where the recorder saw them."""
        recording = self.clean.recording if self.clean else None
        return trajectory(recording, self.weight_size) if recording else ()

    @cached_property
    def short_trajectory(self) -> tuple[Step, ...]:
        """The same in the short run."""
        recording = self.short.recording if self.short else None
        return trajectory(recording, self.weight_size) if recording else ()
