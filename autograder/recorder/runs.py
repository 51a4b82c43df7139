"""What is told of graph nodes: which ran once too often, which live too long."""

from __future__ import annotations

import gc
from typing import Any

from autograder.recorder.graph import Ledger, Token, by_line
from autograder.recorder.leaves import Leaves


def judged(ran: list[Token], ledger: Ledger, leaves: Leaves) -> dict[str, Any]:
    """Of the nodes that a pass executed: which are re-runs, which are out of date."""
    rerun, outdated = [], []
    index, clock, epoch = ledger.passes, ledger.clock, ledger.epoch
    changed_at: dict[frozenset[int], int] = {}
    for token in ran:
        if (changed := changed_at.get(token.leaves)) is None:
            changed = max((leaves[i].changed_clock for i in token.leaves), default=-1)
            changed_at[token.leaves] = changed
        if token.last_pass >= 0:
            if token.last_epoch != epoch:
                token.epochs += 1
                # Once more across an update is harmless while nothing below it changed (one
                # graph, two optimisers); twice more is a graph that is never rebuilt.
                if changed > token.last_clock or token.epochs >= 2:
                    rerun.append(token)
        elif changed > token.born_clock:
            outdated.append(token)
        token.last_pass, token.last_epoch, token.last_clock = index, epoch, clock
    return {"executed": len(ran), "rerun": by_line(rerun), "outdated": by_line(outdated)}


class Kept:
    """Nodes of past steps that are alive, where there were most of them, by line."""

    def __init__(self, ledger: Ledger) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.roots: list[dict[str, Any]] = []
        """Of those, the ones that nothing alive was computed from."""
        self._ledger = ledger
        self._most = 0
        self._counted = 0

    def look(self) -> None:
        """Look now. Nodes held by nothing but reference cycles are not kept."""
        past = self._ledger.past_alive()
        if past:
            gc.collect()
            past = self._ledger.past_alive()
        if past and len(past) >= self._most:
            self._most = len(past)
            self.nodes, self.roots = by_line(past), by_line(t for t in past if t.children == 0)

    def count(self) -> int:
        """How many nodes are alive now, those in reference cycles aside."""
        if self._ledger.live > self._counted:
            gc.collect()
        self._counted = self._ledger.live
        return self._counted
