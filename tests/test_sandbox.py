"""The zygote and its profiles, from the judge's side. What attackers try is in tests/hostile."""

from __future__ import annotations

import os
import signal
import struct
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks are Linux's")

if sys.platform.startswith("linux"):
    from autograder import frames
    from autograder.evidence import Loaded
    from autograder.sandbox import choice, jail, landlock, places
    from autograder.sandbox.channel import Channel, Closed, Late
    from autograder.sandbox.process import Lost
    from autograder.sandbox.setup import MIB, Budget, NoSandbox, Setup, ZygoteLost
    from autograder.sandbox.zygote import Zygote
    from autograder.submission import Cell, Submission


@pytest.fixture(scope="module", params=["full", "portable", "without landlock"])
def zygote(request: pytest.FixtureRequest) -> Iterator[Zygote]:
    kind = "full" if request.param == "full" else "portable"
    has = request.param == "portable"
    if has and not landlock.version():
        pytest.skip("this kernel has no Landlock")
    try:
        with Zygote(kind, landlock=has, budget=Budget(memory=256 * MIB, cpu=3)) as running:
            yield running
    except NoSandbox as error:
        pytest.skip(str(error))


def submission(source: str) -> Submission:
    return Submission("s.py", (Cell(None, source),), "0")


def names(zygote: Zygote, source: str) -> list[str]:
    with zygote.witness(submission(source)) as child:
        return Loaded.model_validate_json(child.load(20)).names


def test_runs_a_submission(zygote: Zygote) -> None:
    assert "y" in names(zygote, "import torch\ny = torch.ones(2)")


def test_what_torch_optim_imports_is_there_for_those_that_use_it(zygote: Zygote) -> None:
    source = "import sys\nif 'torch._dynamo' in sys.modules: warm = True  # torch.optim"
    assert "warm" in names(zygote, source)


def test_the_profile_has_a_name(zygote: Zygote) -> None:
    assert zygote.name in ("full", "portable (landlock)", "portable")


def test_children_know_nothing_of_each_other(zygote: Zygote) -> None:
    names(zygote, "import torch\ntorch.mine = 1\nimport builtins\nbuiltins.mine = 1")
    source = "import torch\ntry:\n    torch.mine, mine\n    seen = 1\nexcept Exception: pass"
    assert "seen" not in names(zygote, source)


def test_two_children_at_once(zygote: Zygote) -> None:
    with zygote.witness(submission("a = 1")) as one, zygote.witness(submission("b = 1")) as two:
        assert "b" in Loaded.model_validate_json(two.load(20)).names
        assert "a" in Loaded.model_validate_json(one.load(20)).names


def test_threads_may_share_it(zygote: Zygote) -> None:
    found: list[bool] = []
    threads = [threading.Thread(target=lambda n=n: found.append(
        f"x{n}" in names(zygote, f"x{n} = 1"))) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 6


@pytest.mark.parametrize(("source", "why"), [
    ("while True: pass", "timeout"),
    ("import os; os._exit(0)", "killed"),
    ("import os; os.abort()", "killed"),
    ("import os; os.write(4, b'x' * 9000)", "killed"),
])
def test_lost(zygote: Zygote, source: str, why: str) -> None:
    with zygote.witness(submission(source)) as child:
        with pytest.raises(Lost) as lost:
            child.load(1.5)
        assert lost.value.why == why
        assert child.note
    assert child.ending is not None


def test_processor_time_is_bounded(zygote: Zygote) -> None:
    with zygote.witness(submission("while True: pass")) as child, pytest.raises(Lost) as lost:
        child.load(60)
    assert lost.value.why == "timeout"
    assert child.ending is not None and child.ending.cpu < 4


def test_memory_is_bounded(zygote: Zygote) -> None:
    source = "try:\n    b'x' * 400_000_000\nexcept MemoryError:\n    refused = 1"
    assert "refused" in names(zygote, source)
    assert "fits" in names(zygote, "fits = b'x' * 100_000_000")


def test_a_process_may_do_ordinary_things(zygote: Zygote) -> None:
    source = """
import asyncio, time, random, dataclasses, json, os, sys, tempfile, math, zoneinfo
import numpy as np
async def tick():
    await asyncio.sleep(0.01)
asyncio.run(tick())
time.sleep(0.01)
open(os.devnull).read()
os.listdir(".")
import statistics, decimal, csv  # modules that nothing has imported yet
ordinary = 1
"""
    assert "ordinary" in names(zygote, source)


def test_scratch_is_there_where_something_bounds_it(zygote: Zygote) -> None:
    source = "open('notes.txt', 'w').write('x')\nimport os\nos.mkdir('d')\nwritten = 1"
    assert ("written" in names(zygote, source)) == (zygote.name != "portable")


def test_seeds_do_not_depend_on_what_ran_before(zygote: Zygote) -> None:
    source = "import torch, random\nglobals()[f'x{torch.rand(1).item()}_{random.random()}'] = 1"
    assert names(zygote, source) == names(zygote, source)


def test_a_child_lost_with_its_zygote_is_not_to_blame_and_another_takes_over(
        zygote: Zygote) -> None:
    with zygote.witness(submission("import time; time.sleep(60)")) as child:
        assert zygote._running is not None
        timer = threading.Timer(0.5, os.kill, (zygote._running._process.pid, signal.SIGKILL))
        timer.start()
        with pytest.raises(ZygoteLost):
            child.load(20)
        timer.join()
    assert "x" in names(zygote, "x = 1")


def test_the_strongest_is_chosen_and_none_is_warned_of() -> None:
    with choice.sandbox("process") as bare:
        assert bare.name == "process"
        assert "not a security boundary" in bare.warning
    with pytest.raises(choice.Refused), choice.sandbox("process", required=True):
        pass


def test_without_bubblewrap_full_is_not_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jail, "find", lambda: None)
    with pytest.raises(choice.Refused, match="bubblewrap"), choice.sandbox("full"):
        pass


