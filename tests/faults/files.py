"""The files of the repository, and whether one is edited while a run goes on."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from hashlib import sha256

from tests.faults.mutant import ROOT


def state() -> dict[str, str]:
    """Return a digest of every file that the tests or the library are made of."""
    return {
        name: sha256((ROOT / name).read_bytes()).hexdigest() for name in listed() if (ROOT / name).is_file()
    }


def edited(before: dict[str, str]) -> Iterator[str]:
    """Yield the files that are not what they were when a run began."""
    after = state()
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            yield f"{name} was edited during the run"


def listed() -> list[str]:
    """List the files of the repository."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    told = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return sorted(filter(None, told.split("\0")))
