"""Many machines: the same results, and a lost worker loses nothing."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from autograder import batch, grading
from autograder.engines import dask
from autograder.engines.local import Local
from autograder.engines.work import Terms
from autograder.handins import Handin
from autograder.sandbox.choice import Refused, sandbox
from autograder.sandbox.setup import Budget
from autograder.store import Store

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    distributed = pytest.importorskip("distributed")

pytestmark = pytest.mark.filterwarnings("ignore")  # dask's own

CORPUS = Path(__file__).parent / "corpus"
NAMES = ("linear/r01_optim_sgd_sum.py", "linear/w02_retain_graph_silences.py",
         "linear/w06_bias_forgotten.py", "linear/w12_leaf_inplace.py",
         "conv/w17_outputs_kept.py", "lqr/w08_no_state_feedback.py")
PLACE = dask.Place(None, False, Budget())


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1,
                                  dashboard_address=None) as running:
        yield running


def handins() -> list[Handin]:
    files = [CORPUS / name for name in NAMES]
    return [Handin(f.stem, f"{f.parent.name}.py", str(f), partial(bytes, f.read_bytes()))
            for f in files]


def engine(address: str, profiles: list[str], place: dask.Place = PLACE) -> dask.Dask:
    return dask.Dask(place, lambda name, warning: profiles.append(name), scheduler=address)


def run(out: Path, chosen: Any, those: list[Handin] | None = None) -> Iterator[batch.Result]:
    usual = grading.load()
    return batch.run(those or handins(), Store(out), Terms(usual, usual.seed), chosen)


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    found = run(tmp_path_factory.mktemp("local"), Local(sandbox, 2))
    return {r.row.name: r.report for r in found}


def test_results_are_those_of_the_local_engine(tmp_path: Path, cluster: Any,
                                               local: dict[str, Any]) -> None:
    profiles: list[str] = []
    found = run(tmp_path, engine(cluster.scheduler_address, profiles))
    assert {r.row.name: r.report for r in found} == local
    assert len(local) == len(profiles) == len(NAMES)


def test_a_lost_worker_loses_nothing(tmp_path: Path, cluster: Any,
                                     local: dict[str, Any]) -> None:
    results = run(tmp_path, engine(cluster.scheduler_address, []))
    first = next(results)
    with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
        pids = client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)
    found = [first, *results]
    assert sorted(r.row.name for r in found) == sorted(local)
    assert {r.row.name: r.report for r in found} == local


def test_what_kills_every_worker_has_a_row_and_is_graded_when_asked_again(
        tmp_path: Path, cluster: Any) -> None:
    """Here a worker dies of bad luck while it has the slow one, and dask is told to give up."""
    right = (CORPUS / NAMES[0]).read_bytes()
    sources = {"quick": right, "slow": b"import time; time.sleep(5)\n" + right}
    those = [Handin(n, "linear.py", n, partial(bytes, data)) for n, data in sources.items()]
    address = cluster.scheduler_address
    with distributed.Client(address, set_as_default=False) as client, \
            ThreadPoolExecutor(1) as aside:
        usual = client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.allowed_failures)
        client.run_on_scheduler(_give_up_after, 0)
        try:
            ran = aside.submit(lambda: list(run(tmp_path, engine(address, []), those)))
            until = time.monotonic() + 60
            while not (tmp_path / "students/quick/evidence.json").exists():
                assert time.monotonic() < until
                time.sleep(0.05)
            (busy,) = [worker for worker, tasks in client.processing().items() if tasks]
            os.kill(client.run(os.getpid, workers=[busy])[busy], signal.SIGKILL)
            rows = {r.row.name: r for r in ran.result(60)}
        finally:
            client.run_on_scheduler(_give_up_after, usual)
    assert rows["quick"].row.score == 10
    lost = rows["slow"]
    assert (lost.row.status, lost.row.graded, lost.report) == ("lost", False, None)
    assert "every worker" in lost.doubt
    again = {r.row.name: r.row for r in run(tmp_path, engine(address, []), those)}
    assert {n: (r.score, r.reused) for n, r in again.items()} == {
        "quick": (10, True), "slow": (10, False)}


def _give_up_after(failures: int, dask_scheduler: Any) -> None:
    dask_scheduler.allowed_failures = failures


def test_a_worker_without_the_sandbox_refuses(tmp_path: Path, cluster: Any,
                                              monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "versions", lambda: "autograd-autograder 0")
    with pytest.raises(Refused, match="where this machine has autograd-autograder 0"):
        list(run(tmp_path, engine(cluster.scheduler_address, [])))


def grade(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from autograder.cli import main; main()", "grade",
         *map(str, arguments)], capture_output=True, text=True, timeout=180, check=False,
        env=os.environ | environment)


def test_the_command_starts_workers_of_its_own(tmp_path: Path) -> None:
    shutil.copy(CORPUS / NAMES[0], tmp_path / "linear.py")
    done = grade(tmp_path / "linear.py", "-o", tmp_path / "out", "--engine", "dask", "-j", "1")
    assert done.returncode == 0, done.stderr
    assert "10/10" in done.stderr


@pytest.mark.parametrize(("line", "said"), [
    (("--scheduler", "tcp://x:1"), "add --engine dask"),
    (("--engine", "dask"), "pip install 'autograd-autograder[dask]'")])
def test_usage_errors(tmp_path: Path, line: tuple[str, ...], said: str) -> None:
    """Without the extra, which a module of that name stands for here."""
    (tmp_path / "distributed.py").write_text("raise ImportError")
    file = tmp_path / "linear.py"
    shutil.copy(CORPUS / NAMES[0], file)
    done = grade(file, "-o", tmp_path / "out", *line, PYTHONPATH=str(tmp_path))
    assert done.returncode == 2
    assert said in done.stderr


def test_a_scheduler_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask, "PATIENCE", 1)
    with pytest.raises(dask.NoDask, match="no dask scheduler answers at tcp://127.0.0.1:9"):
        list(run(tmp_path, engine("tcp://127.0.0.1:9", [])))
