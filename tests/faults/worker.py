"""Two processes that fork: one has imported everything and collected the tests, one only other packages.

Each leg of a mutant runs in a child of one of them, so that every mutant meets the same state, and none
leaves any.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import pickle
import pkgutil
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from tests.faults import chapters, files, plant, reach
from tests.faults.mutant import ROOT, read

TESTS = ("dtlib", "tests/unit", "tests/property", "tests/oracles", "tests/book")
OPTIONS = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--disable-warnings")
LOADED = ("-W", "ignore::pytest.PytestAssertRewriteWarning")  # a plugin is in memory before pytest starts
MEMORY = 6 << 30  # bytes of address space; a fault may let a tree grow without end
BUILD = 1800  # seconds of a build of the book
NBVAL = ("-q", "--nbval", "--nbval-current-env", "--nbval-cell-timeout=60", "-p", "no:cacheprovider")
LEAST, TIMES = 5, 4  # seconds of processor time a test may always take, and how many times its usual
ALARMS = {signal.SIGPROF, signal.SIGALRM, signal.SIGXCPU, signal.SIGKILL}
at_work: Path | None = None  # of a child: the file that names the test it runs, read if it runs too long


@dataclass(frozen=True)
class Task:
    """One leg of a mutant, or the recording of a test file.

    Parameters
    ----------
    name : str
        Of the mutant, or of the test file that is recorded.
    how : {"record", "patch", "import", "read", "build", "execute"}
        What is done in the child before the tests run.
    texts : dict
        The files that differ, with their texts.
    tests : list of (str, float)
        Tests and their usual seconds, in order.
    left : int
        How many tests that reach the mutant are not run, as they would take too long.
    files : tuple of str
        What a fresh process collects.
    chapters : tuple of str
        What is run instead of tests.
    same : bool
        A control: nothing differs but the objects.
    """

    name: str
    how: str
    texts: dict[str, str] = field(default_factory=dict)
    tests: tuple[tuple[str, float], ...] = ()
    files: tuple[str, ...] = ()
    chapters: tuple[str, ...] = ()
    same: bool = False
    left: int = 0


def files_of(tests: Iterable[tuple[str, float]]) -> tuple[str, ...]:
    """Return the files of some tests."""
    return tuple(sorted({name.split("::")[0] for name, _ in tests}))


@dataclass
class Result:
    """What came of a task: killed, survived, broken, time-out or memory; by which test, and whether it ran.

    Chapters can also come to `outputs`: some differ from those that are stored.
    """

    outcome: str
    by: str = ""
    why: str = ""
    seen: bool = False
    ran: int = 0
    data: Any = None


class Server:
    """A process that forks a child for each task it is sent, and tells what came of it."""

    def __init__(self, main: Callable[..., None], *arguments: Any) -> None:
        self.connection, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("fork")
        self.process = context.Process(target=main, args=(theirs, *arguments))
        self.process.start()
        theirs.close()

    def stop(self) -> None:
        """End the process."""
        with suppress(OSError):
            self.connection.send(None)
        self.process.join(60)
        if self.process.is_alive():
            self.process.kill()


def serve(connection: Connection, run: Callable[[Task], Result]) -> None:
    """Fork a child for each task that comes, until None comes; send each result with the task's name."""
    children: dict[int, tuple[str, Path]] = {}
    with tempfile.TemporaryDirectory() as folder:
        number, open_ = 0, True
        while open_ or children:
            if connection.poll(0.01):
                task = connection.recv()
                if task is None:
                    open_ = False
                    continue
                number += 1
                target = Path(folder) / str(number)
                pid = os.fork()
                if pid == 0:
                    child(task, target, run)
                children[pid] = (task.name, target)
            for pid, status, used in ended(children):
                name, target = children.pop(pid)
                connection.send((name, result_of(status, target), used))


def ended(children: dict[int, Any]) -> Iterator[tuple[int, int, float]]:
    """Yield the children that have ended: number, status, seconds of processor time."""
    for pid in list(children):
        found, status, usage = os.wait4(pid, os.WNOHANG)
        if found:
            yield pid, status, usage.ru_utime + usage.ru_stime


def child(task: Task, target: Path, run: Callable[[Task], Result]) -> None:
    """Run a task in this process, write its result and end, whatever happens."""
    global at_work
    at_work = target.with_suffix(".test")
    try:
        os.setpgid(0, 0)
        if sys.platform == "linux":  # others do not see to it
            _, most = resource.getrlimit(resource.RLIMIT_AS)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))
        result = run(task)
    except BaseException:
        result = Result("broken", why=traceback.format_exc(limit=-4))
    finally:
        sys.setprofile(None)
    target.with_suffix(".part").write_bytes(pickle.dumps(result))
    target.with_suffix(".part").rename(target)
    os._exit(0)


