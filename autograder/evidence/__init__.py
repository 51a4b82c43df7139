"""What the student's side reports to the judge: plain data, validated on the way in.

Nothing here imports torch. Every model goes to JSON and back (``nan`` and ``inf`` included),
refuses fields that it does not know, and cannot be changed once built.
"""

from autograder.evidence.answers import (
    POINTS,
    CorrCase,
    Loaded,
    Owners,
    Path,
    PathStep,
    Traced,
    Training,
)
from autograder.evidence.exchanges import (
    ANSWERS,
    Answer,
    Evidence,
    Exchange,
    Question,
)
from autograder.evidence.plain import (
    Array,
    Failure,
    Plain,
    Problem,
    Spot,
    Warned,
)
from autograder.evidence.questions import (
    AskOwners,
    Correlate,
    Train,
    Walk,
)
from autograder.evidence.recording import (
    Clear,
    Contribution,
    Draw,
    Leaf,
    Node,
    OldNode,
    Optimizer,
    Pass,
    Recording,
    Sighting,
    Update,
)

__all__ = [
    "ANSWERS",
    "POINTS",
    "Answer",
    "Array",
    "AskOwners",
    "Clear",
    "Contribution",
    "CorrCase",
    "Correlate",
    "Draw",
    "Evidence",
    "Exchange",
    "Failure",
    "Leaf",
    "Loaded",
    "Node",
    "OldNode",
    "Optimizer",
    "Owners",
    "Pass",
    "Path",
    "PathStep",
    "Plain",
    "Problem",
    "Question",
    "Recording",
    "Sighting",
    "Spot",
    "Traced",
    "Train",
    "Training",
    "Update",
    "Walk",
    "Warned",
]
