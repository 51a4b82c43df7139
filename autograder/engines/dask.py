"""Many machines: dask hands the submissions out, each worker keeps a zygote of its own.

A worker that is lost costs nothing but time: dask gives what it had to another one.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.metadata import version
from itertools import chain, islice
from typing import Any

from autograder.engines.work import Job, Outcome, Terms, work
from autograder.sandbox.choice import Refused, Sandbox, sandbox
from autograder.sandbox.setup import Budget

AHEAD = 2
"""Jobs on their way for each thread of a worker, so that none waits for the next."""
PATIENCE = 30
"""Seconds for a scheduler to answer."""


class NoDask(Exception):
    """The extra is missing, or nothing answers; the message says what to do."""


@dataclass(frozen=True)
class Place:
    """What a worker's sandbox is opened with."""

    only: str | None
    required: bool
    budget: Budget


@dataclass(frozen=True)
class Seen:
    """An outcome, and the sandbox that a worker chose for it."""

    outcome: Outcome
    sandbox: str
    warning: str


class Dask:
    """`scheduler` is an address; without one, `workers` processes on this machine."""

    name = "dask"

    def __init__(self, place: Place, noticed: Callable[[str, str], None], *,
                 scheduler: str | None = None, workers: int = 1) -> None:
        self._place = place
        self._noticed = noticed
        self._scheduler = scheduler
        self._workers = workers

    def run(self, jobs: Iterable[Job], terms: Terms) -> Iterator[Outcome]:
        """Outcomes as they come; holds no more jobs than keep the workers busy.

        Raises:
            NoDask: where dask is not installed or no scheduler answers.
            Refused: where a worker has not the sandbox asked for.
        """
        waiting = iter(jobs)
        first = next(waiting, None)
        if first is None:
            return
        distributed = _distributed()
        running: dict[Any, Job] = {}
        with ExitStack() as stack:
            client = stack.enter_context(self._client(distributed, stack))
            waiting = chain([first], waiting)
            while True:
                room = AHEAD * max(sum(client.nthreads().values()), 1) - len(running)
                for job in islice(waiting, max(room, 0)):
                    future = client.submit(_task, job, terms, self._place, versions(), pure=False)
                    running[future] = job
                if not running:
                    return
                done, _ = distributed.wait(list(running), return_when="FIRST_COMPLETED")
                for future in done:
                    yield self._outcome(future, running.pop(future), distributed)

    def _client(self, distributed: Any, stack: ExitStack) -> Any:
        if self._scheduler is None:
            address = stack.enter_context(distributed.LocalCluster(
                n_workers=self._workers, threads_per_worker=1, dashboard_address=None))
        else:
            address = self._scheduler
        try:
            return distributed.Client(address, timeout=PATIENCE)
        except (OSError, ValueError) as error:
            raise NoDask(f"no dask scheduler answers at {self._scheduler}: {error}") from None

    def _outcome(self, future: Any, job: Job, distributed: Any) -> Outcome:
        try:
            seen: Seen = future.result()
        except distributed.KilledWorker as error:
            return Outcome(job.name, job.key, None, status="lost",
                           doubt=f"every worker that graded it was lost: {error}")
        self._noticed(seen.sandbox, seen.warning)
        return seen.outcome


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise NoDask("dask is not installed here: "
                     "pip install 'autograd-autograder[dask]'.") from None
    return distributed


def versions() -> str:
    """What must be the same on all machines for their results to be the same."""
    return ", ".join(f"{name} {version(name)}" for name in ("autograd-autograder", "torch"))


def _task(job: Job, terms: Terms, place: Place, wanted: str) -> Seen:
    """Runs on a worker."""
    if versions() != wanted:
        raise Refused(f"a worker has {versions()} where this machine has {wanted}.")
    chosen = _KEPT.sandbox(place)
    return Seen(work(job, terms, chosen.witness), chosen.name, chosen.warning)


class _Kept:
    """The sandboxes of a worker's process, opened when first wanted, kept for all batches."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[Place, Sandbox] = {}
        self._over = threading.Event()

    def sandbox(self, place: Place) -> Sandbox:
        with self._lock:
            if place not in self._open:
                self._open[place] = self._start(place)
            return self._open[place]

    def _start(self, place: Place) -> Sandbox:
        """A zygote dies with the thread that starts it, and dask's threads come and go."""
        opened: Future[Sandbox] = Future()

        def keep() -> None:
            try:
                with sandbox(place.only, required=place.required,
                             budget=place.budget) as chosen:
                    opened.set_result(chosen)
                    self._over.wait()
            except BaseException as error:
                if not opened.done():
                    opened.set_exception(error)

        keeper = threading.Thread(target=keep, daemon=True, name="autograder-zygote")
        keeper.start()
        atexit.register(self._close, keeper)
        return opened.result()

    def _close(self, keeper: threading.Thread) -> None:
        self._over.set()
        keeper.join(5)


_KEPT = _Kept()
