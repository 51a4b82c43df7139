"""Diagnoses: pure functions from a case to named causes with a line."""

from __future__ import annotations

from autograder.diagnoses import contract, gradients, graphs, numbers
from autograder.diagnoses.ordering import ordered

TRAINER = (
    contract.lost, contract.failures, contract.returned, graphs.of_case, gradients.of_case,
    numbers.not_arrived, numbers.dishonest,
)
CONV = (*TRAINER, contract.correlation, contract.owners)

__all__ = ["CONV", "TRAINER", "ordered"]
