"""What the judge and its zygote tell each other: plain data, for it crosses between processes."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Literal

Kind = Literal["full", "portable"]
MIB = 1 << 20
FORK, OPTIMIZERS = b"fork", b"optimisers"
"""What the judge may ask its zygote for: a child; to warm up for those that use torch.optim."""
READY = b"ready"
"""What the zygote answers when it has warmed up."""
OUT_OF_MEMORY = 77
"""The exit status of a child that asked for more than it may have."""


class NoSandbox(Exception):
    """This profile is not to be had here; the message says why."""


class ZygoteLost(Exception):
    """The zygote itself went away, and its children with it: none of the submission's doing."""


@dataclass(frozen=True)
class Budget:
    """What one submission may use, beyond what Python and torch use themselves."""

    memory: int = 1024 * MIB
    cpu: int = 250
    file_size: int = 16 * MIB
    scratch: int = 64 * MIB
    files: int = 1000
    descriptors: int = 64


@dataclass(frozen=True)
class Setup:
    """A profile, and where its scratch folders go."""

    kind: Kind
    landlock: bool
    scratch: str
    budget: Budget

    @property
    def name(self) -> str:
        """As every report names it."""
        return f"{self.kind} (landlock)" if self.kind == "portable" and self.landlock else self.kind

    def to_bytes(self) -> bytes:
        """JSON."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Setup:
        """What `to_bytes` was called on."""
        plain = json.loads(data)
        return cls(**plain | {"budget": Budget(**plain["budget"])})


@dataclass(frozen=True)
class Ending:
    """How a child ended, as its parent saw it."""

    signal: int = 0
    status: int = 0
    cpu: float = 0.0
    grown: int = 0
    """Bytes of memory beyond the parent's at the fork."""
    note: str = ""
    """Why the parent ended it, if it did so of itself."""

    def to_bytes(self) -> bytes:
        """JSON."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Ending:
        """What `to_bytes` was called on."""
        return cls(**json.loads(data))
