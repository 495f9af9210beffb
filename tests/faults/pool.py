"""Runs the legs of many mutants on two processes, and makes the map first."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path

from tests.faults import reach
from tests.faults.mutant import ROOT
from tests.faults.worker import TESTS, Result, Server, Task, collected_server, files_of, fresh_server

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
FAST = {"record", "patch"}


@dataclass
class Done:
    """What came of one mutant, and what it cost."""

    result: Result
    seconds: float = 0.0


class Void(Exception):
    """The run says nothing about the tests."""


class Pool:
    """The servers, and at most so many children of theirs at a time."""

    def __init__(self, jobs: int, tests: tuple[str, ...] = TESTS) -> None:
        os.environ.update(dict.fromkeys(THREADS, "1"), PYTHONHASHSEED="0", MPLBACKEND="agg")
        os.chdir(ROOT)
        self.jobs, self.log = jobs, reach.KEPT / "log.txt"
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.log.unlink(missing_ok=True)
        self.collected = Server(collected_server, self.log, tests)
        try:
            self.names, self.imports, modules, errors = self.collected.connection.recv()
        except EOFError:
            raise Void(f"the tests cannot be collected:\n{tail(self.log)}") from None
        if errors:
            raise Void("the tests cannot be collected:\n" + "\n".join(errors))
        self.fresh = Server(fresh_server, self.log, modules)
        self.of_the_book: tuple[tuple[str, float], ...] = ()  # its tests, with their seconds

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End both servers."""
        for server in (self.collected, self.fresh):
            server.stop()

    def run(self, jobs: Iterable[list[Task]], told: Callable[[str, Done], None]) -> None:
        """Run the legs of each mutant in turn, until one kills it, and tell what came of it."""
        waiting, left, costs, skipped = iter(jobs), {}, Counter[str](), Counter[str]()
        servers = {server.connection: server for server in (self.collected, self.fresh)}
        while True:
            while len(left) < self.jobs and (legs := next(waiting, None)) is not None:
                left[legs[0].name] = legs
                self.send(legs[0])
            if not left:
                return
            for connection in wait(list(servers)):
                name, result, used = connection.recv()
                task, *rest = left.pop(name)
                costs[name] += used
                skipped[name] += task.left
                if result.outcome == "import it":
                    again = Task(name, "import", task.texts, task.tests, files_of(task.tests), task.chapters)
                    rest = [again, *rest]
                if result.outcome == "outputs":
                    rest = [Task(name, "read", result.data, self.of_the_book, files_of(self.of_the_book))]
                if task.how == "read" and task.tests == self.of_the_book and result.outcome == "survived":
                    result.outcome = "stored"
                unseen = result.outcome == "survived" and result.ran and not result.seen  # the run is void
                if rest and not unseen and result.outcome in ("survived", "import it", "outputs"):
                    left[name] = rest
                    self.send(rest[0])
                else:
                    if skipped[name] and result.outcome == "survived":
                        result.why = f"{skipped[name]} tests not run"
                    told(name, Done(result, costs[name]))

    def send(self, task: Task) -> None:
        """Send a task to the server for it."""
        fast = task.how in FAST or (task.how == "read" and not task.files)
        (self.collected if fast else self.fresh).connection.send(task)

    def map(self, told: Callable[[str], None], run: Sequence[str] = ()) -> reach.Reach:
        """Return the map, made anew where what is kept no longer holds; some chapters may be run for it."""
        files: dict[str, list[str]] = {name: [name] for name in run}
        for name in self.names:
            files.setdefault(name.split("::")[0], []).append(name)
        records = {file: reach.kept(file, set(names)) for file, names in files.items()}
        stale = [file for file, found in records.items() if found is None]
        if stale:
            told(f"The map of {len(stale)} of {len(files)} test files is made (minutes, once).")
        tasks = [[recording(file, files[file], file in run)] for file in stale]

        def keep(file: str, done: Done) -> None:
            found = done.result.data
            if found is None:
                raise Void(f"{file} could not be run: {done.result}")
            if found.red:
                raise Void("Without any fault these fail: " + ", ".join(found.red))
            reach.keep(file, found)
            records[file] = found

        self.run(tasks, keep)
        tests = {name: reached for found in records.values() for name, reached in found.tests.items()}
        book = sorted(name for name in self.names if name.startswith("tests/book/"))
        self.of_the_book = tuple((name, tests[name].seconds) for name in book)
        return reach.Reach(tests, self.imports, {name: tests.pop(name) for name in run})


def recording(file: str, names: Sequence[str], chapter: bool) -> Task:
    """Return the task that records what the tests of a file, or a chapter, reach."""
    tests = tuple((name, 0.0) for name in names)
    return Task(file, "record", tests=tests, chapters=(file,) if chapter else ())


def tail(path: Path) -> str:
    """Return the end of a log."""
    return path.read_text(encoding="utf-8", errors="replace")[-2000:] if path.is_file() else ""
