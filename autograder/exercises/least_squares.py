"""The truth of linear and conv in closed form: both fit a linear map by least squares.

Source: the normal equations; float64 throughout.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class LeastSquares:
    """Minimise |A theta - y|^2. A is (n, p), y (n,); theta's last entry is the bias."""

    A: Vector
    y: Vector

    @cached_property
    def optimum(self) -> Vector:
        """The minimiser, (p,)."""
        return np.asarray(np.linalg.lstsq(self.A, self.y, rcond=None)[0], dtype=np.float64)

    @cached_property
    def curvatures(self) -> Vector:
        """Eigenvalues of the Hessian 2 AᵀA of the summed loss, bias aside, ascending."""
        weights = self.A[:, :-1]
        return np.asarray(np.linalg.eigvalsh(2 * weights.T @ weights), dtype=np.float64)

    def loss(self, theta: Vector) -> float:
        """The summed squared error."""
        with np.errstate(over="ignore", invalid="ignore"):
            return float(np.sum((self.A @ theta - self.y) ** 2))

    def gradient(self, theta: Vector) -> Vector:
        """Of the summed squared error, (p,)."""
        gradient: Vector = 2 * self.A.T @ (self.A @ theta - self.y)
        return gradient

    def excess(self, theta: Vector) -> float:
        """How far the loss is above its least value, relative to the sum of squared labels."""
        return (self.loss(theta) - self.loss(self.optimum)) / float(np.sum(self.y**2))

    def distance(self, theta: Vector) -> float:
        """How far theta is from the optimum, relative."""
        return float(np.linalg.norm(theta - self.optimum) / np.linalg.norm(self.optimum))

    def remaining(self, theta: Vector) -> float:
        """What is left of the excess loss that theta = 0 has: 1 nothing learned, 0 all."""
        least = self.loss(self.optimum)
        return (self.loss(theta) - least) / (self.loss(np.zeros_like(theta)) - least)


def cosine(one: Vector, two: Vector) -> float:
    """Of the angle between two vectors; 0 where one of them vanishes or is not finite."""
    size = float(np.linalg.norm(one) * np.linalg.norm(two))
    if not np.isfinite(size) or size == 0:
        return 0.0
    return float(one @ two) / size
