"""Where compiled code is kept on disk, and who compiles it: one process at a time, out of the callers' way.

Code is kept in a folder whose name is a digest of the sources, the versions and the processor: if one of them
changes, nothing is compiled for it yet. An empty file with the name of a part says that the part is complete.

Examples
--------
>>> is_there("no such part")
False
"""

import hashlib
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

HOUSE = Path(__file__).parents[1]
SOURCES = (
    "compiled/*.py", "jit/compiling.py", "kernels.py", "arrays.py", "tree/row_by_row.py", "tree/reasons.py",
    "counting/targets.py", "search/level.py", "search/questions.py", "search/random_keys.py",
    "optimal/below_two.py", "optimal/two_levels.py", "oblique/planes.py", "out_of_core/tally.py",
)  # fmt: skip
LOCK = "compiling"  # the file that says that somebody compiles
STALE = 600.0  # seconds after which a lock is left over from a process that was killed
aside = list[subprocess.Popen[bytes]]()  # the process that compiles, if this one has started it


def processor() -> str:
    """Return what tells processors apart for which code is compiled."""
    about = Path("/proc/cpuinfo")
    lines = about.read_text(encoding="utf-8", errors="replace").splitlines() if about.exists() else []
    told = next((line for line in lines if line.startswith(("flags", "Features"))), platform.processor())
    return f"{platform.machine()} {told}"


@cache
def digest() -> str:
    """Return the digest of all on which compiled code depends."""
    found = hashlib.sha256(f"{HOUSE} {sys.version} {processor()}".encode())
    for package in ("numba", "llvmlite", "numpy"):
        found.update(f"{package} {metadata.version(package) if find_spec(package) else None}".encode())
    for path in sorted(path for pattern in SOURCES for path in HOUSE.glob(pattern)):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


@cache
def folders() -> tuple[Path, ...]:
    """Return where compiled code may be: as ``NUMBA_CACHE_DIR`` says, or here, or in the user's cache."""
    if told := os.environ.get("NUMBA_CACHE_DIR"):
        return (Path(told) / f"dtlib-{digest()}",)
    own = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return HOUSE / "__pycache__" / f"dtlib-{digest()}", Path(own) / "dtlib" / f"dtlib-{digest()}"


def is_there(part: str) -> bool:
    """Tell whether a part is compiled, by a look at the disk."""
    return any((folder / part).exists() for folder in folders())


def can_write(folder: Path) -> bool:
    """Tell whether files can be made in a folder, which is made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:  # of a read-only installation, say: the next folder is tried
        return False
    return os.access(folder, os.W_OK)


@cache
def home() -> Path | None:
    """Return the folder that is used: the first that has code in it, else the first that can be written."""
    filled = (folder for folder in folders() if folder.is_dir() and any(folder.iterdir()))
    return next(filled, None) or next((folder for folder in folders() if can_write(folder)), None)


@contextmanager
def locked(folder: Path) -> Iterator[bool]:
    """Hold the lock of a folder; yield whether nobody else had it."""
    lock = folder / LOCK
    if lock.exists() and time.time() - lock.stat().st_mtime > STALE:
        lock.unlink()
    try:
        lock.touch(exist_ok=False)
    except FileExistsError:
        yield False
        return
    try:
        yield True
    finally:
        lock.unlink(missing_ok=True)


def compile_aside() -> None:
    """Start a process that compiles, once, unless one is at work or what it compiles could not be kept.

    It has no terminal and a low priority, and goes on when this process has ended.
    """
    folder = home()
    if aside or not sys.executable or sys.is_finalizing() or folder is None or not os.access(folder, os.W_OK):
        return
    lock = folder / LOCK
    if lock.exists() and time.time() - lock.stat().st_mtime <= STALE:
        return
    paths = [str(HOUSE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "dtlib", "--compile", "--aside"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    child.returncode = 0  # nobody waits for it: this keeps Python from warning at the end that it still runs
    aside.append(child)
