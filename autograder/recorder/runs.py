"""Which graph nodes a pass runs; of those, which ran once too often; which live too long."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from typing import Any

from autograder.recorder.graph import Ledger, Run, Token, by_line
from autograder.recorder.leaves import Leaves


def behind(roots: Iterable[Token]) -> list[Token]:
    """The roots and all they were computed from, breadth first: what the engine runs."""
    queue = list(dict.fromkeys(roots))
    seen = set(queue)
    for token in queue:
        for parent in token.parents:
            if parent not in seen:
                seen.add(parent)
                queue.append(parent)
    return queue


def leading_to(goals: set[Token], wanted: set[int], tokens: list[Token]) -> list[Token]:
    """Of the tokens, those that the engine runs for gradients of these nodes and leaves alone."""
    leads: set[Token] = set()
    for token in sorted(tokens, key=lambda t: t.id):  # what a node is computed from comes first
        if not wanted.isdisjoint(token.leaves) \
                or any(p in goals or p in leads for p in token.parents):
            leads.add(token)
    return [t for t in tokens if t in leads]


class Reruns:
    """Listens, while a pass runs, to nodes that ran before: if it fails, they tell how far it got.

    On healthy programs there is nothing to listen to.
    """

    def __init__(self, roots: Iterable[Any], tokens: list[Token], ledger: Ledger) -> None:
        self.ran: list[Token] = []
        self._hooks: list[Any] = []
        if all(token.last is None for token in tokens):
            return
        stack = list(roots)
        seen: set[Any] = set()
        while stack:
            node = stack.pop()
            if node is None or node in seen:
                continue
            seen.add(node)
            stack.extend(parent for parent, _ in node.next_functions)
            token = node.metadata.get(ledger)
            if isinstance(token, Token) and token.last is not None:
                self._hooks.append(node.register_prehook(
                    lambda grads, token=token: self.ran.append(token)))

    def close(self) -> None:
        """Listen no longer."""
        for hook in self._hooks:
            hook.remove()

    def before_failure(self, tokens: list[Token]) -> list[Token]:
        """Of the tokens, those that ran, should the pass have failed.

        The engine runs what was made last first; where nothing ran again, nobody knows.
        """
        last = min((t.id for t in self.ran), default=None)
        return [] if last is None else [t for t in tokens if t.id >= last]


def judged(ran: list[Token], ledger: Ledger, leaves: Leaves) -> dict[str, Any]:
    """Of the nodes that a pass executed: which are re-runs, which are out of date."""
    rerun, outdated = [], []
    fresh = Run(ledger.passes, ledger.clock, ledger.epoch, 0)
    changed_at: dict[frozenset[int], int] = {}
    for token in ran:
        changed = changed_at.get(token.leaves)
        if changed is None:
            changed = max((leaves[i].changed_clock for i in token.leaves), default=-1)
            changed_at[token.leaves] = changed
        last = token.last
        if last is None:
            token.last = fresh
            if changed > token.born.clock:
                outdated.append(token)
            continue
        epochs = last.epochs + (last.epoch != fresh.epoch)
        # Once more across an update is harmless while nothing below it changed (one graph, two
        # optimisers); twice more is a graph that is never rebuilt.
        if last.epoch != fresh.epoch and (changed > last.clock or epochs >= 2):
            rerun.append(token)
        token.last = fresh._replace(epochs=epochs)
    return {"executed": len(ran), "rerun": _by_line(rerun), "outdated": _by_line(outdated)}


def _by_line(tokens: list[Token]) -> list[dict[str, Any]]:
    """In the order in which the engine ran them: what was made last comes first."""
    return by_line(sorted(tokens, key=lambda t: -t.id)) if tokens else []


class Kept:
    """Nodes of past steps that are alive, where there were most of them, by line."""

    def __init__(self, ledger: Ledger) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.roots: list[dict[str, Any]] = []
        """Of those, the ones that nothing alive was computed from."""
        self._ledger = ledger
        self._most = 0
        self._past = 0
        self._counted = 0

    def look(self) -> None:
        """Look now. Nodes held by nothing but reference cycles are not kept."""
        past = self._ledger.past_alive()
        if len(past) > self._past:  # as many as before have shown that they are no garbage
            gc.collect()
            past = self._ledger.past_alive()
        self._past = len(past)
        if past and len(past) >= self._most:
            used = {parent for token in self._ledger.living() for parent in token.parents}
            self._most = len(past)
            self.nodes, self.roots = by_line(past), by_line(t for t in past if t not in used)

    def count(self) -> int:
        """How many nodes are alive now, those in reference cycles aside."""
        if self._ledger.live > self._counted:
            gc.collect()
        self._counted = self._ledger.live
        return self._counted
