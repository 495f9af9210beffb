"""Plant every fault alone in a fresh copy of the repository, and report which detector catches it.

    python -m tests.faults [--only NAME] [--jobs N]

The detectors are tried in turn, the likeliest first, until one catches the fault. Fails if the copy without a
fault is not green, if a fault is caught by nothing, or if a fault that touches a number a chapter shows is
not caught by the notebooks alone: by nbval, the prose test or the other tests of the book.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from tests.book.notebooks import NUMBERED, ROOT
from tests.faults.catalogue import FAULTS
from tests.faults.edits import Fault

DETECTORS = {
    "prose": ["tests/book/test_prose.py"],
    "structure": ["tests/book", "--ignore=tests/book/test_prose.py"],
    "nbval": ["chapters"],
    "unit": ["dtlib", "tests/unit", "tests/oracles", "tests/property"],
}
OPTIONS = {"nbval": ["--nbval", "--nbval-current-env", "--nbval-cell-timeout=60"]}
NOTEBOOKS_ALONE = {"prose", "structure", "nbval"}
GATHERING = "chapters/[a-z]*.ipynb"  # the notebooks that read the others
CHAPTERS_NAMED = re.compile(r"[Cc]hapters? (\d+(?:(?:, | and | to )\d+)*)")
MEMORY = 4 << 30  # bytes; a fault may let a tree grow without end
GREEN, TESTS_FAILED, UNREADABLE, NO_TESTS = 0, 1, 2, 5  # exit codes of pytest; 2: a file cannot be imported
WHICH_DTLIB = "from importlib.util import find_spec; print(find_spec('dtlib').origin)"


def main() -> int:
    """Try the faults asked for and print what caught each; return the exit code."""
    options = arguments()
    limit_memory()
    faults = [fault for fault in FAULTS if not options.only or fault.name in options.only]
    for fault in FAULTS:
        fault.edited(ROOT)  # an error now, not in half an hour
    with ThreadPoolExecutor(options.jobs) as pool:
        with fresh_copy() as copy, fresh_copy() as bare:
            shutil.rmtree(bare / "chapters")  # the unit tests must not need the notebooks
            caught = list(pool.map(fails, DETECTORS, [copy, copy, copy, bare]))
        if any(caught):
            red = ", ".join(name for name, found in zip(DETECTORS, caught, strict=True) if found)
            print(f"The copy without any fault must be green, but here these fail: {red}.")
            return 1
        width = max(len(fault.name) for fault in faults)
        print(f"{'fault':{width}}  {'part':12}  shown  caught by")
        results = {}
        for fault, found in zip(faults, pool.map(caught_by, faults), strict=True):
            results[fault.name] = found
            shown = "yes" if fault.shown else "no"
            print(f"{fault.name:{width}}  {fault.part:12}  {shown:5}  {found or 'NOTHING'}", flush=True)
    return verdict(faults, results)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description="Plant faults, one by one.")
    names = [fault.name for fault in FAULTS]
    parser.add_argument("--only", action="append", choices=names, metavar="NAME", help="repeatable")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="faults tried at the same time")
    options = parser.parse_args()
    if options.jobs < 1:
        parser.error(f"argument --jobs: {options.jobs} is less than 1")
    return options


def limit_memory() -> None:
    """Let this process and those it starts have no more than `MEMORY`, where the system can see to it."""
    if sys.platform == "linux":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))


@contextmanager
def fresh_copy() -> Iterator[Path]:
    """Copy the tracked files, as they are now, into a folder that goes away again."""
    listing = ["git", "ls-files", "-z"]
    listed = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder).resolve() / "book"
        for name in filter(None, listed.split("\0")):
            if (ROOT / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, copy / name)
        origin = run(copy, ["-c", WHICH_DTLIB], folder="data").stdout.strip()
        if not Path(origin).is_relative_to(copy):
            raise RuntimeError(f"the copy in {copy} would test the dtlib of {origin}")
        yield copy


def run(copy: Path, command: list[str], folder: str = ".") -> subprocess.CompletedProcess[str]:
    """Run Python in a folder of a copy, with the copy's own dtlib."""
    environment = os.environ | {"PYTHONPATH": str(copy)}
    how = {"cwd": copy / folder, "env": environment, "capture_output": True, "text": True, "timeout": 1800}
    return subprocess.run([sys.executable, *command], check=False, **how)


def caught_by(fault: Fault) -> str:
    """Plant one fault; return the first detector that catches it, or an empty text."""
    with fresh_copy() as copy:
        order = list(attempts(fault, copy))
        fault.plant(copy)
        return next((detector for detector, files in order if fails(detector, copy, files)), "")


def attempts(fault: Fault, copy: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the detectors to be tried, and on which files: the likeliest and quickest first."""
    book = [("prose", []), ("structure", [])]
    if fault.file.endswith(".ipynb"):  # no unit test reads a notebook
        gathering = map(str, sorted(copy.glob(GATHERING)))
        yield from (book[0], ("nbval", [fault.file, *gathering]), book[1])
        return
    notebooks = [("nbval", likely_notebooks(copy / fault.file)), ("nbval", [])]
    tests = [("unit", likely_tests(fault.file, copy)), ("unit", [])]
    if fault.shown:
        yield from [*notebooks, *book, *tests]
    elif fault.file.endswith(".py"):
        yield from [*tests, *book, notebooks[1]]
    else:
        yield from [*book, *tests, notebooks[1]]


def likely_notebooks(file: Path) -> list[str]:
    """List the chapters that the docstring of a module names."""
    said = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) if file.suffix == ".py" else None
    named = {int(k) for m in CHAPTERS_NAMED.finditer(said or "") for k in re.findall(r"\d+", m[1])}
    return [str(path.relative_to(ROOT)) for path in NUMBERED if int(path.name[:2]) in named]


def likely_tests(file: str, copy: Path) -> list[str]:
    """List the tests with the name of a module, its own examples first."""
    if not file.endswith(".py"):
        return []
    return [file, *map(str, sorted(copy.glob(f"tests/*/test*_{Path(file).stem}*.py")))]


def fails(detector: str, copy: Path, files: Sequence[str] = ()) -> bool:
    """Tell whether a detector fails in a copy: on these files, or on all it knows."""
    command = ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *OPTIONS.get(detector, [])]
    try:
        done = run(copy, [*command, *(files or DETECTORS[detector])])
    except subprocess.TimeoutExpired:
        return True  # a fault that keeps the tests from ending does not get through
    if done.returncode == NO_TESTS and files:  # a module without examples, and no tests of its name
        return False
    said = done.stdout + done.stderr
    if done.returncode not in (GREEN, TESTS_FAILED, UNREADABLE) and "MemoryError" not in said:
        raise RuntimeError(f"{detector} could not run (exit code {done.returncode}):\n{said}")
    return done.returncode != GREEN


def verdict(faults: list[Fault], results: dict[str, str]) -> int:
    """Print what was caught and what was not; return the exit code."""
    shown = [fault for fault in faults if fault.shown]
    free = [fault.name for fault in faults if not results[fault.name]]
    silent = [fault.name for fault in shown if results[fault.name] not in NOTEBOOKS_ALONE]
    print(
        f"{len(faults)} faults, {len(faults) - len(free)} caught; {len(shown)} change a shown number, "
        f"{len(shown) - len(silent)} of them caught by the notebooks alone."
    )
    for names, what in ((free, "Caught by nothing"), (silent, "Not caught by the notebooks alone")):
        if names:
            print(f"{what}: {', '.join(names)}.")
    return 1 if free or silent else 0


if __name__ == "__main__":
    sys.exit(main())
