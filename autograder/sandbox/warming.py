"""What is done once, before a fork, so that no child has to: it is shared by all, and free."""

from __future__ import annotations

import gc

from autograder.sandbox import kernel

WARM_UP = """
import torch
from torch import nn

def make_data(seed):
    return torch.rand(4, 2), torch.rand(4, 1)

def train(X, Y, steps=1, seed=0):
    torch.manual_seed(seed)
    layer = nn.Linear(2, 1)
    nn.MSELoss()(layer(X), Y).backward()
    nn.Conv2d(1, 1, 2)(torch.rand(1, 1, 4, 4)).sum().backward()
    print(layer.weight)
    return layer, [0.0]
"""
"""Touches what most submissions touch. It learns nothing."""


def warm_up() -> None:
    """Do what every submission does first; then stand still."""
    import IPython.core.inputtransformer2  # noqa: F401 - notebooks with magics need it
    import torch

    from autograder.evidence import Train
    from autograder.probe.session import Session
    from autograder.submission import Cell, Submission

    torch.set_num_threads(1)
    with Session(Submission("warm_up.py", (Cell(None, WARM_UP),), "")) as session:
        session.answer(Train(steps=1, record=True)).model_dump_json()
    _stand_still()


def warm_up_optimizers() -> None:
    """Do what the first optimiser of a process does: torch takes more than a second over it."""
    import torch

    parameter = torch.nn.Parameter(torch.zeros(1))
    for kind in (torch.optim.SGD, torch.optim.Adam):
        optimizer = kind([parameter])
        parameter.grad = torch.zeros(1)
        optimizer.step()
    _stand_still()


def _stand_still() -> None:
    import torch

    initialised = torch.cuda.is_initialized()  # type: ignore[no-untyped-call]
    assert not initialised, "CUDA must not be initialised before a fork"
    assert kernel.is_single_threaded(), "a fork copies one thread only, and there are others"
    gc.collect()
    gc.freeze()
