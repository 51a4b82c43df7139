"""Seeds for everything that a student's program may draw from."""

from __future__ import annotations

import random
import sys

import torch


def seed_all(seed: int) -> None:
    """Seed every generator that a student's program may draw from."""
    random.seed(seed)
    if torch.accelerator.is_available():
        torch.manual_seed(seed)
    else:  # the same, without a formatted stack for each kind of device that is not there
        torch.default_generator.manual_seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed % 2**32)
