"""Answers for the LQR trainer: build the student's agent and walk it."""

from __future__ import annotations

import inspect
import time
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import torch

from autograder.evidence import POINTS, Path, PathStep, Problem, Walk
from autograder.probe.sampling import LOOKS, alive
from autograder.probe.seeding import seed_all
from autograder.recorder import Recorder

if TYPE_CHECKING:
    from autograder.probe.session import Session

CLASS = "OneD_NN_LQR"
NAMES = ("X", "w", "b", "c", "Xtilde_w", "Xtilde_b", "Xtilde_c")
LONG = 500
"""Steps of a walk in which to look for what is kept now and then."""


def walk(namespace: dict[str, Any], question: Walk, session: Session) -> Path:
    """Build an agent from the question's seed and take its steps."""
    kind = namespace.get(CLASS)
    if not callable(kind):
        return Path(stage="init", problems=[Problem(what="missing", wanted=CLASS)])
    facts: dict[str, Any] = {"stage": "init", "states": [], "live": [], "steps": 0}
    recorder = Recorder(session.here) if question.record else None
    long = question.steps > LONG
    seed_all(question.seed)
    started = time.perf_counter()
    try:
        with recorder or nullcontext():
            agent = kind(question.hidden, **_options(kind, question, facts))
            facts["stage"] = "step"
            _note(agent, question, facts)
            for step in range(1, question.steps + 1):
                if _unreadable(facts):
                    break
                returned = agent.step(question.delta)
                facts["steps"] = step
                if step == 1:
                    _check_returned(returned, agent, facts)
                del returned
                if recorder is not None:
                    facts["live"].append(recorder.count_live())
                elif long and step % (question.steps // LOOKS) == 0:
                    facts["live"].append(alive())
                if step % question.every == 0 or step == question.steps:
                    _note(agent, question, facts)
            else:
                facts["stage"] = "done"
                with torch._C.DisableTorchFunction(), torch.no_grad():
                    facts["forward"] = [
                        float(torch.as_tensor(agent.forward(torch.tensor([x])))) for x in POINTS
                    ]
            if recorder is not None:
                for name in NAMES[1:4]:
                    recorder.name(getattr(agent, name, None), name)
    except BaseException as error:
        facts["failure"] = session.failure(error)
    facts["seconds"] = time.perf_counter() - started
    if recorder is not None:
        facts["recording"] = recorder.recording()
    return Path(**facts, warnings=list(session.warnings))


def _unreadable(facts: dict[str, Any]) -> bool:
    """Whether the state cannot be read; what `step` returns is a lesser problem."""
    return any(p.what != "step-returned" for p in facts.get("problems", ()))


def _options(kind: Any, question: Walk, facts: dict[str, Any]) -> dict[str, Any]:
    """Keyword arguments for the constructor: the rate asked for, and what has no default."""
    parameters = inspect.signature(kind).parameters
    options: dict[str, Any] = {}
    rate = parameters.get("learning_rate_param_C")
    if question.C is not None:
        options["learning_rate_param_C"] = question.C
        facts["C"] = question.C
    elif rate is not None and isinstance(rate.default, (int, float)):
        facts["C"] = float(rate.default)
    else:
        options["learning_rate_param_C"] = facts["C"] = question.fallback_C
    batch = parameters.get("batch_size")
    if batch is not None and batch.default is inspect.Parameter.empty:
        options["batch_size"] = 1
    return options


def _note(agent: Any, question: Walk, facts: dict[str, Any]) -> None:
    """Read the agent's state; what cannot be read is a problem of the contract."""
    with torch._C.DisableTorchFunction():  # the recorder is not to see us look
        _read(agent, question, facts)


def _read(agent: Any, question: Walk, facts: dict[str, Any]) -> None:
    sizes = {"X": 1} | dict.fromkeys(NAMES[1:], question.hidden)
    values: dict[str, list[float]] = {}
    for name in NAMES:
        if not hasattr(agent, name):
            facts.setdefault("problems", []).append(Problem(what="no-attribute", wanted=name))
            continue
        numbers = _flat(getattr(agent, name))
        if numbers is None or len(numbers) != sizes[name]:
            got = _shape(getattr(agent, name))
            facts.setdefault("problems", []).append(
                Problem(what="wrong-size", got=f"{name}: {got}", wanted=str(sizes[name])))
            continue
        values[name] = numbers
    if len(values) == len(NAMES):
        facts["states"].append(PathStep(
            X=values["X"][0], w=values["w"], b=values["b"], c=values["c"],
            tilde_w=values["Xtilde_w"], tilde_b=values["Xtilde_b"], tilde_c=values["Xtilde_c"],
        ))


def _check_returned(returned: Any, agent: Any, facts: dict[str, Any]) -> None:
    """step returns (w, c, b): three, and in this order."""
    got = type(returned).__name__
    if isinstance(returned, (tuple, list)) and len(returned) == 3:
        values = {name: _flat(getattr(agent, name, None)) for name in ("w", "c", "b")}
        order = [
            next((n for n in (wanted, *values) if values[n] == _flat(each)), "?")
            for wanted, each in zip(values, returned)
        ]
        if order == list(values) or "?" in order:
            return  # copies from before the update cannot be told apart, and are no fault
        got = f"({', '.join(order)})"
    facts.setdefault("problems", []).append(
        Problem(what="step-returned", got=got, wanted="(w, c, b)"))


def _flat(value: Any) -> list[float] | None:
    try:
        if isinstance(value, torch.Tensor):
            numbers: list[float] = value.detach().to("cpu", torch.float64).flatten().tolist()
            return numbers
        if hasattr(value, "tolist"):
            value = value.tolist()
        if isinstance(value, (int, float)):
            return [float(value)]
        return [float(v) for row in value for v in (row if isinstance(row, list) else [row])]
    except (TypeError, ValueError, RuntimeError):
        return None


def _shape(value: Any) -> str:
    return str(tuple(value.shape)) if hasattr(value, "shape") else type(value).__name__
