"""What the recorder saw of one run."""

from __future__ import annotations

from typing import Literal

from autograder.evidence.plain import Array, Plain, Spot


class Draw(Plain):
    """A random operator: how often its line ran, and how many different results it gave."""

    spot: Spot | None
    operator: str
    times: int
    distinct: int
    size: int


class Sighting(Plain):
    """An operator worth remembering: where, what, how often; `shapes` where they matter."""

    spot: Spot | None
    operator: str
    times: int
    shapes: list[list[int]] = []


class Leaf(Plain):
    """A trainable tensor that the recorder came to know."""

    id: int
    shape: list[int]
    name: str | None = None
    parameter: bool = False
    first: Array | None = None
    last: Array | None = None
    hooks: list[int] = []
    """How many hooks it carried at each backward pass."""
    recovered: bool = True
    """False when it had been collected before the record ended."""


class Contribution(Plain):
    """What one update of one leaf was made from.

    `buffer` is its `.grad` when it was first written, `engine` the sum of what backward passes
    brought to it since its last update, `held` what `.grad` still held before those passes.
    """

    leaf: int
    before: Array | None = None
    delta: Array | None = None
    buffer: Array | None = None
    engine: Array | None = None
    held: Array | None = None
    passes: int = 0
    mismatch: float | None = None
    """|buffer - engine| / |engine|; None when one of them is missing."""
    leftover: float | None = None
    """|held| / |engine|: what was not cleared."""
    carried: float | None = None
    """|buffer - engine - held| / |buffer|: 0 when the leftover went into the update."""
    uphill: float | None = None
    """Cosine between the change and the gradient used: +1 up, -1 down."""
    same_root: bool = False
    """True when one graph brought its gradient twice."""


class Update(Plain):
    """Parameters changed between two backward passes."""

    after_pass: int
    spot: Spot | None = None
    optimizer: int | None = None
    parts: list[Contribution]


class OldNode(Plain):
    """Re-run or kept operations of one source line; `calls` leads from there outwards."""

    spot: Spot | None
    calls: list[Spot] = []
    operator: str
    count: int
    setup: bool = False
    """Born before the first backward pass."""


class Pass(Plain):
    """One run of the autograd engine (`backward` or `grad`)."""

    index: int
    kind: Literal["backward", "grad"]
    spot: Spot | None = None
    calls: list[Spot] = []
    """From `spot` outwards."""
    value: float | None = None
    executed: int = 0
    gradient: float | None = None
    """Norm of all that the leaves received; None where none received anything."""
    rerun: list[OldNode] = []
    """Operations that an earlier pass had already run, with an update in between."""
    torn: list[OldNode] = []
    """Where torch raised: the operations that an earlier pass had run, the last one first."""
    outdated: list[OldNode] = []
    """Operations whose parameters were changed between their birth and this pass."""
    span: int = 0
    """How many updates back the oldest operation under this pass's root was born."""
    span_passes: int = 0
    """The same in passes, for programs whose updates cannot be seen."""
    reached: list[int] = []
    """Leaves that received a gradient."""
    live: int = 0
    live_epochs: int = 0
    """Between how many different updates the living operations were born."""
    live_passes: int = 0
    failed: bool = False


class Clear(Plain):
    """A `.grad` was emptied: after how many passes, where, and whether it had been used."""

    after_pass: int
    spot: Spot | None
    leaf: int
    unused: bool


class Optimizer(Plain):
    """An optimiser that was stepped."""

    id: int
    kind: str
    spot: Spot | None
    steps: int
    stateful: bool
    leaves: list[int]
    idle_steps: int = 0
    """Steps at which none of its parameters had a gradient."""


class Node(Plain):
    """A node of the last step's graph, for drawing."""

    id: int
    operator: str
    spot: Spot | None
    inputs: list[int]
    fresh: bool


class Recording(Plain):
    """What the recorder saw of one run."""

    passes: list[Pass] = []
    updates: list[Update] = []
    leaves: list[Leaf] = []
    clears: list[Clear] = []
    optimizers: list[Optimizer] = []
    cuts: list[Sighting] = []
    broadcasts: list[Sighting] = []
    hooks: list[Sighting] = []
    modules: list[Sighting] = []
    draws: list[Draw] = []
    kept: list[OldNode] = []
    """At the widest moment: operations of past steps still alive, by the line that bore them."""
    kept_roots: list[OldNode] = []
    """Of those, the ones nothing alive was computed from: what a list or variable holds."""
    module_hooks: list[int] = []
    """How many hooks the modules carried at each backward pass."""
    idle_writes: int = 0
    """Writes to a leaf that changed nothing."""
    peak_live: int = 0
    born: int = 0
    graph: list[Node] = []
