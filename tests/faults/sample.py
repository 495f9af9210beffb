"""Which mutants a run tries: those asked for, or a sample that the same seed draws again."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Sequence
from hashlib import sha256
from math import sqrt

from tests.faults.mutant import ROOT, Mutant

LARGE = 4000  # mutants of a group; what a larger one has more of is more of the same
HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


def drawn(mutants: Sequence[Mutant], number: int, seed: int) -> list[Mutant]:
    """Draw a sample: a group's share grows with the root of its size, each kind within it as it is.

    Which one comes first is decided by its id and the seed: an edit elsewhere leaves the others alone.

    Examples
    --------
    >>> names = ("a1", "a2", "a3", "b1", "b2")
    >>> few = [Mutant("sign", name[0], "f", "", "", (), (1, 1), id=name) for name in names]
    >>> [mutant.group for mutant in drawn(few, 4, seed=0)]
    ['a', 'a', 'b', 'b']
    """
    groups: dict[str, list[Mutant]] = {}
    for mutant in mutants:
        groups.setdefault(mutant.group, []).append(mutant)
    weights = {group: sqrt(min(len(found), LARGE)) for group, found in groups.items()}
    whole = sum(weights.values())
    return [
        mutant
        for group, found in groups.items()
        for mutant in spread(found, round(number * weights[group] / whole), seed)
    ]


def spread(mutants: Sequence[Mutant], number: int, seed: int) -> list[Mutant]:
    """Draw so many of a group: every so manieth, once they stand kind by kind in a drawn order."""
    order = sorted(mutants, key=lambda mutant: (mutant.kind, rank(mutant, seed)))
    if number >= len(order):
        return order
    offset = int(sha256(str(seed).encode()).hexdigest(), 16) % 1000 / 1000
    return [order[int((k + offset) * len(order) / number)] for k in range(number)]


def rank(mutant: Mutant, seed: int) -> str:
    """Return where a mutant stands in the order that a seed draws."""
    return sha256(f"{seed} {mutant.id}".encode()).hexdigest()


def touched(commit: str) -> dict[str, set[int]]:
    """Return the lines of each file that differ from a commit."""
    command = ["git", "diff", "--unified=0", "--no-color", commit, "--"]
    told = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    found: dict[str, set[int]] = {}
    for part in told.split("\ndiff --git ")[0:]:
        name = re.search(r"^\+\+\+ b/(.*)$", part, re.MULTILINE)
        if name:
            hunks = [(int(first), int(count or 1)) for first, count in HUNK.findall(part)]
            found[name[1]] = {line for first, count in hunks for line in range(first, first + count)}
    return found


def on_lines(mutants: Iterable[Mutant], lines: dict[str, set[int]]) -> list[Mutant]:
    """Return the mutants of a statement that touches some lines."""
    return [
        mutant
        for mutant in mutants
        if lines.get(mutant.file, set()) & set(range(mutant.lines[0], mutant.lines[1] + 1))
    ]
