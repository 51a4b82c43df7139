"""Answers for the trainers: call the student's `make_data`, `train` and `corr2d`."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from autograder.evidence import Array, CorrCase, Correlate, Problem, Train, Training
from autograder.probe.sampling import Sampler
from autograder.probe.seeding import seed_all
from autograder.recorder import Recorder

if TYPE_CHECKING:
    from autograder.probe.session import Session


def train(namespace: dict[str, Any], question: Train, session: Session) -> Training:
    """Call `train`, on the student's own data where the question brings none."""
    facts: dict[str, Any] = {"problems": []}
    function = namespace.get("train")
    if not callable(function):
        return Training(stage="train", problems=[Problem(what="missing", wanted="train")])
    facts |= _defaults(function, question)
    # Not the seed that `train` is given: whether it heeds that is to be seen.
    seed_all(question.seed + facts["steps"])
    recorder = Recorder(session.here) if question.record else None
    sampler = Sampler(facts["steps"])
    started = time.perf_counter()
    result: Any = None
    facts["stage"] = "make_data"
    try:
        with recorder or sampler:
            X, Y = _data(namespace, question, facts, session.device())
            facts["stage"] = "train"
            keywords: dict[str, Any] = {"seed": question.seed}
            if question.steps is not None:
                keywords["steps"] = question.steps
            result = function(X, Y, **keywords)
        facts["stage"] = "done"
        _describe(result, facts, recorder)
    except _Unusable:
        pass
    except BaseException as error:
        facts["failure"] = session.failure(error)
    facts["seconds"] = time.perf_counter() - started
    facts["live"] = sampler.live
    if recorder is not None:
        facts["recording"] = recorder.recording()
    return Training(**facts, warnings=list(session.warnings))


def correlate(namespace: dict[str, Any], question: Correlate, session: Session) -> CorrCase:
    """Call `corr2d` on the question's image and kernel."""
    function = namespace.get("corr2d")
    if not callable(function):
        return CorrCase(problems=[Problem(what="missing", wanted="corr2d")])
    try:
        with torch.no_grad():
            Y = function(_tensor(question.X, session.device()),
                         _tensor(question.K, session.device()))
        if not isinstance(Y, torch.Tensor):
            return CorrCase(problems=[Problem(what="not-a-tensor", got=type(Y).__name__)])
        return CorrCase(Y=array(Y))
    except BaseException as error:
        return CorrCase(failure=session.failure(error))


class _Unusable(Exception):
    """What came back cannot be used; the problems say why."""


def _data(namespace: dict[str, Any], question: Train, facts: dict[str, Any],
          device: str) -> tuple[torch.Tensor, torch.Tensor]:
    if question.X is not None and question.Y is not None:
        return _tensor(question.X, device), _tensor(question.Y, device)
    make_data = namespace.get("make_data")
    if not callable(make_data):
        facts["problems"].append(Problem(what="missing", wanted="make_data"))
        raise _Unusable
    made = make_data(question.seed)
    if not (isinstance(made, (tuple, list)) and len(made) == 2
            and all(isinstance(t, torch.Tensor) for t in made)):
        facts["problems"].append(Problem(
            what="make-data-not-a-pair", got=_kind(made), wanted="(X, Y)"))
        raise _Unusable
    X, Y = made
    facts["X"], facts["Y"] = array(X), array(Y)
    facts["labels_attached"] = Y.grad_fn is not None
    return X, Y


def _describe(result: Any, facts: dict[str, Any], recorder: Recorder | None) -> None:
    """Read layer and losses off what `train` returned."""
    problems = facts["problems"]
    if not (isinstance(result, (tuple, list)) and len(result) == 2):
        problems.append(Problem(what="not-a-pair", got=_kind(result), wanted="(layer, losses)"))
        return
    layer, losses = result
    if not isinstance(layer, nn.Module) and isinstance(losses, nn.Module):
        problems.append(Problem(what="swapped", got="(losses, layer)", wanted="(layer, losses)"))
        return
    if not isinstance(layer, nn.Module):
        problems.append(Problem(what="not-a-module", got=_kind(layer), wanted="nn.Module"))
    else:
        _describe_layer(layer, facts, recorder)
    facts["losses"] = _numbers(losses, problems)


def _describe_layer(layer: nn.Module, facts: dict[str, Any], recorder: Recorder | None) -> None:
    linears = [m for m in layer.modules() if isinstance(m, nn.Linear)]
    inner = linears[0] if len(linears) == 1 else layer
    facts["layer"] = type(inner).__name__
    weight, bias = getattr(inner, "weight", None), getattr(inner, "bias", None)
    if not isinstance(weight, torch.Tensor):
        got = f"{type(layer).__name__} with {len(linears)} nn.Linear"
        facts["problems"].append(Problem(what="no-weight", got=got, wanted=".weight"))
        return
    if recorder is not None:
        recorder.name(weight, "weight")
        recorder.name(bias, "bias")
    facts["weight"] = array(weight)
    if isinstance(bias, torch.Tensor):
        facts["bias"] = array(bias)


def _numbers(losses: Any, problems: list[Problem]) -> list[float]:
    if isinstance(losses, torch.Tensor) or type(losses).__module__ == "numpy":
        losses = losses.tolist()
    if not isinstance(losses, (list, tuple)):
        problems.append(Problem(what="losses-not-a-list", got=_kind(losses), wanted="list"))
        return []
    numbers: list[float] = []
    for loss in losses[:100_000]:
        try:
            numbers.append(float(loss.detach() if isinstance(loss, torch.Tensor) else loss))
        except (TypeError, ValueError, RuntimeError):
            problems.append(Problem(what="loss-not-a-number", got=_kind(loss), wanted="float"))
            return []
    return numbers


def _defaults(function: Callable[..., Any], question: Train) -> dict[str, Any]:
    """The steps that will run, and the student's own rate, from the signature."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {"steps": question.steps or 0}
    steps = parameters["steps"].default if "steps" in parameters else None
    lr = parameters["lr"].default if "lr" in parameters else None
    own = steps if isinstance(steps, int) and not isinstance(steps, bool) else None
    return {
        "steps": (own or 0) if question.steps is None else question.steps, "own_steps": own,
        "lr": float(lr) if isinstance(lr, (int, float)) else None,
    }


def array(tensor: torch.Tensor) -> Array:
    """A tensor as plain numbers, cut off at 100,000."""
    flat = tensor.detach().to("cpu", torch.float64).flatten()[:100_000]
    return Array(shape=list(tensor.shape), values=flat.tolist(),
                 dtype=str(tensor.dtype).removeprefix("torch."))


def _tensor(data: Array, device: str) -> torch.Tensor:
    return torch.tensor(data.values, dtype=torch.float32, device=device).reshape(data.shape)


def _kind(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__} of {len(value)}"
    if isinstance(value, torch.Tensor):
        return f"tensor of shape {tuple(value.shape)}"
    return type(value).__name__
