"""The ledger of graph nodes: when each was born, at which line, who ran it, which still live.

A token is put into a node's `metadata` and onto its pre-hooks, so it lives exactly as long as the
C++ node does and is called exactly when the engine runs that node. It never holds the node.
"""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch

from autograder.recorder.calls import Calls, Here, plain_spot, plain_spots

ACCUMULATE = "torch::autograd::AccumulateGrad"
MAX_DRAWN = 300
MAX_WALK = 20_000
NO_LEAVES: frozenset[int] = frozenset()


class Token:
    """One graph node's birth certificate."""

    __slots__ = (
        "__weakref__", "born_clock", "born_epoch", "born_pass", "calls", "children", "epochs",
        "handle", "id", "last_clock", "last_epoch", "last_pass", "leaves", "ledger", "operator",
        "parents",
    )

    def __init__(self, ledger: Ledger, operator: str, parents: list[Token],
                 leaves: frozenset[int]) -> None:
        self.ledger = ledger
        self.id = ledger.born
        self.operator = operator
        self.parents = parents
        self.leaves = leaves
        self.calls = ledger.here()
        self.born_clock = ledger.clock
        self.born_pass = ledger.passes
        self.born_epoch = ledger.epoch
        self.children = 0
        self.epochs = 0  # how many different update epochs it ran in
        self.last_pass = -1
        self.last_epoch = -1
        self.last_clock = -1
        self.handle: Any = None
        for parent in parents:
            parent.children += 1

    def __call__(self, grads: object) -> None:
        """The node's pre-hook: the engine is about to run it."""
        if self.ledger.running is not None:
            self.ledger.running.append(self)

    def __del__(self) -> None:
        self.ledger.bury(self.id)
        for parent in self.parents:
            parent.children -= 1


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
        self.running: list[Token] | None = None
        self._here = here
        self._meet_leaf = meet_leaf
        self._alive: dict[int, weakref.ref[Token]] = {}
        self._asked_at = -1
        self._calls: Calls = ()
        self._drawn: list[_Drawn] = []
        self._drawn_as = (0, 0)

    def here(self) -> Calls:
        """The watched program's lines now running, innermost first."""
        if self._asked_at != self.clock:
            self._asked_at, self._calls = self.clock, self._here()
        return self._calls

    # -- birth and death -----------------------------------------------------------------------

    def stamp(self, tensor: torch.Tensor) -> Token | None:
        """Give every unstamped node behind `tensor` a token; return the tensor's own."""
        root: Any = tensor.grad_fn
        if root is None:
            return None
        token: Token | None = root.metadata.get(self)
        if token is not None:
            return token
        stack: list[Any] = [root]
        while stack:  # post-order, so that inputs are stamped before what is made from them
            node = stack[-1]
            if self in node.metadata:
                stack.pop()
                continue
            parents: list[Token] = []
            todo: list[Any] = []
            leaves = NO_LEAVES
            for parent, _ in node.next_functions:
                if parent is None:
                    continue
                if parent.name() == ACCUMULATE:
                    leaf = self._meet_leaf(parent)
                    if leaf is not None:
                        leaves |= {leaf}
                elif (token := parent.metadata.get(self)) is None:
                    todo.append(parent)
                else:
                    parents.append(token)
                    leaves = leaves | token.leaves if leaves else token.leaves
            if todo:
                stack.extend(todo)
                continue
            stack.pop()
            self._bear(node, parents, leaves)
        return root.metadata.get(self)  # type: ignore[no-any-return]

    def _bear(self, node: Any, parents: list[Token], leaves: frozenset[int]) -> None:
        self.born += 1
        token = Token(self, node.name().rsplit("::", 1)[-1], parents, leaves)
        node.metadata[self] = token
        token.handle = node.register_prehook(token)
        self._alive[token.id] = weakref.ref(token)
        self.peak = max(self.peak, len(self._alive))

    def bury(self, number: int) -> None:
        """The node of that number is gone."""
        self._alive.pop(number, None)

    # -- life ----------------------------------------------------------------------------------

    def living(self) -> Iterator[Token]:
        """Tokens of the nodes alive now."""
        for reference in list(self._alive.values()):
            token = reference()
            if token is not None:
                yield token

    @property
    def live(self) -> int:
        """How many graph nodes are alive."""
        return len(self._alive)

    def live_ages(self) -> dict[str, int]:
        """How many nodes live, and between how many different updates and passes they were born."""
        living = list(self.living())
        return {"live": self.live,
                "live_epochs": len({t.born_epoch for t in living if t.born_epoch > 0}),
                "live_passes": len({t.born_pass for t in living if t.born_pass > 0})}

    def past_alive(self) -> list[Token]:
        """Living nodes born before the previous pass, those from before the first pass aside."""
        last = self.passes - 1
        return [t for t in self.living() if 0 < t.born_pass < last]

    # -- passes --------------------------------------------------------------------------------

    def before_pass(self, root: Token | None) -> dict[str, int]:
        """How many updates, and passes, back the oldest node under `root` was born.

        Nodes from before the first of them are set-up, and do not count.
        """
        tokens = list(ancestors(root))
        epoch = min((t.born_epoch for t in tokens if t.born_epoch > 0), default=self.epoch)
        passed = min((t.born_pass for t in tokens if t.born_pass > 0), default=self.passes)
        self._sketch(tokens)
        self.running = []
        return {"span": self.epoch - epoch, "span_passes": self.passes - passed}

    def _sketch(self, tokens: list[Token]) -> None:
        """Keep the graph for drawing, unless it looks like the last one."""
        fresh = sum(t.last_pass < 0 and t.born_pass >= self.passes for t in tokens)
        if tokens and (len(tokens), fresh) != self._drawn_as:
            self._drawn_as = len(tokens), fresh
            self._drawn = [
                (t.id, t.operator, t.calls, [p.id for p in t.parents],
                 t.last_pass < 0 and t.born_pass >= self.passes)
                for t in tokens[:MAX_DRAWN]
            ]

    def drawing(self) -> list[dict[str, Any]]:
        """The last step's graph, as plain data."""
        return [
            {"id": number, "operator": operator, "spot": plain_spot(calls), "inputs": inputs,
             "fresh": fresh}
            for number, operator, calls, inputs, fresh in self._drawn
        ]

    def close(self) -> None:
        """Take the hooks off the nodes that are still alive."""
        for token in self.living():
            token.handle.remove()


_Drawn = tuple[int, str, Calls, list[int], bool]  # id, operator, calls, inputs' ids, fresh


def ancestors(root: Token | None) -> Iterator[Token]:
    """`root` and all it was computed from, breadth first."""
    if root is None:
        return
    seen, queue = {root.id}, [root]
    for token in queue:
        yield token
        if len(queue) > MAX_WALK:
            continue
        for parent in token.parents:
            if parent.id not in seen:
                seen.add(parent.id)
                queue.append(parent)


def by_line(tokens: Iterable[Token]) -> list[dict[str, Any]]:
    """Count tokens by the line that bore them, commonest first."""
    counts: Counter[Calls] = Counter()
    names: dict[Calls, Token] = {}
    for token in tokens:
        counts[token.calls] += 1
        names.setdefault(token.calls, token)
    return [
        {"spot": plain_spot(calls), "calls": plain_spots(calls), "operator": names[calls].operator,
         "count": n, "setup": names[calls].born_pass == 0}
        for calls, n in counts.most_common(20)
    ]