def test_the_jail_shows_libraries_and_not_the_project() -> None:
    root = str(places.package().parent)
    line = jail.command("bwrap", ["python"])
    shown = [line[n + 1] for n, word in enumerate(line) if word == "--ro-bind"]
    assert root not in shown
    assert str(places.package()) in shown
    assert not any(Path(p) == Path(root) for p in places.readable())


def test_the_judges_half_is_hidden() -> None:
    readable = places.readable()
    for name in ("grading.yml", "exercises", "checks", "diagnoses"):
        path = places.package() / name
        assert not any(path.is_relative_to(p) for p in readable)


def test_setup_survives_the_journey() -> None:
    setup = Setup("portable", True, "/x", Budget(memory=1))
    assert Setup.from_bytes(setup.to_bytes()) == setup


class TestChannel:
    """The judge's end, against a far end that misbehaves."""

    @pytest.fixture
    def ends(self) -> Iterator[tuple[Channel, int, int]]:
        (to_read, to_write), (far_read, near_write) = os.pipe(), os.pipe()
        channel = Channel(to_read, near_write)
        far = {far_read, to_write}
        self.far = far
        yield channel, far_read, to_write
        channel.close()
        for each in far:
            os.close(each)

    def test_answer(self, ends: tuple[Channel, int, int]) -> None:
        channel, inward, outward = ends

        def far() -> None:
            assert frames.read(inward) == b"question"
            frames.write(outward, b"answer")

        thread = threading.Thread(target=far)
        thread.start()
        assert channel.exchange(b"question", 5) == b"answer"
        thread.join()

    def test_silence(self, ends: tuple[Channel, int, int]) -> None:
        with pytest.raises(Late):
            ends[0].exchange(b"q", 0.05)

    def test_not_reading(self, ends: tuple[Channel, int, int]) -> None:
        with pytest.raises(Late):
            ends[0].exchange(b"q" * 1_000_000, 0.05)

    def test_before_the_question(self, ends: tuple[Channel, int, int]) -> None:
        frames.write(ends[2], b"{}")
        with pytest.raises(frames.BadFrame):
            ends[0].exchange(b"q", 1)

    def test_too_long(self, ends: tuple[Channel, int, int]) -> None:
        thread = threading.Timer(0.05, os.write, (ends[2], struct.pack(">I", 2**31)))
        thread.start()
        with pytest.raises(frames.BadFrame):
            ends[0].exchange(b"q", 1)
        thread.join()

    def test_drop_by_drop(self, ends: tuple[Channel, int, int]) -> None:
        thread = threading.Timer(0.05, os.write, (ends[2], struct.pack(">I", 100) + b"{"))
        thread.start()
        with pytest.raises(Late):
            ends[0].exchange(b"q", 0.2)
        thread.join()

    def test_gone(self, ends: tuple[Channel, int, int]) -> None:
        for each in tuple(self.far):
            os.close(each)
        self.far.clear()
        with pytest.raises(Closed):
            ends[0].exchange(b"q", 1)


def test_what_a_killed_run_left_is_swept_away_however_deep(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from autograder.sandbox.scratch import PREFIX, Scratch

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / f"{PREFIX}left").mkdir()
    monkeypatch.chdir(tmp_path / f"{PREFIX}left")
    for _ in range(3000):
        os.mkdir("d")  # noqa: PTH102 - the whole path would be too long a name
        os.chdir("d")
    os.chdir(tmp_path)
    scratch, other = Scratch(), Scratch()
    assert len(list(tmp_path.iterdir())) == 2  # and a locked one is let be
    for each in (scratch, other):
        each.remove()
    assert list(tmp_path.iterdir()) == []
