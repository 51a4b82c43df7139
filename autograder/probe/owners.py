"""Which kinds of object have a `zero_grad()`: what the student says, and what torch says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from autograder.evidence import AskOwners, Owners, Problem

if TYPE_CHECKING:
    from autograder.probe.session import Session

KINDS: dict[str, type] = {
    "nn.Linear": nn.Linear,
    "nn.Conv2d": nn.Conv2d,
    "nn.Sequential": nn.Sequential,
    "a module of your own": nn.Module,
    "torch.optim.SGD": torch.optim.SGD,
    "torch.Tensor": torch.Tensor,
    "nn.Parameter": nn.Parameter,
}


def ask_owners(namespace: dict[str, Any], question: AskOwners, session: Session) -> Owners:
    """Read `zero_grad_owners`."""
    truth = {name: hasattr(kind, "zero_grad") for name, kind in KINDS.items()}
    said = namespace.get("zero_grad_owners")
    if said is None:
        return Owners(problems=[Problem(what="missing", wanted="zero_grad_owners")], truth=truth)
    if not isinstance(said, dict):
        got = type(said).__name__
        return Owners(problems=[Problem(what="not-a-dict", got=got, wanted="dict")], truth=truth)
    return Owners(
        said={str(k)[:100]: v if isinstance(v, bool) else None for k, v in list(said.items())[:50]},
        truth=truth,
    )
