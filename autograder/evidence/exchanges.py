"""Questions with what came back, and all of them together: what a judge knows of a submission."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, ValidationInfo, field_validator

from autograder.evidence.answers import CorrCase, Loaded, Owners, Path, Training
from autograder.evidence.plain import Plain
from autograder.evidence.questions import AskOwners, Correlate, Train, Walk

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
