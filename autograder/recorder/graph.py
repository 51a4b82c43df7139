"""The ledger of graph nodes: when each was born, at which line, who ran it, which still live.

A token is put into a node's `metadata` and onto its pre-hooks, so it lives exactly as long as the
C++ node does and is called exactly when the engine runs that node. It never holds the node.
"""

from __future__ import annotations

import itertools
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch

from autograder.evidence import Node as NodeRecord
from autograder.evidence import OldNode
from autograder.recorder.calls import Calls, Here, spot_of, spots_of

ACCUMULATE = "torch::autograd::AccumulateGrad"
MAX_DRAWN = 300
MAX_WALK = 20_000


class Token:
    """One graph node's birth certificate."""

    __slots__ = (
        "__weakref__", "born_clock", "born_epoch", "born_pass", "calls", "children", "epochs",
        "handle", "id", "last_clock", "last_epoch", "last_pass", "leaves", "ledger", "operator",
        "parents",
    )

    def __init__(self, ledger: Ledger, operator: str, parents: tuple[Token, ...],
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
        self.ledger.ran(self)

    def __del__(self) -> None:
        for parent in self.parents:
            parent.children -= 1


class Ledger:
    """All tokens of one recording."""

    def __init__(self, here: Here,
                 meet_leaf: Callable[[Any, Any], int | None]) -> None:
        self.here = here
        self.meet_leaf = meet_leaf
        self.clock = 0
        self.passes = 0
        self.epoch = 0  # counts updates
        self.born = 0
        self.peak = 0
        self.kept: list[Token] = []
        self.running: list[Token] | None = None
        self._alive: dict[int, weakref.ref[Token]] = {}

    # -- birth ---------------------------------------------------------------------------------

    def stamp(self, tensor: torch.Tensor) -> Token | None:
        """Give every unstamped node behind `tensor` a token; return the tensor's own."""
        root: Any = tensor.grad_fn
        if root is None:
            return None
        token = root.metadata.get(self)
        if token is not None:
            return token  # type: ignore[no-any-return]
        stack: list[Any] = [root]
        while stack:  # post-order, so that inputs are stamped before what is made from them
            node = stack[-1]
            if self in node.metadata:
                stack.pop()
                continue
            todo = [
                parent for parent, _ in node.next_functions
                if parent is not None and parent.name() != ACCUMULATE
                and self not in parent.metadata
            ]
            if todo:
                stack.extend(todo)
                continue
            stack.pop()
            self._bear(node)
        return root.metadata.get(self)  # type: ignore[no-any-return]

    def _bear(self, node: Any) -> None:
        parents: list[Token] = []
        leaves: set[int] = set()
        for parent, _ in node.next_functions:
            if parent is None:
                continue
            if parent.name() == ACCUMULATE:
                leaf = self.meet_leaf(parent, parent.variable)
                if leaf is not None:
                    leaves.add(leaf)
            else:
                token = parent.metadata[self]
                parents.append(token)
                leaves |= token.leaves
        self.born += 1
        name = node.name().rsplit("::", 1)[-1]
        token = Token(self, name, tuple(parents), frozenset(leaves))
        node.metadata[self] = token
        token.handle = node.register_prehook(token)
        self._alive[token.id] = weakref.ref(token, self._burial(token.id))
        self.peak = max(self.peak, len(self._alive))

    def _burial(self, key: int) -> Callable[[object], None]:
        def bury(_: object) -> None:
            self._alive.pop(key, None)

        return bury

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
        """Between how many different updates, and passes, the living nodes were born."""
        living = list(self.living())
        return {"live_epochs": len({t.born_epoch for t in living if t.born_epoch > 0}),
                "live_passes": len({t.born_pass for t in living if t.born_pass > 0})}

    def past_alive(self) -> list[Token]:
        """Living nodes born before the previous pass, those from before the first pass aside."""
        return [t for t in self.living() if 0 < t.born_pass < self.passes - 1]

    # -- passes --------------------------------------------------------------------------------

    def ran(self, token: Token) -> None:
        """Note that the engine is about to run this node."""
        if self.running is not None:
            self.running.append(token)

    def spans(self, root: Token | None) -> dict[str, int]:
        """How many updates, and passes, back the oldest node under `root` was born.

        Nodes from before the first of them are set-up, and do not count.
        """
        tokens = list(ancestors(root))
        epochs = [t.born_epoch for t in tokens if t.born_epoch > 0]
        passes = [t.born_pass for t in tokens if t.born_pass > 0]
        return {"span": self.epoch - min(epochs, default=self.epoch),
                "span_passes": self.passes - min(passes, default=self.passes)}

    def sketch(self, root: Token | None) -> list[Drawn]:
        """The graph under `root`, at most MAX_DRAWN nodes: plain tuples, since every pass asks."""
        return [
            (t.id, t.operator, t.calls, [p.id for p in t.parents],
             t.last_pass < 0 and t.born_pass >= self.passes)
            for t in itertools.islice(ancestors(root), MAX_DRAWN)
        ]

    def close(self) -> None:
        """Take the hooks off the nodes that are still alive."""
        for token in self.living():
            token.handle.remove()


Drawn = tuple[int, str, Calls, list[int], bool]
"""A node for drawing: id, operator, calls, inputs' ids, fresh."""


def draw(node: Drawn) -> NodeRecord:
    """As plain data."""
    number, operator, calls, inputs, fresh = node
    return NodeRecord(id=number, operator=operator, spot=spot_of(calls), inputs=inputs, fresh=fresh)


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


def by_line(tokens: Iterable[Token]) -> list[OldNode]:
    """Count tokens by the line that bore them, commonest first."""
    counts: Counter[Calls] = Counter()
    names: dict[Calls, Token] = {}
    for token in tokens:
        counts[token.calls] += 1
        names.setdefault(token.calls, token)
    return [
        OldNode(spot=spot_of(calls), calls=spots_of(calls), operator=names[calls].operator,
                count=n, setup=names[calls].born_pass == 0)
        for calls, n in counts.most_common(20)
    ]
