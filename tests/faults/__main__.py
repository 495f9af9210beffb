"""Plant every fault alone in a fresh copy of the repository, and report which detector catches it.

    python -m tests.faults [--only NAME] [--jobs N]

Fails if the copy without a fault is not green, if a fault is caught by nothing, or if a fault that touches a
number a chapter shows is not caught by the notebooks alone: by nbval, the prose test or the structure tests.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from tests.book.notebooks import ROOT
from tests.faults.catalogue import FAULTS
from tests.faults.edits import Fault

DETECTORS = {
    "nbval": ["--nbval", "--nbval-current-env", "--nbval-cell-timeout=60"],
    "prose": ["tests/book/test_prose.py"],
    "structure": [
        "tests/book/test_structure.py",
        "tests/book/test_checks.py",
        "tests/book/test_formulas.py",
        "tests/book/test_data_page.py",
        "tests/book/test_api.py",
    ],
    "unit": ["dtlib", "tests/unit", "tests/oracles", "tests/property"],
}
NOTEBOOKS_ALONE = {"nbval", "prose", "structure"}
COLLECTED = [f"chapters/{name}.ipynb" for name in ("numbers", "formulas", "data")]  # these read the others
GREEN, TESTS_FAILED, UNREADABLE = 0, 1, 2  # exit codes of pytest; the last: a test file could not be imported
WHICH_DTLIB = "from importlib.util import find_spec; print(find_spec('dtlib').origin)"


def main() -> int:
    """Try the faults asked for and print what caught each; return the exit code."""
    options = arguments()
    faults = [fault for fault in FAULTS if not options.only or fault.name in options.only]
    for fault in FAULTS:
        fault.edited(ROOT)  # an error now, not in half an hour
    with ThreadPoolExecutor(options.jobs) as pool:
        with fresh_copy() as copy, fresh_copy() as bare:
            shutil.rmtree(bare / "chapters")  # the unit tests must not need the notebooks: see `catches`
            caught = list(pool.map(catches, DETECTORS, [copy, copy, copy, bare]))
        if any(caught):
            red = ", ".join(name for name, fails in zip(DETECTORS, caught, strict=True) if fails)
            print(f"The copy without any fault must be green, but here these fail: {red}.")
            return 1
        width = max(len(fault.name) for fault in faults)
        print(f"{'fault':{width}}  {'part':10}  {'shown':5}", *DETECTORS, sep="  ")
        results = {}
        for fault, found in zip(faults, pool.map(caught_by, faults), strict=True):
            results[fault.name] = found
            marks = [f"{'X' if name in found else '.':{len(name)}}" for name in DETECTORS]
            shown = "yes" if fault.shown else "no"
            print(f"{fault.name:{width}}  {fault.part:10}  {shown:5}", *marks, sep="  ", flush=True)
    return verdict(faults, results)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description="Plant faults, one by one.")
    names = [fault.name for fault in FAULTS]
    parser.add_argument("--only", action="append", choices=names, metavar="NAME", help="repeatable")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="faults tried at the same time")
    return parser.parse_args()


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
    how = {"cwd": copy / folder, "env": environment, "capture_output": True, "text": True, "timeout": 600}
    return subprocess.run([sys.executable, *command], check=False, **how)


def caught_by(fault: Fault) -> list[str]:
    """Plant one fault; list the detectors that catch it. The unit tests take long: they try what is left."""
    with fresh_copy() as copy:
        fault.plant(copy)
        found = [name for name in DETECTORS if name != "unit" and catches(name, copy, fault.file)]
        return found or ["unit"] * catches("unit", copy, fault.file)


def catches(detector: str, copy: Path, file: str = "") -> bool:
    """Tell whether a detector fails in a copy.

    To save time, a fault among the chapters is looked for by nbval in the notebooks it can concern, and not
    by the unit tests, which read none of them.
    """
    in_chapters = file.startswith("chapters/")
    if detector == "unit" and in_chapters:
        return False
    own = [file] if file.endswith(".ipynb") and file not in COLLECTED else []
    notebooks = [*own, *COLLECTED] if in_chapters else sorted(map(str, copy.glob("chapters/*.ipynb")))
    files = notebooks if detector == "nbval" else []
    try:
        done = run(copy, ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *DETECTORS[detector], *files])
    except subprocess.TimeoutExpired:
        return True  # a fault that keeps the tests from ending does not get through
    if done.returncode not in (GREEN, TESTS_FAILED, UNREADABLE):
        said = done.stdout + done.stderr
        raise RuntimeError(f"{detector} could not run (exit code {done.returncode}):\n{said}")
    return done.returncode != GREEN


def verdict(faults: list[Fault], results: dict[str, list[str]]) -> int:
    """Print what was caught and what was not; return the exit code."""
    shown = [fault for fault in faults if fault.shown]
    free = [fault.name for fault in faults if not results[fault.name]]
    silent = [fault.name for fault in shown if not NOTEBOOKS_ALONE & set(results[fault.name])]
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
