"""The ledger of graph nodes: when each was born, at which line, who ran it, which still live.

A token is put into a node's `metadata`, so it lives exactly as long as the C++ node does. It never
holds the node. Which nodes a pass runs is known before: the engine runs all those behind its roots,
or, where it is given inputs, those of them that lead there.
"""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch

from autograder.recorder.calls import Calls, Here, plain_spot, plain_spots

ACCUMULATE = "torch::autograd::AccumulateGrad"
MAX_DRAWN = 300
NO_LEAVES: frozenset[int] = frozenset()


@dataclass(slots=True)
class Moment:
    """Where the watched program was, and when: after how many sightings, passes and updates."""

    calls: Calls
    clock: int
    passes: int
    epoch: int


class Run(NamedTuple):
    """The last pass that ran a node, and when."""

    passes: int
    clock: int
    epoch: int
    epochs: int
    """In how many epochs it was run again, so far."""


class Token:
    """One graph node's birth certificate."""

    __slots__ = ("__weakref__", "born", "id", "last", "leaves", "operator", "parents")

    def __init__(self, number: int, operator: str, parents: list[Token], leaves: frozenset[int],
                 born: Moment) -> None:
        self.id = number
        self.operator = operator
        self.parents = parents
        self.leaves = leaves
        self.born = born
        self.last: Run | None = None


def node_of(tensor: torch.Tensor) -> Any:
    """The node that made the tensor; None for a leaf.

    Nor has a view one that was made under no_grad and written to there: torch refuses to say.
    """
    try:
        return tensor.grad_fn
    except RuntimeError:
        return None


class Ledger:
    """All tokens of one recording, and its clocks."""

    def __init__(self, here: Here, meet_leaf: Callable[[Any], int | None]) -> None:
        self.clock = 0
        """Counts what was seen: within one tick, the watched program is at one place."""
        self.passes = 0
        self.epoch = 0
        """Counts updates."""
        self.born = 0
        self.peak = 0
        self._here = here
        self._meet_leaf = meet_leaf
        self._alive: dict[weakref.ref[Token], None] = {}
        self._moment = Moment((), -1, 0, 0)
        self._drawn: list[_Drawn] = []
        self._drawn_as = (0, 0)

    def moment(self) -> Moment:
        """The place and time that the watched program is at."""
        last = self._moment
        if last.clock != self.clock:
            self._moment = Moment(self._here(), self.clock, self.passes, self.epoch)
        elif last.passes != self.passes or last.epoch != self.epoch:
            self._moment = Moment(last.calls, self.clock, self.passes, self.epoch)
        return self._moment

    def here(self) -> Calls:
        """The watched program's lines now running, innermost first."""
        return self.moment().calls

    # -- birth and death -----------------------------------------------------------------------

    def stamp(self, tensor: torch.Tensor) -> Token | None:
        """Give every unstamped node behind `tensor` a token; return the tensor's own."""
        node = node_of(tensor)
        return None if node is None else self.token(node)

    def token(self, node: Any) -> Token:
        """The token of a node that is no AccumulateGrad."""
        token: Token | None = node.metadata.get(self)
        return token or self._bear(node)

    def _bear(self, root: Any) -> Token:
        stack: list[Any] = [root]
        while stack:  # post-order, so that inputs are stamped before what is made from them
            node = stack[-1]
            metadata = node.metadata
            if self in metadata:
                stack.pop()
                continue
            parents: list[Token] = []
            leaves = NO_LEAVES
            waits = False
            for parent, _ in node.next_functions:
                if parent is None:
                    continue
                found = parent.metadata.get(self)
                if found is None and parent.name() == ACCUMULATE:
                    found = parent.metadata[self] = self._leaf(parent)
                if found is None:
                    stack.append(parent)
                    waits = True
                    continue
                if type(found) is Token:
                    parents.append(found)
                    found = found.leaves
                leaves = leaves | found if leaves else found
            if not waits:
                stack.pop()
                token = metadata[self] = Token(
                    self.born, node.name().rpartition("::")[2], parents, leaves, self.moment())
                self.born += 1
                alive = self._alive
                alive[weakref.ref(token, alive.pop)] = None
                if len(alive) > self.peak:
                    self.peak = len(alive)
        return token

    def _leaf(self, accumulator: Any) -> frozenset[int]:
        leaf = self._meet_leaf(accumulator)
        return NO_LEAVES if leaf is None else frozenset((leaf,))

    # -- life ----------------------------------------------------------------------------------

    def living(self) -> list[Token]:
        """Tokens of the nodes alive now."""
        return [token for reference in list(self._alive) if (token := reference()) is not None]

    @property
    def live(self) -> int:
        """How many graph nodes are alive."""
        return len(self._alive)

    def live_ages(self) -> dict[str, int]:
        """How many nodes live, and between how many different updates and passes they were born."""
        births = [token.born for token in self.living()]
        return {"live": len(births),
                "live_epochs": len({b.epoch for b in births if b.epoch > 0}),
                "live_passes": len({b.passes for b in births if b.passes > 0})}

    def past_alive(self) -> list[Token]:
        """Living nodes born before the previous pass, those from before the first pass aside."""
        last = self.passes - 1
        return [t for t in self.living() if 0 < t.born.passes < last]

    # -- drawing -------------------------------------------------------------------------------

    def span(self, tokens: Sequence[Token]) -> dict[str, int]:
        """How many updates, and passes, back the oldest of the tokens was born.

        Nodes from before the first of them are set-up, and do not count.
        """
        births = [t.born for t in tokens]
        epoch = min((b.epoch for b in births if b.epoch > 0), default=self.epoch)
        passed = min((b.passes for b in births if b.passes > 0), default=self.passes)
        return {"span": self.epoch - epoch, "span_passes": self.passes - passed}

    def sketch(self, tokens: Sequence[Token]) -> None:
        """Keep a graph for drawing, unless it looks like the last one."""
        fresh = sum(t.last is None and t.born.passes >= self.passes for t in tokens)
        if tokens and (len(tokens), fresh) != self._drawn_as:
            self._drawn_as = len(tokens), fresh
            self._drawn = [
                (t.id, t.operator, t.born.calls, [p.id for p in t.parents],
                 t.last is None and t.born.passes >= self.passes)
                for t in tokens[:MAX_DRAWN]
            ]

    def drawing(self) -> list[dict[str, Any]]:
        """The last step's graph, as plain data."""
        return [
            {"id": number, "operator": operator, "spot": plain_spot(calls), "inputs": inputs,
             "fresh": fresh}
            for number, operator, calls, inputs, fresh in self._drawn
        ]


_Drawn = tuple[int, str, Calls, list[int], bool]  # id, operator, calls, inputs' ids, fresh


def by_line(tokens: Iterable[Token]) -> list[dict[str, Any]]:
    """Count tokens by the line that bore them, commonest first."""
    counts: Counter[Calls] = Counter()
    first: dict[Calls, Token] = {}
    for token in tokens:
        counts[token.born.calls] += 1
        first.setdefault(token.born.calls, token)
    return [
        {"spot": plain_spot(calls), "calls": plain_spots(calls), "operator": first[calls].operator,
         "count": n, "setup": first[calls].born.passes == 0}
        for calls, n in counts.most_common(20)
    ]
