"""What is run for a mutant: the tests that reach it, those that need no new import first."""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import accumulate

from tests.faults import mutate_site
from tests.faults.mutant import ROOT, Mutant, read
from tests.faults.reach import Reach
from tests.faults.worker import Task, files_of

QUICK = 15.0  # seconds of tests that a control may take


def within(legs: list[Task], seconds: float) -> list[Task]:
    """Return tasks with as many tests as take so many seconds; at least one test each."""
    return [shortened(leg, seconds) for leg in legs]


def shortened(leg: Task, seconds: float) -> Task:
    """Return a task with the first of its tests, of which it says how many are left out."""
    spent = list(accumulate(usual for _, usual in leg.tests))
    number = max(1, bisect_right(spent, seconds))
    return replace(leg, tests=leg.tests[:number], left=max(0, len(leg.tests) - number))


def legs(mutant: Mutant, reach: Reach, same: bool = False) -> list[Task]:
    """Return the tasks of a mutant; the second is needed only if the first lets it through.

    A function's code is exchanged where it lives. What ran when the library or a test file was imported, or
    stands outside of functions, is imported anew: a value made by the sound code must not decide.
    """
    if mutant.group == mutate_site.GROUP:
        return [Task(mutant.id, "build", mutant.texts())]
    if not mutant.file.startswith("dtlib/") or not mutant.file.endswith(".py"):
        return [task for task in reading(mutant, reach) if task.tests or task.files]
    lines = range(mutant.lines[0], mutant.lines[1] + 1)
    if mutant.fresh:
        return importing(mutant, reach, users(mutant, reach))
    tests, anew = reach.of_lines(mutant.file, lines), reach.importers(mutant.file, lines)
    if "" in anew:
        return importing(mutant, reach, tests | made_by(reach, anew - {""}) or users(mutant, reach))
    late = {name for name in tests if name.split("::")[0] in anew} | made_by(reach, anew)
    first = timed(mutant, reach, tests - late)
    legs = [Task(mutant.id, "patch", mutant.texts(), first, same=same)] if first else []
    return legs + importing(mutant, reach, late)


def through_chapters(mutant: Mutant, reach: Reach) -> list[Task]:
    """Return the task that runs the chapters which reach a mutant of the library, or the one it is in."""
    if mutant.file.startswith("chapters/") and mutant.file.endswith(".ipynb"):
        return [Task(mutant.id, "execute", mutant.texts(), chapters=(mutant.file,))]
    lines = range(mutant.lines[0], mutant.lines[1] + 1)
    if mutant.fresh:
        lines = range(1, 10_000)  # whatever the module does
    names = reach.chapters_of(mutant.file, lines) if mutant.file.endswith(".py") else ()
    how = "import" if mutant.fresh else "patch"
    return [Task(mutant.id, how, mutant.texts(), chapters=names)] if names else []


def importing(mutant: Mutant, reach: Reach, tests: Iterable[str]) -> list[Task]:
    """Return the task that imports the library anew for some tests, if there are any."""
    order = timed(mutant, reach, tests)
    return [Task(mutant.id, "import", mutant.texts(), order, files_of(order))] if order else []


def reading(mutant: Mutant, reach: Reach) -> Iterator[Task]:
    """Yield the tasks of a mutant of a text: tests that open it, then test files whose import opens it."""
    texts = mutant.texts()
    late = set(reach.readers_at_import(texts))
    tests = [name for name in reach.readers(texts) if name.split("::")[0] not in late]
    yield Task(mutant.id, "read", texts, timed(mutant, reach, tests))
    yield Task(mutant.id, "read", texts, timed(mutant, reach, made_by(reach, late)), tuple(sorted(late)))


def timed(mutant: Mutant, reach: Reach, tests: Iterable[str]) -> tuple[tuple[str, float], ...]:
    """Return tests in order, with the seconds each may need: of its own, and of what others made for it."""
    order = reach.ordered(tests, mutant.file, formula(mutant) if mutant.kind.startswith("tex:") else "")
    return tuple((name, reach.tests[name].seconds + reach.tests[name].shared) for name in order)


def formula(mutant: Mutant) -> str:
    """Return the number of the formula in which a mutant is: that of the tag that follows."""
    text = read(mutant.file)[mutant.changes[0].end :]
    found = re.match(r"(?:(?!\\end\{).)*?\\tag\{([^}]*)\}", text, re.DOTALL)
    return found[1] if found else ""


def made_by(reach: Reach, files: set[str]) -> set[str]:
    """Return all tests of some files."""
    return {name for name in reach.tests if name.split("::")[0] in files}


def users(mutant: Mutant, reach: Reach) -> set[str]:
    """Return the tests that reach a line where a name is used which the mutant's statement gives.

    Examples
    --------
    A constant is reached where a function names it, in its module or in one that imports it; a default where
    its function is named or runs; what only other constants use, wherever its module is.
    """
    wanted = names(mutant)
    found = reach.of_lines(mutant.file, body(mutant))
    for file in modules():
        lines = uses(file)
        at = {line for name in wanted for line in lines.get(name, ())}
        found |= reach.of_lines(file, at) if file == mutant.file or wanted & imported(file) else set()
    return found or reach.of_module(mutant.file)


def body(mutant: Mutant) -> range:
    """Return the lines of the innermost function or class around a mutant."""
    around = [
        range(min(part.lineno for part in (node, *node.decorator_list)), node.end_lineno + 1)
        for node in ast.walk(ast.parse(read(mutant.file)))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
    return min((lines for lines in around if mutant.lines[0] in lines), key=len, default=range(0))


def names(mutant: Mutant) -> set[str]:
    """Return the names that the statements around a mutant give."""
    found = set()
    for node in ast.walk(ast.parse(read(mutant.file))):
        first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
        if not first <= mutant.lines[0] <= last:
            continue
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {
                name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)
            }
    return found


@cache
def modules() -> list[str]:
    """List the modules of the library."""
    return [str(path.relative_to(ROOT)) for path in sorted((ROOT / "dtlib").rglob("*.py"))]


@cache
def uses(file: str) -> dict[str, set[int]]:
    """Return the lines on which each name is used in a module."""
    found: dict[str, set[int]] = {}
    for node in ast.walk(ast.parse(read(file))):
        name = getattr(node, "id", None) or getattr(node, "attr", None)
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            found.setdefault(name, set()).update(range(node.lineno, node.end_lineno + 1))
    return found


@cache
def imported(file: str) -> frozenset[str]:
    """Return the names that a module imports or reads from another object."""
    found = set()
    for node in ast.walk(ast.parse(read(file))):
        if isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
    return frozenset(found)
