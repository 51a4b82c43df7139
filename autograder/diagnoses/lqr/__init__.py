"""Diagnoses of lqr: errors and graphs first, then path, sensitivities, updates, rate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from autograder.diagnoses import contract
from autograder.diagnoses.lqr.paths import law, path, sensitivities
from autograder.diagnoses.lqr.running import failures, gradients, graphs, returned
from autograder.diagnoses.lqr.updating import rate, updates
from autograder.report import Diagnosis

LQR_DIAGNOSERS: tuple[Callable[[Any], Iterable[Diagnosis]], ...] = (
    contract.lost, failures, returned, graphs, gradients, law, path, sensitivities,
    updates, rate,
)
