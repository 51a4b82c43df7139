"""What the student's side reports to the judge: plain data, validated on the way in.

Nothing here imports torch. Every model goes to JSON and back (``nan`` and ``inf`` included),
refuses fields that it does not know, and cannot be changed once built.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

# Caps on what a child may send: far above anything an honest run needs.
Text = Annotated[str, Field(max_length=4000)]
Numbers = Annotated[list[float], Field(max_length=100_000)]


class Plain(BaseModel):
    """A frozen record of plain data."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", ser_json_inf_nan="constants", allow_inf_nan=True
    )


class Spot(Plain):
    """An address in the submission: code cell (None in a script) and line, both from 1."""

    cell: int | None = None
    line: int


class Failure(Plain):
    """An exception that left the student's code; `frames` run from the outermost call inwards."""

    kind: Text
    message: Text
    frames: Annotated[list[Spot], Field(max_length=200)] = []


class Problem(Plain):
    """What was returned is not what was asked for: `what` is a key of the message catalogue."""

    what: Text
    got: Text = ""
    wanted: Text = ""


class Warned(Plain):
    """A Python warning, and the submission's line that was running."""

    category: Text
    message: Text
    spot: Spot | None = None


class Array(Plain):
    """A tensor as numbers, row by row."""

    shape: list[int]
    values: Numbers
    dtype: str = "float32"


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


class Training(Plain):
    """The answer to a `Train` question."""

    failure: Failure | None = None
    stage: Literal["make_data", "train", "done"] = "done"
    problems: list[Problem] = []
    X: Array | None = None
    Y: Array | None = None
    labels_attached: bool = False
    layer: str = ""
    weight: Array | None = None
    bias: Array | None = None
    losses: Numbers = []
    steps: int = 0
    own_steps: int | None = None
    """The student's default."""
    lr: float | None = None
    recording: Recording | None = None
    warnings: list[Warned] = []
    seconds: float = 0.0


class PathStep(Plain):
    """The state of an LQR agent after a step; each list has one number an element."""

    X: float
    w: list[float]
    b: list[float]
    c: list[float]
    tilde_w: list[float]
    tilde_b: list[float]
    tilde_c: list[float]


class Path(Plain):
    """The answer to a `Walk` question: an LQR agent walked for some steps."""

    failure: Failure | None = None
    stage: Literal["init", "step", "done"] = "done"
    problems: list[Problem] = []
    states: list[PathStep] = []
    """The state before the first step, then after each `every`-th, and the last."""
    steps: int = 0
    forward: list[float] = []
    """The student's `forward` at `POINTS`, after the last step."""
    live: list[int] = []
    C: float | None = None
    recording: Recording | None = None
    warnings: list[Warned] = []
    seconds: float = 0.0


class CorrCase(Plain):
    """The answer to a `Correlate` question."""

    failure: Failure | None = None
    problems: list[Problem] = []
    Y: Array | None = None


class Owners(Plain):
    """The answer to an `AskOwners` question: what the student says, and what torch says."""

    failure: Failure | None = None
    problems: list[Problem] = []
    said: dict[str, bool | None] = {}
    truth: dict[str, bool] = {}


class Loaded(Plain):
    """What came of running the submission's cells."""

    names: list[Text] = []
    errors: list[Failure] = []
    torch: str = ""
    device: str = "cpu"
    output: Annotated[str, Field(max_length=100_000)] = ""


class Traced(Plain):
    """A whole program, run under the recorder; `stopped` when it had made passes enough."""

    loaded: Loaded = Loaded()
    recording: Recording = Recording()
    warnings: list[Warned] = []
    stopped: bool = False
    lost: str | None = None


class Train(Plain):
    """Call `train` on the student's own data (X is None) or on these, for `steps` steps.

    Shapes: X (n, d) and Y (n, 1) for linear, (1, 1, h, w) and (1, 1, h', w') for conv.
    `steps` None means the student's own default.
    """

    ask: Literal["train"] = "train"
    X: Array | None = None
    Y: Array | None = None
    steps: int | None = None
    seed: int = 0
    record: bool = False


class Walk(Plain):
    """Build an agent with `hidden` units from `seed` and take `steps` steps of size `delta`.

    `C` None means the student's own default rate. The first state, the last and each
    `every`-th between them are reported.
    """

    ask: Literal["walk"] = "walk"
    hidden: int
    delta: float = 0.05
    steps: int = 0
    seed: int = 0
    C: float | None = None
    fallback_C: float = 0.1
    """The rate where the student's class has no default of its own."""
    every: int = 1
    record: bool = False


class Correlate(Plain):
    """Call `corr2d(X, K)`."""

    ask: Literal["correlate"] = "correlate"
    X: Array
    K: Array


class AskOwners(Plain):
    """Read the student's `zero_grad_owners` and torch's own truth."""

    ask: Literal["owners"] = "owners"


Question = Annotated[Train | Walk | Correlate | AskOwners, Field(discriminator="ask")]
Answer = Training | Path | CorrCase | Owners
ANSWERS: dict[str, type[Plain]] = {
    "train": Training, "walk": Path, "correlate": CorrCase, "owners": Owners,
}


class Exchange(Plain):
    """One question and what came back; `lost` says why nothing did (timeout, killed …)."""

    label: str
    question: Question
    answer: Answer | None = None
    lost: str | None = None

    @field_validator("answer", mode="before")
    @classmethod
    def _by_question(cls, answer: Any, info: ValidationInfo) -> Any:
        """Which kind an answer is, its question says: read back from JSON, two kinds look alike."""
        if isinstance(answer, dict) and "question" in info.data:
            return ANSWERS[info.data["question"].ask].model_validate(answer)
        return answer


class Evidence(Plain):
    """Everything that the judge knows of a submission's behaviour."""

    loaded: Loaded | None = None
    exchanges: list[Exchange] = []
    lost: str | None = None
    """Why the process ended early: `timeout`, `memory-limit`, `killed`; None when it did not."""
    sandbox: str = "none"

    def answer(self, label: str) -> Answer | None:
        """The answer to the exchange of that label, or None."""
        return next((e.answer for e in self.exchanges if e.label == label), None)
