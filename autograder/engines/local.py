"""The local engine: threads that each question one child of the zygote at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from itertools import chain, islice

from autograder.engines.work import Job, Outcome, Terms, work
from autograder.sandbox.choice import Sandbox


class Local:
    """`workers` submissions at a time on this machine, in the sandbox that `opened` gives."""

    name = "local"

    def __init__(self, opened: Callable[[], AbstractContextManager[Sandbox]],
                 workers: int) -> None:
        self._opened = opened
        self._workers = workers

    def run(self, jobs: Iterable[Job], terms: Terms) -> Iterator[Outcome]:
        """Outcomes as they come; never holds more jobs than can run at once.

        The sandbox is opened for the first job: where all is done already, none is needed.
        """
        waiting = iter(jobs)
        first = next(waiting, None)
        if first is None:
            return
        running: set[Future[Outcome]] = set()
        with self._opened() as chosen:
            pool = ThreadPoolExecutor(self._workers)
            try:
                waiting = chain([first], waiting)
                while True:
                    for job in islice(waiting, self._workers - len(running)):
                        running.add(pool.submit(work, job, terms, chosen.witness))
                    if not running:
                        return
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                    for each in done:
                        yield each.result()
            finally:
                # Not waited for: their children end with the sandbox, and they with those.
                pool.shutdown(wait=False, cancel_futures=True)
