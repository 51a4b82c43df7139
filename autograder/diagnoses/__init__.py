"""Diagnoses: pure functions from a case to named causes with a line."""

from __future__ import annotations

from autograder.diagnoses import arrival, contract, gradients, graphs
from autograder.diagnoses.ordering import ordered

TRAINER = (
    contract.lost, contract.failures, contract.returned, graphs.of_case, gradients.of_case,
    arrival.not_arrived, arrival.dishonest,
)
CONV = (*TRAINER, contract.correlation, contract.owners)

__all__ = ["CONV", "TRAINER", "ordered"]
