"""Root causes first: what explains what, what to mend first, and which check a code explains."""

from __future__ import annotations

from collections.abc import Iterable

from autograder.report import Diagnosis

MOST = 3

APART = frozenset({"owners", "corr2d"})
"""Variants about something else than the training: never a consequence of it."""

CONSEQUENCES = frozenset({
    "step-size", "non-finite", "no-update", "frozen-parameter", "wrong-loss", "wrong-gradient",
    "biased-optimum", "bad-return", "crash",
})
"""Codes that may merely follow from another fault in the same program."""

EXPLAINS: dict[str, frozenset[str]] = {
    "graph-reuse": frozenset({"graph-growth", "graph-leak", "double-backward", "stale-step",
                              "gradients-not-cleared", "wrong-sensitivity",
                              "wrong-policy-gradient", "wrong-drift",
                              "noise-scale"}) | CONSEQUENCES,
    "graph-growth": frozenset({"graph-leak"}),
    "gradients-not-cleared": frozenset({"step-size", "non-finite", "wrong-gradient",
                                        "wrong-loss", "uphill-step", "biased-optimum",
                                        "wrong-sensitivity", "wrong-policy-gradient"}),
    "stale-step": frozenset({"step-size", "non-finite"}),
    "double-backward": frozenset({"step-size", "gradients-not-cleared"}),
    "hooks-pile-up": frozenset({"step-size", "wrong-gradient", "wrong-loss"}),
    "optimizer-recreated": frozenset({"step-size"}),
    "model-recreated": frozenset({"optimizer-recreated", "step-size", "no-update"}),
    "repeated-draw": frozenset({"noise-scale", "wrong-drift", "wrong-sensitivity", "step-size",
                                "non-finite"}),
    "noise-scale": frozenset({"step-size", "non-finite"}),
    "wrong-drift": frozenset({"noise-scale", "step-size", "non-finite"}),
    "stale-evaluation": frozenset({"wrong-sensitivity", "wrong-policy-gradient", "noise-scale",
                                   "wrong-drift", "step-size"}),
    "wrong-sensitivity": frozenset({"step-size", "non-finite"}),
    "wrong-policy-gradient": frozenset({"step-size", "non-finite"}),
    "broadcast": frozenset({"wrong-shape"}),
    "lost-parameter": frozenset({"no-update", "frozen-parameter", "noise-scale", "wrong-drift",
                                 "wrong-sensitivity", "wrong-policy-gradient", "step-size"}),
}

EXPLAINED_BY_VARIANT: dict[tuple[str, str], frozenset[str]] = {
    # Everything is held against the network of w, b and c.
    ("bad-return", "forward"): frozenset({"noise-scale", "wrong-drift", "wrong-sensitivity",
                                          "wrong-policy-gradient", "step-size"}),
}

MEND_FIRST = (
    "unreadable", "missing-name", "memory-limit", "killed", "timeout", "wrong-device",
    "wrong-dtype", "crash", "leaf-in-place", "graph-reuse", "graph-growth", "graph-leak",
)

GRAPH_CODES = frozenset({"graph-reuse", "graph-growth", "graph-leak"})
GRADIENT_CODES = frozenset({
    "gradients-not-cleared", "stale-step", "double-backward", "hooks-pile-up",
    "optimizer-recreated",
})
CHECK_CODES: dict[str, frozenset[str]] = {
    "own-graph": GRAPH_CODES,
    "fresh-gradients": GRADIENT_CODES,
    "zero-grad-owners": frozenset({"bad-return", "missing-name"}),
    "sensitivity": frozenset({"wrong-sensitivity", "wrong-drift", "noise-scale", "repeated-draw",
                              "stale-evaluation", "graph-reuse", "lost-parameter", "broadcast",
                              "wrong-shape"}),
    "update": frozenset({"wrong-policy-gradient", "uphill-step", "frozen-parameter", "no-update",
                         "lost-parameter", "graph-reuse", "step-size", "non-finite"}),
}


def ordered(found: Iterable[Diagnosis]) -> list[Diagnosis]:
    """At most three, one a code, roots only, in the order in which to mend them."""
    firsts: dict[tuple[str, str], Diagnosis] = {}
    for diagnosis in found:
        apart = diagnosis.variant if diagnosis.variant in APART else ""
        firsts.setdefault((diagnosis.code, apart), diagnosis)
    explained = {c for d in firsts.values() if d.rooted for c in _explained(d)}
    roots = [d for d in firsts.values() if d.code not in explained or d.variant in APART]
    rank = {code: i for i, code in enumerate(MEND_FIRST)}
    return sorted(roots, key=lambda d: rank.get(d.code, len(rank)))[:MOST]


def _explained(diagnosis: Diagnosis) -> frozenset[str]:
    nothing: frozenset[str] = frozenset()
    return (EXPLAINS.get(diagnosis.code, nothing)
            | EXPLAINED_BY_VARIANT.get((diagnosis.code, diagnosis.variant), nothing))


def because(check: str, diagnoses: list[Diagnosis]) -> list[str]:
    """The codes that explain why a check failed; all of them where none is its own."""
    codes = [d.code for d in diagnoses]
    own = [c for c in codes if c in CHECK_CODES.get(check, ())]
    return own or codes
