"""What grading costs, as ratios of CPU time: `python tools/bench.py [--quick]` (make bench).

All in one run, side by side on this machine, with the solutions of linear, conv and lqr:
our batch, a floor that only runs their cells and trains as asked, `otter run` on autograder's own
zip, isolation, and a class of 2,000 beside one of 100 (left out where it is to be quick).
CPU seconds are a process's own and its children's, as the kernel counts them.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
ASSIGNMENTS = ("linear", "conv", "lqr")
TUNED = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
"""As in the zygote: all are measured with the same memory."""
MAIN = "from autograder.cli import main; main()"


def spent(line: list[str]) -> tuple[float, str]:
    """CPU seconds of a command and all that it started and waited for; and its output."""
    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    done = subprocess.run(line, capture_output=True, text=True, check=False,
                          env=os.environ | {"OMP_NUM_THREADS": "1"} | TUNED)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(map(str, line))}\n{done.stdout}\n{done.stderr}")
    return used() - before, done.stdout


def first(source: Path, place: Path) -> tuple[float, float]:
    """CPU and wall seconds of `autograder grade` on one submission, with all that starts."""
    shutil.rmtree(place, ignore_errors=True)
    started = time.monotonic()
    cpu, _ = spent([sys.executable, "-c", MAIN, "grade", str(source), "-o", str(place), "-j", "1",
                    "--sandbox", "portable"])
    return cpu, time.monotonic() - started


class Bench:
    """Our batch beside its floor: blocks of submissions in turn, and the quickest block counts.

    The machine may be slower at one time than at another; in turn, both get its good moments.
    """

    def __init__(self, source: Path, copies: int, place: Path) -> None:
        self.source = source
        self.copies = copies
        self.place = place
        self.place.mkdir(parents=True)

    def measure(self, rounds: int) -> dict[str, float]:
        """CPU seconds a submission: ours without and with a page, and the floor's."""
        from autograder.grading import load
        from autograder.sandbox.choice import sandbox

        found: dict[str, list[float]] = {"bare": [], "paged": [], "floor": []}
        questions = self.place / "questions.json"
        # portable: what runs under bwrap is on no account that can be read from outside.
        with sandbox("portable") as chosen:
            grading = load()
            evidence = self._block(grading, chosen.witness, 1, html=False)[1]
            questions.write_text(json.dumps(asked(evidence)), encoding="utf-8")
            for _ in range(rounds):
                found["bare"].append(self._block(grading, chosen.witness, self.copies,
                                                 html=False)[0])
                found["paged"].append(self._block(grading, chosen.witness, self.copies,
                                                  html=True)[0])
                found["floor"].append(floor(self.source, questions, self.copies))
        return {name: min(values) for name, values in found.items()}

    def _block(self, grading: Any, witness: Any, copies: int, *, html: bool) -> tuple[float, str]:
        from autograder.engines.work import Job, Terms, work
        from autograder.store import Store, key

        store, terms = Store(self.place / "out"), Terms(grading, grading.seed, html=html)
        before = used()
        for number in range(copies):
            data = self.source.read_bytes()
            sha256 = hashlib.sha256(data).hexdigest()
            outcome = work(Job(f"s{number}", self.source.name, data, sha256,
                               key(sha256, self.source.name, terms)), terms, witness)
            store.save(outcome)
        return (used() - before) / copies, outcome.evidence


def asked(evidence: str) -> list[dict[str, Any]]:
    """The training runs that a submission was asked for."""
    exchanges = json.loads(evidence)["evidence"]["exchanges"]
    return [e["question"] for e in exchanges if e["question"]["ask"] in ("train", "walk")]


def used() -> float:
    """CPU seconds of this process and of all that it has started."""
    return sum(os.times()[:4]) + below(os.getpid())


def floor(source: Path, questions: Path, copies: int) -> float:
    """CPU seconds of these runs in a warmed process of their own."""
    _, said = spent([sys.executable, __file__, "floor", str(source), str(questions), str(copies)])
    return float(said)


