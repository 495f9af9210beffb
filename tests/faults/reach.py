"""Which tests reach which place: the lines of the library that each test runs, and the files that it opens.

A test file is run once with the tracer of coverage. What it reached is kept in `_build/faults`, and holds
until that file, a helper that it imports or a module that it reached changes: an edit of one module costs
only the tests that run it.
"""

from __future__ import annotations

import gc
import os
import pickle
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper, cache
from hashlib import sha256
from pathlib import Path
from time import process_time

import coverage
import pytest
from _pytest.runner import runtestprotocol
from _pytest.warnings import catch_warnings_for_item

from tests.faults import chapters
from tests.faults.mutant import ROOT, read

KEPT = ROOT / "_build" / "faults"
AHEAD = 6  # twos to this power: how many cases of a file's own tests come before others
FORM = 3  # of what is kept; a new one makes it worthless
OF_ALL = ("conftest.py", "tests/conftest.py", "tests/*/conftest.py", "requirements.txt", "pyproject.toml")
IMPORTED = re.compile(r"^ *(?:from|import) (tests(?:\.\w+)*)(?: import \(?([\w, \n]+)\)?)?", re.MULTILINE)


@dataclass
class Reached:
    """What one test reached, how long it took, and how long what it shares with others of its module."""

    seconds: float = 0.0
    lines: dict[str, frozenset[int]] = field(default_factory=dict)
    opened: frozenset[str] = frozenset()
    shared: float = 0.0


@dataclass
class Record:
    """What the tests of one file reached."""

    tests: dict[str, Reached]
    red: list[str] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)


class Opened:
    """Notes the files of the repository that are opened."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.on = True
        sys.addaudithook(self.note)

    def note(self, event: str, arguments: tuple[object, ...]) -> None:
        """Note one event of the interpreter, if a file is opened."""
        if self.on and event == "open" and isinstance(arguments[0], str | Path):
            name = str(arguments[0])
            if name.startswith(str(ROOT)) and "/." not in name and not name.endswith(".pyc"):
                self.names.add(name[len(str(ROOT)) + 1 :])

    def taken(self) -> frozenset[str]:
        """Return what was noted since the last time."""
        taken = frozenset(self.names)
        self.names = set()
        return taken


def tracer() -> coverage.Coverage:
    """Return a tracer of the library's lines, that keeps nothing on disk."""
    return coverage.Coverage(data_file=None, source=[str(ROOT / "dtlib")], config_file=False, messages=False)


def collected(cover: coverage.Coverage) -> coverage.CoverageData:
    """Return what a tracer has seen, be it nothing."""
    with warnings.catch_warnings(action="ignore"):
        return cover.get_data()


def lines_by_context(data: coverage.CoverageData) -> dict[str, dict[str, frozenset[int]]]:
    """Return the lines that ran in each context, file by file."""
    found: dict[str, dict[str, set[int]]] = {}
    for path in data.measured_files():
        file = str(Path(path).relative_to(ROOT))
        for line, contexts in data.contexts_by_lineno(path).items():
            for context in contexts:
                found.setdefault(context, {}).setdefault(file, set()).add(line)
    return {
        context: {file: frozenset(lines) for file, lines in files.items()} for context, files in found.items()
    }


def caches() -> list[_lru_cache_wrapper[object]]:
    """Return what keeps the values of functions of this repository."""
    return [thing for thing in gc.get_objects() if isinstance(thing, _lru_cache_wrapper) and is_ours(thing)]


def reports_of(item: pytest.Item, following: pytest.Item | None = None) -> list[pytest.TestReport]:
    """Run a test as pytest does, without the warnings that it says it ignores; return what came of it."""
    with catch_warnings_for_item(item.config, item.ihook, "runtest", item, record=False):
        return runtestprotocol(item, log=False, nextitem=following)