def result_of(status: int, target: Path) -> Result:
    """Return what a child has written, or why it could not."""
    if target.is_file():
        found: Result = pickle.loads(target.read_bytes())
        target.unlink()
        return found
    signalled = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if signalled in ALARMS:
        test = target.with_suffix(".test")
        by = test.read_text(encoding="utf-8") if test.is_file() else ""
        return Result("time-out", by, signal.Signals(signalled).name)
    return Result("broken", why=f"the process ended with status {status}")


def allow(seconds: float) -> None:
    """Let the process run so long from now: processor time, and ten times as long by the clock."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 10 * seconds)


def run_items(items: list[pytest.Item], usual: dict[str, float], stop_at_first: bool = True) -> Result:
    """Run tests until one fails."""
    for number, item in enumerate(items, 1):
        if at_work:
            at_work.write_text(item.nodeid, encoding="utf-8")
        allow(LEAST + TIMES * usual.get(item.nodeid, 0.0))
        for report in reach.reports_of(item):
            if report.failed:
                why = str(getattr(report.longrepr, "reprcrash", None) or report.longrepr)
                memory = "MemoryError" in why
                return Result("memory" if memory else "killed", item.nodeid, why[-200:], ran=number)
    allow(3600)
    return Result("survived", ran=len(items))


def run_chapters(names: tuple[str, ...]) -> Result:
    """Run chapters; what differs are their texts, as `make outputs` would store them."""
    texts = {}
    for name in names:
        allow(LEAST * TIMES)
        found = chapters.outputs(name)
        stopped = [cell for cell, said in found.items() if any(kind == "error" for kind, _ in said)]
        if stopped:
            return Result("killed", f"{name}, cell {stopped[0]}", "the cell stopped", ran=1)
        text = chapters.stored_again(name, found)
        if text != read(name):
            texts[name] = text
    return Result("outputs" if texts else "survived", ", ".join(texts), ran=1, data=texts)


class Collected:
    """A plugin that, in place of running the tests, serves tasks on them."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.opened = reach.Opened()
        self.cover = reach.tracer()
        self.imports: dict[str, reach.Reached] = {}
        self.errors: list[str] = []
        self.cover.start()
        self.cover.switch_context("import")
        import_library()
        self.imports[""] = reach.Reached()
        self.opened.taken()

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Any:
        """Note what the import of a test file reaches."""
        if isinstance(collector, pytest.File):
            self.cover.switch_context(f"import {collector.nodeid}")
            self.opened.taken()
        report = yield
        if report.failed:
            self.errors.append(f"{collector.nodeid}: {report.longrepr}")
        if isinstance(collector, pytest.File):
            old = self.imports.setdefault(collector.nodeid, reach.Reached())
            old.opened |= self.opened.taken() - {collector.nodeid}
        return report

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Say what was collected, then serve."""
        self.cover.stop()
        for name, lines in reach.lines_by_context(reach.collected(self.cover)).items():
            if name.startswith("import"):
                self.imports.setdefault(name[7:], reach.Reached()).lines = lines
        self.items = {item.nodeid: item for item in session.items}
        self.live, self.caches = plant.live_functions(), reach.caches()
        names = [item.nodeid for item in session.items]
        self.connection.send((names, self.imports, other_modules(), self.errors))
        serve(self.connection, self.run)
        return True

    def run(self, task: Task) -> Result:
        """Run one task in a child."""
        if task.how == "record" and task.chapters:
            return Result("recorded", data=reach.record_chapter(task.name))
        if task.how == "record":
            items = [self.items[name] for name, _ in task.tests]
            allow(3600)
            return Result("recorded", data=reach.record(items, self.opened))
        self.opened.on = False
        usual = dict(task.tests)
        try:
            witness = self.planted(task)
        except plant.CannotPatch as error:
            return Result("import it", why=str(error))
        items = [self.items[name] for name, _ in task.tests]
        result = run_chapters(task.chapters) if task.chapters else run_items(items, usual)
        witness.stop()
        result.seen = witness.seen
        return result

    def planted(self, task: Task) -> plant.Witness | plant.Read:
        """Plant what a task says; return who sees whether it runs."""
        if task.how == "read":
            return plant.Read(task.texts)
        ((file, text),) = task.texts.items()
        path, old = str(ROOT / file), read(file)
        plant.Read(task.texts)  # for tests that read the source
        for kept in self.caches:
            if kept.__module__.startswith("dtlib"):
                kept.cache_clear()  # what the sound code has found must not decide
        return plant.patch(self.live.get(path, {}), old, text, path, task.same)


class Fresh:
    """A plugin that runs the tests wanted, of all that are collected, in the order wanted."""

    def __init__(self, task: Task) -> None:
        self.wanted = dict(task.tests)
        self.result = Result("broken", why="nothing was collected")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that cannot be imported."""
        if report.failed:
            self.result = Result("broken", why=str(report.longrepr)[-300:])

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests."""
        if session.testsfailed:
            return True
        order = {name: number for number, name in enumerate(self.wanted)}
        items = [item for item in session.items if not order or item.nodeid in order]
        items.sort(key=lambda item: order.get(item.nodeid, 0))
        self.result = run_items(items, self.wanted)
        return True


def run_fresh(task: Task) -> Result:
    """Plant a fault in a process that has not imported the library, then import, collect and run."""
    ours = [name for name in sys.modules if name.split(".")[0] == "dtlib"]
    if ours:
        raise RuntimeError(f"a fresh process has already imported {ours[:3]}")
    if task.how in ("build", "execute"):
        return in_a_copy(task)
    witnesses: list[Any] = [plant.Read(task.texts)]
    if task.how == "import":
        witnesses = [plant.Imported(ROOT / file, text) for file, text in task.texts.items()]
    plugin = Fresh(task)
    allow(300)
    if task.how == "import":
        import_library()
    if task.chapters:
        plugin.result = run_chapters(task.chapters)
    else:
        pytest.main([*OPTIONS, *LOADED, *task.files], plugins=[plugin])
    plugin.result.seen = all(witness.seen for witness in witnesses)
    origin = getattr(sys.modules.get("dtlib"), "__file__", None)
    if origin and Path(origin).parent != ROOT / "dtlib":
        raise RuntimeError(f"the dtlib of {origin} was tested")
    return plugin.result


def in_a_copy(task: Task) -> Result:
    """Build the book, or execute chapters and compare them, in a copy that has a fault in it."""
    resource.setrlimit(resource.RLIMIT_AS, (resource.getrlimit(resource.RLIMIT_AS)[1],) * 2)
    with tempfile.TemporaryDirectory() as folder:
        for name in files.listed():
            target = Path(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)
        for name, text in task.texts.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        command = ["make", "--old-file", f"{sys.prefix}/ready", f"VENV={sys.prefix}", "book"]
        if task.how == "execute":
            command = [sys.executable, "-m", "pytest", *NBVAL, *task.chapters]
        how: dict[str, Any] = {
            "env": os.environ | {"PYTHONPATH": folder},
            "capture_output": True,
            "text": True,
        }
        try:
            ran = subprocess.run(command, cwd=folder, check=False, timeout=BUILD, **how)
        except subprocess.TimeoutExpired:
            return Result("time-out")
    said = (ran.stdout + ran.stderr).strip()[-200:]
    by = " ".join(task.chapters) or "make book"
    return Result("killed" if ran.returncode else "survived", by, said, seen=True, ran=1)


def import_library() -> None:
    """Import every module of the library."""
    library = importlib.import_module("dtlib")
    for module in pkgutil.walk_packages(library.__path__, "dtlib."):
        importlib.import_module(module.name)


def other_modules() -> list[str]:
    """List the modules of other packages that are loaded."""
    files = {name: getattr(module, "__file__", None) or "" for name, module in list(sys.modules.items())}
    environment = str(Path(sys.prefix))
    return [
        name
        for name, file in files.items()
        if name != "__main__" and (not file.startswith(str(ROOT)) or file.startswith(environment))
    ]


def collected_server(connection: Connection, log: Path, tests: tuple[str, ...]) -> None:
    """Be the process that has imported everything."""
    quiet(log)
    pytest.main([*OPTIONS, *tests], plugins=[Collected(connection)])


def fresh_server(connection: Connection, log: Path, modules: list[str]) -> None:
    """Be the process that has imported other packages only."""
    quiet(log)
    for name in modules:
        with suppress(Exception):
            importlib.import_module(name)
    serve(connection, run_fresh)


def quiet(log: Path) -> None:
    """Send what this process and its children print to a file."""
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(file, 1)
    os.dup2(file, 2)