def run_floor(source: Path, questions: Path, copies: int) -> float:
    """In that process: the notebook's cells, then its functions as asked, and nothing else."""
    import torch

    from autograder.submission import read

    asked = json.loads(questions.read_text(encoding="utf-8"))
    cells = [compile(cell.source, "<cell>", "exec") for cell in read(source).cells]

    def tensor(array: dict[str, Any]) -> torch.Tensor:
        return torch.tensor(array["values"], dtype=torch.float32).reshape(array["shape"])

    def once() -> None:
        names: dict[str, Any] = {"__name__": "__main__", "display": print}
        for cell in cells:
            exec(cell, names)
        for q in asked:
            torch.manual_seed(q["seed"])
            if q["ask"] == "train":
                X, Y = ((tensor(q["X"]), tensor(q["Y"])) if q["X"]
                        else names["make_data"](q["seed"]))
                steps = {} if q["steps"] is None else {"steps": q["steps"]}
                names["train"](X, Y, seed=q["seed"], **steps)
            else:
                rate = {} if q["C"] is None else {"learning_rate_param_C": q["C"]}
                agent = names["OneD_NN_LQR"](q["hidden"], **rate)
                for _ in range(q["steps"]):
                    agent.step(q["delta"])

    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):  # noqa: PTH123
        once()
        before = time.process_time()
        for _ in range(copies):
            once()
        return (time.process_time() - before) / copies


def run_forks(copies: int) -> float:
    """CPU seconds to fork a warmed process, load an empty submission, and end; not confined."""
    from autograder.probe.session import Session
    from autograder.sandbox.warming import warm_up, warm_up_optimizers
    from autograder.submission import Cell, Submission

    warm_up()
    warm_up_optimizers()
    before = sum(os.times()[:4])
    for _ in range(copies):
        if not (pid := os.fork()):
            with Session(Submission("empty.py", (Cell(None, ""),), "")):
                os._exit(0)
        os.waitpid(pid, 0)
    return (sum(os.times()[:4]) - before) / copies


def run_zygote(kind: str, copies: int) -> float:
    """The same through the zygote: CPU seconds of judge, zygote and children."""
    from autograder.sandbox.choice import sandbox
    from autograder.submission import Cell, Submission

    with sandbox(None if kind == "best" else kind) as chosen:
        def once() -> None:
            with chosen.witness(Submission("empty.py", (Cell(None, ""),), "")) as child:
                child.load(60)

        once()
        before = used()
        for _ in range(copies):
            once()
        return (used() - before) / copies


def classes(source: Path, sizes: tuple[int, ...], place: Path) -> list[tuple[float, float]]:
    """For classes of these sizes: wall ms a submission after the first, the judge's MiB at most."""
    found: list[tuple[float, float]] = []
    first = 0.0
    for size in (1, *sizes):
        shutil.rmtree(place, ignore_errors=True)
        (place / "in").mkdir(parents=True)
        for number in range(size):
            shutil.copy(source, place / "in" / f"s{number:04}-{source.name}")
        started, most = time.monotonic(), 0.0
        with subprocess.Popen(
                [sys.executable, "-c", MAIN, "grade", str(place / "in"), "-o", str(place / "out"),
                 "--no-html"], stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL) as judge:
            while judge.poll() is None:
                with contextlib.suppress(OSError, StopIteration):
                    status = Path(f"/proc/{judge.pid}/status").read_text(encoding="utf-8")
                    line = next(x for x in status.splitlines() if x.startswith("VmHWM"))
                    most = int(line.split()[1]) / 1024
                time.sleep(0.2)
        assert len(list((place / "out" / "students").iterdir())) == size
        wall = time.monotonic() - started
        if size == 1:
            first = wall
        else:
            found.append((1000 * (wall - first) / (size - 1), most))
    return found


