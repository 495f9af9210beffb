"""Mutants whose outcome is known: no-ops that must survive, and faults that no test can overlook.

If one of them comes out otherwise, the run says nothing: a worker imported a file that was not the planted
one, a test depends on what ran before, or a rewriting of a file is seen that changes nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tests.faults.mutant import Change, Mutant, read
from tests.faults.pool import Done
from tests.faults.reach import Reach
from tests.faults.sample import rank

CONTROL, PLANTED = "control", "planted"
OF_EACH = 2
TEXTS = {"data", "prose"}
SECONDS = 8.0  # of tests that a control may take


def controls(mutants: Sequence[Mutant], reach: Reach, seed: int) -> list[Mutant]:
    """Choose places among mutants, and make controls of them: some of each kind of file."""
    order = sorted(mutants, key=lambda mutant: rank(mutant, seed))
    every = [*reach.tests.values(), *reach.imports.values()]
    opened = {name for reached in every for name in reached.opened}
    code = [mutant for mutant in order if mutant.file.endswith(".py") and 0 < cost(mutant, reach) < SECONDS]
    within = [mutant for mutant in code if not mutant.fresh]
    made = [appended(mutant) for mutant in within[:OF_EACH]]
    made += [replace(appended(mutant), fresh=True) for mutant in within[OF_EACH : 2 * OF_EACH]]
    made += [raising(mutant) for mutant in within if is_return(mutant)][: 2 * OF_EACH]
    texts = [mutant.file for mutant in order if mutant.group in TEXTS]
    files = [file for file in dict.fromkeys(texts) if file in opened]
    for ending in (".csv", ".ipynb"):
        of_kind = [file for file in files if file.endswith(ending)]
        made += [rewritten(file) for file in of_kind[:OF_EACH]]
        made += [emptied(file) for file in of_kind[:1]]
    return [replace(mutant, id=f"{mutant.kind} {number}: {mutant.id}") for number, mutant in enumerate(made)]


def cost(mutant: Mutant, reach: Reach) -> float:
    """Return the seconds of the tests that reach a mutant's statement."""
    lines = range(mutant.lines[0], mutant.lines[1] + 1)
    return sum(reach.tests[name].seconds for name in reach.of_lines(mutant.file, lines))


def appended(mutant: Mutant) -> Mutant:
    """Return a control in the place of a mutant: the same code, compiled again, and a blank line after it."""
    end = len(read(mutant.file))
    return replace(mutant, kind=CONTROL, changes=(Change(mutant.file, end, end, "\n"),))


def is_return(mutant: Mutant) -> bool:
    """Tell whether a mutant is in a statement that returns."""
    return re.match(r"\s*return\b", read(mutant.file).splitlines()[mutant.lines[0] - 1]) is not None


def raising(mutant: Mutant) -> Mutant:
    """Return a fault that no test can overlook in the place of a mutant: an error before what is returned."""
    before = read(mutant.file).splitlines(keepends=True)[: mutant.lines[0]]
    at = sum(map(len, before[:-1])) + before[-1].index("return")
    change = Change(mutant.file, at, at, "raise RuntimeError('planted'); ")
    return replace(mutant, kind=PLANTED, changes=(change,))


def rewritten(file: str) -> Mutant:
    """Return a control of a text: written anew with nothing changed."""
    text = read(file)
    new = (
        json.dumps(json.loads(text), indent=1, ensure_ascii=False) + "\n" if file.endswith(".ipynb") else text
    )
    return Mutant(CONTROL, "control", file, "", "", (Change(file, 0, len(text), new),), (1, 1), id=file)


def emptied(file: str) -> Mutant:
    """Return a fault of a text that no test can overlook: nothing is left of it."""
    return Mutant(PLANTED, "control", file, "", "", (Change(file, 0, len(read(file)), ""),), (1, 1), id=file)


def wrong(done: Mapping[str, tuple[Mutant, Done]]) -> Iterator[str]:
    """Yield what makes a run void: a control that failed or never ran, and mutants whose fault never ran."""
    for name, (mutant, found) in done.items():
        result = found.result
        wanted = {CONTROL: "survived", PLANTED: "killed"}.get(mutant.kind)
        if result.outcome == "broken" and "RuntimeError: planted" in result.why:
            wanted = "broken"  # what runs at import stops it
        if wanted and result.outcome != wanted:
            yield f"{name} {result.outcome}, wanted {wanted}: {result.by} {result.why}"
        if result.outcome in ("killed", "survived") and result.ran and not result.seen:
            yield f"{name} {result.outcome}, but what was planted never ran ({result.by})"
