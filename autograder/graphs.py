"""What a recording says about graphs: reused, growing, kept. Pure functions of plain data."""

from __future__ import annotations

from autograder.evidence import OldNode, Pass, Recording

MIN_PASSES = 6
"""Below this many passes a trend is not to be told from a start."""


def reuses(recording: Recording) -> list[Pass]:
    """The passes that ran operations of an earlier step's graph."""
    return [p for p in recording.passes if p.torn or p.rerun]


def old_nodes(passes: list[Pass]) -> list[OldNode]:
    """The re-run operations, those from before the loop first."""
    return sorted((n for p in passes for n in (p.torn or p.rerun)), key=lambda n: not n.setup)


def outdated(recording: Recording) -> list[Pass]:
    """Passes over a graph whose parameters were changed after it was built."""
    return [p for p in recording.passes if p.outdated]


def grows(recording: Recording) -> bool:
    """Whether each step's graph reaches further back than the last one's."""
    return _climbs(recording, "span", "span_passes")


def piles_up(recording: Recording) -> bool:
    """Whether graphs of more and more past steps stay alive."""
    return _climbs(recording, "live_epochs", "live_passes")


def _climbs(recording: Recording, by_updates: str, by_passes: str) -> bool:
    """Whether an age still rises in the second half of the run: in updates, where there are any.

    A step may make many passes (inner products with a Hessian, line searches); only a program
    whose updates cannot be seen is judged by its passes.
    """
    passes, updates = recording.passes, len(recording.updates)
    if len(passes) < MIN_PASSES:
        return False
    name, turns = (by_updates, updates) if updates >= 3 else (by_passes, len(passes))
    middle, last = (getattr(passes[i], name) for i in (len(passes) // 2, -1))
    return bool(last >= 4 and last - middle >= turns // 8 + 1)


def widens(short: Recording, long: Recording, extra_steps: int) -> bool:
    """Whether the run of more steps had more graph alive at its widest moment.

    True where at least three nodes out of four extra steps stayed: one node a step is a leak.
    """
    return long.peak_live - short.peak_live >= max(3, 0.75 * extra_steps)


def rises(live: list[int]) -> bool:
    """Whether live nodes rise from step to step: by one at least in three steps out of four."""
    if len(live) < MIN_PASSES:
        return False
    half = live[len(live) // 2:]
    risen = sum(b > a for a, b in zip(half, half[1:]))
    return risen >= 0.75 * (len(half) - 1) and half[-1] > half[0]


def swells(live: list[int]) -> bool:
    """Whether a few looks at a long run saw more nodes alive than the first: worth a recording."""
    return bool(live) and max(live) > live[0]


def affordable(most: int, steps: int, seconds: float, live: list[int]) -> int:
    """Steps that the recorder takes in about ten seconds; `most` at most.

    It makes a step several times as long, and looks at each living node after each pass.

    Args:
        steps, seconds, live: of a run without it.
    """
    step = 0.001 + 5 * seconds / max(steps, 1) + 5e-6 * max(live, default=0)
    return min(most, steps, int(10 / step))


def piles_up_now_and_then(long: Recording) -> bool:
    """Whether a long recording ends with more kept passes than it had half-way, and with several.

    In a loop that lets go of its graphs this is constant, however long it runs.
    """
    kept = [p.live_passes for p in long.passes]  # what has arrived is updated no more
    return len(kept) >= MIN_PASSES and kept[-1] >= 4 and kept[-1] - kept[len(kept) // 2] >= 2


def boundary(recording: Recording) -> list[OldNode]:
    """In the last pass's graph: the lines whose fresh operations take old ones as inputs."""
    old = {n.id for n in recording.graph if not n.fresh}
    lines = {(n.spot.cell, n.spot.line): n for n in recording.graph
             if n.fresh and n.spot and old & set(n.inputs)}
    return [OldNode(spot=n.spot, operator=n.operator, count=1) for n in lines.values()]