def below(pid: int) -> float:
    """CPU seconds of a process's living descendants and of all that those waited for.

    bwrap does not wait for what it started, so that the kernel adds it to nobody's account.
    """
    total = 0.0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            ticks = sum(map(int, fields[11:15]))
            total += ticks / os.sysconf("SC_CLK_TCK") + below(int(path.parent.name))
    return total


def otter(source: Path, place: Path, repeat: int) -> float:
    """CPU seconds of `otter run` on autograder's zip, which does the same checks."""
    zipped = place / "dist" / source.stem / "autograder.zip"
    spent([sys.executable, "-c", MAIN, "build", source.stem, "-o", str(place / "dist"),
           "--masters", str(source.parent)])
    runner = "from otter.cli import cli; cli()"
    return min(spent([sys.executable, "-W", "ignore", "-c", runner, "run", "-a", str(zipped), "-o",
                      str(place), str(source)])[0] for _ in range(repeat))


def table(lines: Iterable[tuple[str, ...]]) -> None:
    for first, *rest in lines:
        print(f"{first:34}" + "".join(f"{cell:>12}" for cell in rest), flush=True)


def main(quick: bool) -> None:
    copies, rounds = (8, 3) if quick else (10, 6)
    rows: dict[str, list[str]] = {}

    def put(row: str, value: str) -> None:
        rows.setdefault(row, []).append(value)
        print(f"… {row.strip()}: {value}", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name in ASSIGNMENTS:
            source = ROOT / "solutions" / f"{name}.ipynb"
            several = copies if name != "lqr" else max(copies // 5, 2)  # seconds each
            cost = Bench(source, several, place / name).measure(rounds)
            put("our batch, ms a submission", f"{1000 * cost['bare']:.0f}")
            put("  with a page for each, ms", f"{1000 * cost['paged']:.0f}")
            put("floor, ms: the training alone", f"{1000 * cost['floor']:.0f}")
            put("batch / floor", f"{cost['bare'] / cost['floor']:.2f}")
            if name != "lqr":
                theirs = otter(source, place / name, rounds)
                put("otter run, ms", f"{1000 * theirs:.0f}")
                put("otter run / batch", f"{theirs / cost['bare']:.1f}")
            start, wall = first(source, place / "first")
            put("start and first, CPU s", f"{start:.1f}")
            put("start and first, wall s", f"{wall:.1f}")
    print(f"CPU time of the solutions; the quickest of {rounds} blocks of {copies}; "
          f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors\n")
    table([("", *ASSIGNMENTS), *((row, *cells) for row, cells in rows.items())])
    print("\nAn empty submission, ms")
    bare, full, fresh = [], [], []
    for _ in range(rounds):
        bare.append(float(spent([sys.executable, __file__, "forks", str(4 * copies)])[1]))
        full.append(float(spent([sys.executable, __file__, "zygote", "best", str(4 * copies)])[1]))
    fresh.append(float(spent([sys.executable, __file__, "zygote", "process", "3"])[1]))
    table([("a fork, nothing confined", f"{1000 * min(bare):.1f}"),
           ("the strongest sandbox here", f"{1000 * min(full):.1f}"),
           ("  adds", f"{1000 * (min(full) - min(bare)):.1f}"),
           ("a fresh process each, no isolation", f"{1000 * fresh[0]:.0f}")])
    if not quick:
        with tempfile.TemporaryDirectory() as folder:
            small, large = classes(ROOT / "solutions" / "conv.ipynb", (100, 2000), Path(folder))
        print("\nA class of conv notebooks")
        table([("", "100", "2000"),
               ("wall ms a submission", f"{small[0]:.0f}", f"{large[0]:.0f}"),
               ("the judge's memory at most, MiB", f"{small[1]:.0f}", f"{large[1]:.0f}")])


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["floor", source, questions, copies]:
            print(run_floor(Path(source), Path(questions), int(copies)))
        case ["forks", copies]:
            print(run_forks(int(copies)))
        case ["zygote", kind, copies]:
            print(run_zygote(kind, int(copies)))
        case [*options]:
            main("--quick" in options)