def record(items: list[pytest.Item], opened: Opened) -> Record:
    """Run the tests of one file, and note what each reaches; what a cache keeps is forgotten before each."""
    kept_values, found, red = caches(), {}, []
    cover = tracer()
    cover.start()
    opened.taken()
    for number, item in enumerate(items):
        for kept in kept_values:
            kept.cache_clear()
        cover.switch_context(item.nodeid)
        start = process_time()
        following = items[number + 1] if number + 1 < len(items) else None
        reports = reports_of(item, following)
        found[item.nodeid] = Reached(process_time() - start, opened=opened.taken())
        red += [item.nodeid] * any(report.failed for report in reports)
    cover.stop()
    for name, lines in lines_by_context(collected(cover)).items():
        if name in found:
            found[name].lines = lines
    shared(items, found)
    return Record(found, red, digests(items[0], found))


def record_chapter(chapter: str) -> Record:
    """Run a chapter, and note what it reaches."""
    cover = tracer()
    cover.start()
    cover.switch_context(chapter)
    start = process_time()
    chapters.outputs(chapter)
    cover.stop()
    lines = lines_by_context(collected(cover)).get(chapter, {})
    found = {chapter: Reached(process_time() - start, lines)}
    return Record(found, [], {name: digest(name) for name in (chapter, *lines)} | {"": digest_of_all()})


def is_ours(kept: object) -> bool:
    """Tell whether a function with a cache is the repository's."""
    code = getattr(getattr(kept, "__wrapped__", None), "__code__", None)
    return (
        code is not None
        and code.co_filename.startswith(f"{ROOT}{os.sep}")
        and "site-packages" not in code.co_filename
    )


def shared(items: list[pytest.Item], found: dict[str, Reached]) -> None:
    """Credit what a fixture of a whole module reaches to every test of the module that asks for it."""
    first: dict[str, Reached] = {}
    for item in items:
        mine = found[item.nodeid]
        for name in fixtures_of_module(item):
            other = first.setdefault(name, mine)
            mine.opened |= other.opened
            mine.shared += other.seconds * (other is not mine)
            for file, lines in other.lines.items():
                mine.lines[file] = mine.lines.get(file, frozenset()) | lines


def fixtures_of_module(item: pytest.Item) -> Iterator[str]:
    """Yield the fixtures of the repository that a test asks for and that are made once for several tests."""
    info = getattr(item, "_fixtureinfo", None)
    for name, definitions in info.name2fixturedefs.items() if info else ():
        code = getattr(definitions[-1].func, "__code__", None)
        if code and definitions[-1].scope != "function" and "site-packages" not in code.co_filename:
            yield name


@cache
def digest(file: str) -> str:
    """Return a digest of a file of the repository; of one that is not there, nothing."""
    path = ROOT / file
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


@cache
def helpers(file: str) -> frozenset[str]:
    """Return the files of the tests that a test file imports, those that these import included."""
    if not file.startswith("tests/"):
        return frozenset()
    found: set[str] = set()
    waiting = [file]
    while waiting:
        for module, names in IMPORTED.findall((ROOT / waiting.pop()).read_text(encoding="utf-8")):
            base = module.replace(".", "/")
            tries = {base, *(f"{base}/{name.strip()}" for name in names.split(","))}
            here = {
                name for at in tries for name in (f"{at}.py", f"{at}/__init__.py") if (ROOT / name).is_file()
            }
            waiting += here - found
            found |= here
    return frozenset(found - {file})


@cache
def digest_of_all() -> str:
    """Return a digest of what all tests depend on."""
    files = sorted(path for pattern in OF_ALL for path in ROOT.glob(pattern))
    how = f"{FORM} {sys.version} {os.environ.get('PYTEST_ADDOPTS', '')}"
    texts = [path.read_bytes() for path in files] + [how.encode()]
    return sha256(b"\0".join(texts)).hexdigest()


def digests(item: pytest.Item, found: dict[str, Reached]) -> dict[str, str]:
    """Return what a record depends on: the test file, and every module and file that its tests reached."""
    file = str(item.path.relative_to(ROOT))
    files = {file, *helpers(file)}
    for reached in found.values():
        files |= set(reached.lines) | {name for name in reached.opened if not name.startswith("_build")}
    return {name: digest(name) for name in sorted(files)} | {"": digest_of_all()}


def kept_file(file: str) -> Path:
    """Return where the record of a test file is kept."""
    return KEPT / (file.replace("/", "__") + ".pickle")


