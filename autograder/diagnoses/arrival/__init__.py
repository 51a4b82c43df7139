"""Why the parameters did not arrive: causes tried in order; the first that fits is it.

Every test compares numbers with a hypothesis in closed form: the gradient that was used with the
gradients of right and wrong losses, the place of arrival with the optima of other objectives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from autograder.checks import facts
from autograder.diagnoses.arrival.losses import scaled_gradient, uphill, wrong_gradient, wrong_loss
from autograder.diagnoses.arrival.moved import (
    frozen,
    hard_coded,
    model_recreated,
    not_moved,
    self_target,
)
from autograder.diagnoses.arrival.pairing import (
    broadcast,
    flipped,
    misaligned,
    repeated_draw,
    unpaired,
)
from autograder.diagnoses.arrival.places import biased, not_finite, step_size
from autograder.evidence import Recording
from autograder.exercises.trainer import TrainerCase
from autograder.report import Diagnosis
from autograder.statements import calls

CAUSES: tuple[Callable[[TrainerCase, Recording], Diagnosis | None], ...] = (
    hard_coded, self_target, not_moved, model_recreated, frozen, repeated_draw, broadcast, uphill,
    flipped, wrong_loss, misaligned, unpaired, biased, scaled_gradient, wrong_gradient, not_finite,
    step_size,
)


def not_arrived(case: TrainerCase) -> Iterator[Diagnosis]:
    """The first cause that fits, where the run was bare of errors and did not arrive."""
    if not case.ran or case.arrived:
        return
    recording = case.clean.recording if case.clean and case.clean.recording else Recording()
    for cause in CAUSES:
        found = cause(case, recording)
        if found is not None:
            yield found
            return


def dishonest(case: TrainerCase) -> Iterator[Diagnosis]:
    """The reported losses are not the run's."""
    if case.ran and facts.dishonest(case) and case.moved:
        spot = next(iter(calls(case.submission, "append")), None)
        yield Diagnosis("dishonest-loss", spot)
