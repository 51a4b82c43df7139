"""Diagnoses of what is not there, cannot be read, or is not what was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from autograder import blame
from autograder.checks import facts
from autograder.diagnoses.errors import translate
from autograder.evidence import CorrCase, Exchange, Owners, Problem, Spot, Training
from autograder.exercises.base import Case
from autograder.exercises.trainer import TrainerCase
from autograder.report import Diagnosis
from autograder.statements import statements


def lost(case: Case) -> Iterator[Diagnosis]:
    """The process ended, or time ran out."""
    evidence = case.evidence
    exchange: Exchange | None = next((e for e in evidence.exchanges if e.lost), None)
    why = evidence.lost or (exchange.lost if exchange else None)
    if why:
        during = exchange.label if exchange else "load"
        yield Diagnosis(why, None, {"during": during}, {"during": during},
                        variant="load" if during == "load" else "")


def missing(case: Case, names: tuple[str, ...]) -> Iterator[Diagnosis]:
    """A name that the assignment asks for is not defined; perhaps because a cell failed."""
    loaded = case.evidence.loaded
    if loaded is None:
        return
    absent = [name for name in names if name not in loaded.names]
    if not absent:
        return
    error = loaded.errors[0] if loaded.errors else None
    if error is not None and error.frames:
        told = translate(error, None, case.submission)
        if told.code != "crash":
            yield told
            return
    spot = error.frames[-1] if error is not None and error.frames else None
    data = {"names": ", ".join(absent)}
    if error is not None:
        data |= {"error": error.kind, "said": error.message[:200]}
    yield Diagnosis("missing-name", spot, data, {"missing": absent},
                    variant="after-error" if error is not None else "")


def failures(case: TrainerCase) -> Iterator[Diagnosis]:
    """What `train` or `make_data` raised, clean data first."""
    told = set()
    for label, training in facts.trainings(case):
        if training.failure is None:
            continue
        found = translate(training.failure, training.recording, case.submission)
        if found.code not in told:
            told.add(found.code)
            yield replace(found, rooted=label != "own" or found.code != "graph-reuse")
        if label == "clean":
            return


def returned(case: TrainerCase) -> Iterator[Diagnosis]:
    """Something else than asked came back."""
    for _, training in facts.trainings(case):
        if training.failure is not None:
            continue
        for problem in training.problems:
            if problem.what != "missing":
                yield _bad_return(case, problem, _function(training))
                return
        if training.stage == "done" and not case.fits(training):
            yield _wrong_sizes(case, training)
            return
    own = case.own
    if own is not None and own.X and own.Y and facts.wrong_data_shapes(case):
        got = f"X {tuple(own.X.shape)}, Y {tuple(own.Y.shape)}"
        wanted = f"X {case.shapes[0]}, Y {case.shapes[1]}"
        yield _bad_return(case, Problem(what="data-shapes", got=got, wanted=wanted), "make_data")
    elif facts.wrong_labels(case):
        yield _bad_return(case, Problem(what="data-labels", wanted=case.rule), "make_data")
    if not facts.begins_anew(case):
        found = _bad_return(case, Problem(what="not-anew"), "train")
        yield replace(found, spot=blame.not_anew(case.submission) or found.spot)


def _wrong_sizes(case: TrainerCase, training: Training) -> Diagnosis:
    if len(training.losses) != training.steps:
        problem = Problem(what="losses-count", got=str(len(training.losses)),
                          wanted=str(training.steps))
        return _bad_return(case, problem, "train")
    shape = training.weight.shape if training.weight else []
    problem = Problem(what="weight-shape", got=str(tuple(shape)), wanted=str(case.weight_size))
    return Diagnosis("wrong-shape", last_return(case, "train"),
                     {"got": problem.got, "wanted": problem.wanted}, {}, variant="weight")


def correlation(case: TrainerCase) -> Iterator[Diagnosis]:
    """corr2d does not correlate."""
    answer = case.evidence.answer("correlate")
    if case.correlation is None or not isinstance(answer, CorrCase) or facts.corr2d_fine(case):
        return
    if answer.failure is not None:
        yield translate(answer.failure, None, case.submission)
    elif any(p.what == "missing" for p in answer.problems):
        return
    else:
        flipped = answer.Y is not None and _is_flipped(case, answer)
        got = str(tuple(answer.Y.shape)) if answer.Y else answer.problems[0].got
        yield Diagnosis(
            "flipped-kernel" if flipped else "bad-return", last_return(case, "corr2d"),
            {"function": "corr2d", "got": got, "wanted": str(case.correlation.shape)},
            {}, variant="corr2d" if got != str(case.correlation.shape) else "corr2d-values")


def _is_flipped(case: TrainerCase, answer: CorrCase) -> bool:
    import numpy as np

    question = next(e.question for e in case.evidence.exchanges if e.label == "correlate")
    X = np.array(question.X.values).reshape(question.X.shape)  # type: ignore[union-attr]
    K = np.array(question.K.values).reshape(question.K.shape)  # type: ignore[union-attr]
    windows = np.lib.stride_tricks.sliding_window_view(X, K.shape)
    turned = np.einsum("ijkl,kl->ij", windows, K[::-1, ::-1])
    return (answer.Y is not None and tuple(answer.Y.shape) == turned.shape
            and bool(np.allclose(answer.Y.values, turned.flatten(), rtol=1e-3, atol=1e-4)))


def owners(case: TrainerCase) -> Iterator[Diagnosis]:
    """zero_grad_owners disagrees with torch."""
    right, wanted = facts.owners(case)
    answer = case.evidence.answer("owners")
    if right == wanted or not isinstance(answer, Owners):
        return
    if any(p.what == "missing" for p in answer.problems):
        return
    spot = next((Spot(cell=cell, line=s.lineno) for cell, s in statements(case.submission)
                 if "zero_grad_owners" in _names(s)), None)
    empty = [k for k in answer.truth if answer.said.get(k) is None]
    yield Diagnosis("bad-return", spot, {"right": right, "wanted": wanted, "open": len(empty)},
                    {"right": right, "asked": wanted, "unanswered": empty}, variant="owners")


def _names(statement: object) -> set[str]:
    import ast

    targets = getattr(statement, "targets", [getattr(statement, "target", None)])
    return {t.id for t in targets if isinstance(t, ast.Name)}


def _bad_return(case: TrainerCase, problem: Problem, function: str) -> Diagnosis:
    return Diagnosis(
        "bad-return", last_return(case, function),
        {"function": function, "got": problem.got, "wanted": problem.wanted},
        {"got": problem.got, "wanted": problem.wanted}, variant=problem.what)


def _function(training: Training) -> str:
    return "make_data" if training.stage == "make_data" else "train"


def last_return(case: Case, function: str) -> Spot | None:
    """The last return of a function, or its def."""
    import ast

    for cell, statement in statements(case.submission):
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)) and statement.name == function:
            returns = [n.lineno for n in ast.walk(statement) if isinstance(n, ast.Return)]
            return Spot(cell=cell, line=max(returns, default=statement.lineno))
    return None