def kept(file: str, names: set[str]) -> Record | None:
    """Return the record of a test file, if it is kept and all that it depends on is as it was."""
    path = kept_file(file)
    if not path.is_file():
        return None
    found: Record = pickle.loads(path.read_bytes())
    fresh = found.digests.get("") == digest_of_all() and set(found.tests) == names
    fresh = fresh and all(digest(name) == value for name, value in found.digests.items() if name)
    return found if fresh and not found.red else None


def keep(file: str, found: Record) -> None:
    """Keep the record of a test file."""
    KEPT.mkdir(parents=True, exist_ok=True)
    kept_file(file).write_bytes(pickle.dumps(found))


@cache
def speaks_of(path: str, module: str) -> bool:
    """Tell whether a file has the name of a module somewhere."""
    named = rf"\b{re.escape(module)}\b"
    return (ROOT / path).is_file() and re.search(named, read(path)) is not None


class Reach:
    """The whole map.

    Parameters
    ----------
    tests : dict
        What each test reached.
    imports : dict
        What the import of each test file reached, and that of the library itself (the empty name).
    chapters : dict
        What each chapter reached.
    """

    def __init__(
        self,
        tests: dict[str, Reached],
        imports: dict[str, Reached],
        chapters: dict[str, Reached] | None = None,
    ) -> None:
        self.tests, self.imports, self.chapters = tests, imports, chapters or {}
        self.by_line: dict[str, dict[int, list[str]]] = {}
        for name, reached in tests.items():
            for file, lines in reached.lines.items():
                at = self.by_line.setdefault(file, {})
                for line in lines:
                    at.setdefault(line, []).append(name)

    def of_lines(self, file: str, lines: Iterable[int]) -> set[str]:
        """Return the tests that run one of some lines."""
        at = self.by_line.get(file, {})
        return {name for line in lines for name in at.get(line, ())}

    def of_module(self, file: str) -> set[str]:
        """Return the tests that run any line of a module."""
        return self.of_lines(file, self.by_line.get(file, {}))

    def chapters_of(self, file: str, lines: Iterable[int]) -> tuple[str, ...]:
        """Return the chapters that run one of some lines, the quickest first."""
        wanted = set(lines)
        found = [
            name for name, reached in self.chapters.items() if wanted & reached.lines.get(file, frozenset())
        ]
        return tuple(sorted(found, key=lambda name: self.chapters[name].seconds))

    def importers(self, file: str, lines: Iterable[int]) -> set[str]:
        """Return the test files whose import runs one of some lines; "" is the library's own import."""
        wanted = set(lines)
        return {
            name for name, reached in self.imports.items() if wanted & reached.lines.get(file, frozenset())
        }

    def readers(self, files: Iterable[str]) -> Iterator[str]:
        """Yield the tests that open one of some files."""
        wanted = set(files)
        return (name for name, reached in self.tests.items() if wanted & reached.opened)

    def readers_at_import(self, files: Iterable[str]) -> Iterator[str]:
        """Yield the test files whose import opens one of some files."""
        wanted = set(files)
        return (name for name, reached in self.imports.items() if name and wanted & reached.opened)

    def ordered(self, names: Iterable[str], file: str, case: str = "") -> list[str]:
        """Return tests in the order they are tried: one case of each first, then more; its own ahead.

        Of the cases of a test the quickest comes first. A few cases of the tests in files that have the
        module's name, or name it, come before one of any other test; of a chapter, all of them. Before all
        comes the case that is named.
        """
        stem, turns = Path(file).stem, Counter[str]()
        is_chapter = file.endswith(".ipynb")
        rows = []
        for name in sorted(names, key=lambda name: (self.tests[name].seconds, name)):
            path, test = name.split("::")[0], name.split("[")[0]
            others = stem not in (name if is_chapter else path) and not speaks_of(path, stem)
            other_case = not case or not name.endswith(f"[{case}]")
            rows.append(
                (
                    other_case,
                    is_chapter and others,
                    turns[test].bit_length() + AHEAD * others,
                    len(rows),
                    name,
                )
            )
            turns[test] += 1
        return [name for *_, name in sorted(rows)]
