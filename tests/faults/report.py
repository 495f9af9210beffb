"""What a run says: tables by package and by kind, and the survivors file by file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tests.faults.mutant import Mutant
from tests.faults.pool import Done, Void

KILLED, SURVIVED, EQUIVALENT = "killed", "survived", "equivalent"
COLUMNS = (KILLED, SURVIVED, "stored", "broken", "time-out", "memory", EQUIVALENT)
EQUIVALENTS = Path(__file__).with_name("equivalent.tsv")


def equivalents(known: Mapping[str, Mutant], file: Path = EQUIVALENTS) -> dict[str, str]:
    """Return the ids of the mutants that change nothing, with the reason of each.

    Raises
    ------
    Void
        If a line has no reason, or an id is that of no mutant: what it spoke of has changed.
    """
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()[1:]]
    wrong = [row[0] for row in rows if len(row) != 3 or not row[2].strip() or row[0] not in known]
    if wrong:
        raise Void(f"{file.name} has lines without a reason, or of no mutant: {', '.join(wrong)}")
    return {row[0]: row[2] for row in rows}


def lines(tried: Mapping[str, tuple[Mutant, Done]], equal: Mapping[str, str]) -> Iterator[str]:
    """Yield the whole report.

    Parameters
    ----------
    tried : mapping
        Each mutant with what came of it, by id.
    equal : mapping
        Reasons of those that change nothing.
    """
    for title, key in (("package", by_group), ("kind", by_kind)):
        yield from table(title, tried, equal, key)
        yield ""
    left = [mutant for mutant, done in tried.values() if outcome(mutant, done, equal) == SURVIVED]
    for file in sorted({mutant.file for mutant in left}):
        yield f"Survivors in {file}"
        for mutant in sorted((found for found in left if found.file == file), key=lambda found: found.lines):
            yield f"  {mutant.id} (line {mutant.lines[0]})"
            yield from (f"    {line}" for line in mutant.diff().split("\n"))
    killed_though = [name for name in equal if name in tried and tried[name][1].result.outcome == KILLED]
    if killed_though:
        yield f"Said to be equivalent, but killed: {', '.join(killed_though)}."


def by_group(mutant: Mutant) -> str:
    """Return what a mutant is counted with."""
    return mutant.group


def by_kind(mutant: Mutant) -> str:
    """Return what makes it."""
    return mutant.kind


def outcome(mutant: Mutant, done: Done, equal: Mapping[str, str]) -> str:
    """Return the column that a mutant is counted in."""
    found = done.result.outcome
    return EQUIVALENT if found == SURVIVED and mutant.id in equal else found


def table(
    title: str,
    tried: Mapping[str, tuple[Mutant, Done]],
    equal: Mapping[str, str],
    key: Callable[[Mutant], str],
) -> Iterator[str]:
    """Yield a table: how many of each, and the share killed, with and without those called equivalent."""
    rows: dict[str, Counter[str]] = {}
    for mutant, done in tried.values():
        for name in (key(mutant), "all"):
            rows.setdefault(name, Counter())[outcome(mutant, done, equal)] += 1
    rows["all"] = rows.pop("all", Counter())
    heads = "".join(f"{name:>11}" for name in COLUMNS)
    yield f"{title:12}{'mutants':>8}{heads}{'score':>8}{'of all':>8}"
    for name, counts in rows.items():
        cells = "".join(f"{counts[column]:>11}" for column in COLUMNS)
        scores = "".join(f"{score(counts, equal):>8}" for equal in (False, True))
        yield f"{name:12}{counts.total():>8}{cells}{scores}"


def score(counts: Counter[str], equal: bool) -> str:
    """Return the share killed of those that ran, in percent.

    Examples
    --------
    >>> counts = Counter(killed=8, survived=1, equivalent=1, broken=5)
    >>> score(counts, equal=False), score(counts, equal=True)
    ('88.9%', '80.0%')
    """
    whole = counts[KILLED] + counts[SURVIVED] + counts["stored"] + counts[EQUIVALENT] * equal
    return f"{counts[KILLED] / whole:.1%}" if whole else "-"
