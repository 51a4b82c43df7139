"""Every attack, in both sandboxes, among honest neighbours: one batch a sandbox, then questions.

An attack is base.py, which is an idle trainer, and a file of attacks/ after it. Its first line
says which diagnosis it must get: codes, or `same` for the idle trainer's own, or `*` for any.
None may earn points for a check that the idle trainer does not earn, but those it names.
"""

from __future__ import annotations

import ctypes
import json
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from autograder import batch, grading
from autograder.engines.local import Local
from autograder.engines.work import Terms
from autograder.handins import Handin
from autograder.sandbox.choice import Refused, sandbox
from autograder.sandbox.setup import MIB, Budget
from autograder.settings import Limits
from autograder.store import Store

from . import damaged

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a sandbox of Linux")

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
ATTACKS = sorted((HERE / "attacks").glob("*.py"))
SECRET = "SECRET-7391"
LIMITS = Limits(load=6, question=6, total=20)
BUDGET = Budget(memory=512 * MIB, cpu=3)
_SET_CHILD_SUBREAPER = 36


@dataclass
class Ran:
    """A batch after it."""

    results: dict[str, batch.Result]
    out: Path
    treasure: Path
    before: dict[Path, bytes]
    children_left: set[int]
    scratch_left: list[Path]
    callers: int


@pytest.fixture(scope="module", params=["full", "portable"])
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ran]:
    folder = tmp_path_factory.mktemp(request.param)
    out, treasure, scratch = (folder / name for name in ("out", "treasure", "scratch"))
    for each in (treasure, scratch):
        each.mkdir()
    (treasure / "grading.yml").write_text(SECRET)
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.MonkeyPatch.context() as patch:
        server.settimeout(0)
        patch.setenv("TMPDIR", str(scratch))
        patch.setattr("tempfile.tempdir", str(scratch))
        # Who outlives its parent becomes our child, and is seen.
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        children = _children()
        handins = _handins(folder, {
            "@TREASURE@": str(treasure), "@OUT@": str(out), "@ROOT@": str(ROOT),
            "@PORT@": str(server.getsockname()[1])})
        before = {p: p.read_bytes() for p in treasure.iterdir()}
        store = Store(out)
        engine = Local(partial(sandbox, request.param, budget=BUDGET), 5)
        try:
            results = {r.row.name: r for r in batch.run(handins, store, _terms(), engine)}
        except Refused as error:
            pytest.skip(str(error))
        finally:
            ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
        yield Ran(results, out, treasure, before, _left(children),
                  list(scratch.iterdir()), _callers(server))


def _terms() -> Terms:
    usual = grading.load()
    return Terms(usual.model_copy(update={"limits": LIMITS}), usual.seed, "linear")


def _handins(folder: Path, blanks: dict[str, str]) -> list[Handin]:
    """Attacks, damaged files, and an honest neighbour after every fourth."""
    base = (HERE / "base.py").read_text()
    sources: dict[str, bytes] = dict(damaged.files())
    for path in ATTACKS:
        text = f"{base}\n\n{path.read_text()}"
        for blank, value in blanks.items():
            text = text.replace(blank, value)
        sources[path.name] = text.encode()
    honest = (ROOT / "solutions" / "linear.ipynb").read_bytes()
    handins: list[Handin] = []
    for number, (name, data) in enumerate(sources.items()):
        handins.append(Handin(Path(name).stem if name.endswith(".py") else name, name,
                              str(folder / name), partial(bytes, data)))
        if number % 4 == 0:
            handins.append(Handin(f"honest-{number}", "linear.ipynb", f"honest-{number}",
                                  partial(bytes, honest)))
    return handins


def _left(before: set[int]) -> set[int]:
    """Children that are still there after what a busy kernel may need to end the killed ones."""
    until = time.monotonic() + 10
    while (left := _children() - before) and time.monotonic() < until:
        time.sleep(0.05)
    return left


def _children() -> set[int]:
    tasks = Path("/proc/self/task").glob("*/children")
    pids = {int(pid) for task in tasks for pid in task.read_text().split()}
    return {pid for pid in pids if not _is_dead(pid)}


def _is_dead(pid: int) -> bool:
    """A zombie waits for init to notice; here that is us."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def _callers(server: socket.socket) -> int:
    try:
        server.accept()[0].close()
    except BlockingIOError:
        return 0
    return 1


def _codes(result: batch.Result) -> set[str]:
    assert result.report is not None, result.doubt
    return {d["code"] for d in result.report["diagnoses"]}


@pytest.mark.parametrize("path", ATTACKS, ids=lambda p: p.stem)
def test_has_a_row_with_the_right_diagnosis_and_earns_nothing(ran: Ran, path: Path) -> None:
    said, _, given = _first_line(path).partition(" but ")
    result, idle = ran.results[path.stem], ran.results["idle"]
    codes = _codes(result)
    if said == "same":
        assert codes == _codes(idle)
        assert result.row.score == idle.row.score
    elif said != "*":
        assert codes & set(said.split()), result.report
    earned = _earned(result) - set(given.split())
    assert earned <= _earned(idle), result.report
    assert "escaped" not in _evidence(ran, path.stem)
    assert SECRET not in _everything(ran, path.stem)


def _first_line(path: Path) -> str:
    return path.read_text().split("\n")[0].removeprefix("# says: ")


def _earned(result: batch.Result) -> set[str]:
    return {check for check, points in result.row.checks.items() if points}


def _evidence(ran: Ran, name: str) -> str:
    stored = json.loads(Store(ran.out).evidence(name))
    loaded = stored["evidence"]["loaded"]
    return " ".join(n for n in loaded["names"] if n.startswith("escaped_")) if loaded else ""


def _everything(ran: Ran, name: str) -> str:
    return "".join(p.read_text() for p in Store(ran.out).folder(name).iterdir())


@pytest.mark.parametrize("name", damaged.files())
def test_a_damaged_file_has_its_row(ran: Ran, name: str) -> None:
    result = ran.results[Path(name).stem if name.endswith(".py") else name]
    assert result.row.status == "unreadable"
    assert result.row.score == 0


def test_every_honest_neighbour_keeps_its_score(ran: Ran) -> None:
    neighbours = [r.row for name, r in ran.results.items() if name.startswith("honest")]
    assert len(neighbours) > 15
    assert {(row.status, row.score) for row in neighbours} == {("full", 10)}


def test_nothing_is_left_running(ran: Ran) -> None:
    assert ran.children_left == set()


def test_nothing_is_left_lying_about(ran: Ran) -> None:
    assert ran.scratch_left == []
    assert {p: p.read_bytes() for p in ran.treasure.iterdir()} == ran.before
    students = {p.name for p in (ran.out / "students").iterdir()}
    assert students == set(ran.results)


def test_nobody_called_home(ran: Ran) -> None:
    assert ran.callers == 0


def test_the_profile_is_named(ran: Ran) -> None:
    profiles = {r.row.profile for r in ran.results.values() if r.row.status != "unreadable"}
    assert len(profiles) == 1
    assert profiles.pop().split()[0] in ("full", "portable")
