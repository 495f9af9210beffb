"""The rules for each kind of file; every file of the repository that is text is read once."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import tokenize
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tests.book.notebooks import Notebook, joined, parse_cell
from tests.claims.forms import seal, tables
from tests.claims.references import Targets, references, targets
from tools.renumber.maps import arrows, cards
from tools.renumber.moves import Moves, pair
from tools.renumber.report import Report
from tools.renumber.rules import TAG, Edit, apply, edits

# Data and records of others, in which nothing speaks of a chapter of this book.
ELSEWHERE = re.compile(
    r"^(?:data/.*\.csv|tests/oracles/data/.*|LICENSE.*|requirements.*\.txt|.*\.lock|benchmarks/.*\.svg|.*vendor/.*"
    r"|tools/renumber/.*|tests/book/test_renumber\.py)$"
)
# Where a quoted number is a formula: in these files, and in no other.
QUOTED = re.compile(r"(?<=[\"'])[1-9]\d?\.[1-9]\d?(?=[\"'])")
FORMULA_KEYS = re.compile(
    r"^(?:tests/book/formulas/(?:steps|tables|trees)\.py|chapters/one_page\.ipynb"
    r"|tests/book/test_(?:formulas|formulas_run|one_page|structure|api|search_index)\.py)$"
)
# Where a bare number is a chapter: the file, the place, and how it is written.
CHAPTER_KEYS = (
    ("tests/book/test_structure.py", re.compile(r"(?<=\": )\d{1,2}(?=,)"), "{}"),
    ("tests/book/test_steps.py", re.compile(r"(?<=\(\")\d\d(?=\", \")"), "{:02}"),
    ("dtlib/book/statements.py", re.compile(r"(?<=^HERE = \")\d\d(?=_\")", re.MULTILINE), "{:02}"),
)
READS_THE_BOOK = re.compile(r"folder_of_chapters|dtlib\.book\.(?:formulas|statements)|formulas\.csv")


def renumber(root: Path, moves: Moves, report: Report) -> dict[Path, str]:
    """Return the new text of every file that changes, by its new path."""
    texts = {name: text for name in names(root) if (text := read(root / name)) is not None}
    notebooks = {
        name: json.loads(text)
        for name, text in texts.items()
        if name.startswith("chapters/") and name.endswith(".ipynb")
    }
    changed = {name: of_notebook(name, raw, moves, report) for name, raw in notebooks.items()}
    new = {
        name: changed.get(name) or of_text(name, text, moves, report)
        for name, text in texts.items()
        if name != "intro.md"
    }
    if "intro.md" in texts:
        new["intro.md"] = cards_laid_out(texts, moves, report)
    was, known = known_by(texts, {stem: stem for stem in moves.stems}), known_by(new, moves.stems)
    for name in changed:
        new[name] = with_references(name, new[name], notebooks[name], (was, known), moves, report)
    out = {}
    for name, text in texts.items():
        path = moved_path(name, moves)
        if path != name or new[name] != text:
            out[root / path] = new[name]
            report.files[name] = path
    return out


def names(root: Path) -> list[str]:
    """List the files of the repository, new ones included, without those that are ignored or of others."""
    found = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return [name for name in sorted(set(found.stdout.split("\0"))) if name and not ELSEWHERE.match(name)]


def read(path: Path) -> str | None:
    """Return the text of a file, or None if it has none."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return file.read()
    except (UnicodeDecodeError, FileNotFoundError):
        return None


def moved_path(name: str, moves: Moves) -> str:
    """Return where a file goes.

    Examples
    --------
    >>> moved_path("chapters/02_entropy.ipynb", Moves({2: 3}, {"02_entropy": "03_entropy"}))
    'chapters/03_entropy.ipynb'
    """
    path = Path(name)
    if path.suffix == ".ipynb" and path.stem in moves.stems:
        return path.with_name(f"{moves.stems[path.stem]}.ipynb").as_posix()
    return name


def of_text(name: str, text: str, moves: Moves, report: Report) -> str:
    """Return the text of a file that is no notebook."""
    if name == "chapters/formulas.csv":
        return formula_list(text, moves, report)
    if name == "website/extensions/book_map.py":
        text = arrows(text, moves, report)
    if name == "tests/book/formulas/steps.tsv":
        return step_list(text, moves, report)
    changes = edits(text, moves)
    if name.endswith(".py"):
        changes = in_words(text, changes)
    return report.changed(name, text, changes + keys(name, text, moves, changes))


def in_words(code: str, changes: list[Edit]) -> list[Edit]:
    """Drop the formulas outside comments and strings: in code itself `(2.5)` is a number.

    Examples
    --------
    >>> in_words("x = (2.5)  # (2.5)", [Edit(5, 8, "3.5", "formula"), Edit(14, 17, "3.5", "formula")])
    [Edit(start=14, end=17, new='3.5', kind='formula', doubt='')]
    """
    if not any(edit.kind == "formula" for edit in changes):
        return changes
    words = worded(code)
    return [e for e in changes if e.kind != "formula" or any(a <= e.start and e.end <= b for a, b in words)]


def worded(code: str) -> list[tuple[int, int]]:
    """List where the comments and strings of Python code stand."""
    starts = [0]
    for line in code.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    kinds = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    return [
        (starts[t.start[0] - 1] + t.start[1], starts[t.end[0] - 1] + t.end[1])
        for t in tokenize.generate_tokens(io.StringIO(code).readline)
        if t.type in kinds
    ]


def keys(name: str, text: str, moves: Moves, changes: list[Edit]) -> list[Edit]:
    """List the quoted formulas and bare chapters of the files that are known to have them."""
    taken = [(edit.start, edit.end) for edit in changes]
    found = []
    if FORMULA_KEYS.match(name):
        for m in QUOTED.finditer(text):
            if (old := pair(m[0])) in moves.formulas:
                found.append(Edit(*m.span(), "{}.{}".format(*moves.formulas[old]), "formula, quoted"))
    for file, place, form in CHAPTER_KEYS:
        for m in place.finditer(text) if file == name else ():
            if (chapter := moves.chapters.get(int(m[0]))) is not None:
                found.append(Edit(*m.span(), form.format(chapter), "chapter, bare"))
    return [edit for edit in found if all(edit.end <= a or edit.start >= b for a, b in taken)]


def formula_list(text: str, moves: Moves, report: Report) -> str:
    """Return the table of formulas, its rows in the order of their new numbers if they were in order."""
    head, *rows = text.splitlines(keepends=True)

    def changed(row: str) -> str:
        numbers = [*re.finditer(r"^\d+\.\d+(?=,)|(?<=,step to )\d+\.\d+(?=,)", row)]
        places = [Edit(*m.span(), number(m[0], moves), "formula, listed") for m in numbers]
        return report.changed("chapters/formulas.csv", row, places + edits(row, moves))

    return head + "".join(
        sorted_as(rows, [changed(row) for row in rows], lambda row: pair(row.partition(",")[0]))
    )


def number(text: str, moves: Moves) -> str:
    """Return the new number of a formula."""
    old = pair(text)
    return "{}.{}".format(*moves.formulas.get(old, old))


def sorted_as(before: list[str], after: list[str], key: Callable[[str], Any]) -> list[str]:
    """Sort the rows of a table that was sorted; rows with one key stay in their order."""
    return sorted(after, key=key) if before == sorted(before, key=key) else after


def step_list(text: str, moves: Moves, report: Report) -> str:
    """Return the table of steps, whose rows begin with a chapter and a cell."""
    head, *rows = text.splitlines(keepends=True)

    def changed(row: str) -> str:
        chapter, cell, like, tex = row.split("\t", 3)
        new = f"{moves.chapters.get(int(chapter), int(chapter)):02}" if chapter.isdigit() else chapter
        like = number(like, moves) if re.fullmatch(r"\d+\.\d+", like) else like
        return "\t".join([new, apply(cell, edits(cell, moves)), like, apply(tex, edits(tex, moves))])

    new = sorted_as(rows, [changed(row) for row in rows], lambda row: row[:2])
    report.kinds["step, listed"] += sum(a != b for a, b in zip(rows, new, strict=True))
    return head + "".join(new)


def of_notebook(name: str, raw: dict[str, Any], moves: Moves, report: Report) -> str:
    """Return a notebook with new numbers; `refers` is listed anew when all notebooks are known."""
    raw = json.loads(json.dumps(raw))
    for cell in raw["cells"]:
        source = joined(cell["source"])
        changes = edits(source, moves)
        if cell["cell_type"] == "code":
            changes = in_words(source, changes)
            changes += keys(name, source, moves, changes)
        if TAG.search(source):
            report.kinds["cell with a formula"] += 1
        new = report.changed(f"{name}#{cell['id']}", source, changes)
        cell["source"] = new if isinstance(cell["source"], str) else new.splitlines(keepends=True)
        cell["metadata"] = of_metadata(cell["metadata"], source, changes, moves)
        if "tables" in cell["metadata"]:
            cell["metadata"]["tables"] = sealed(cell["metadata"]["tables"], source, new)
        cell["id"] = apply(cell["id"], edits(cell["id"], moves))
        if cell.get("outputs"):
            shown = {source[e.start : e.end] for e in changes if e.kind == "formula"}
            cell["outputs"] = mapped(cell["outputs"], partial(of_output, moves=moves, formulas=shown))
        if READS_THE_BOOK.search(source):
            report.execute.add(name)
    raw["metadata"] = mapped(raw["metadata"], lambda text: apply(text, edits(text, moves)))
    return dumped(raw)


def dumped(raw: dict[str, Any]) -> str:
    """Return a notebook as `make outputs` and JupyterLab write it."""
    return json.dumps(raw, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def mapped(value: Any, change: Callable[[str], str]) -> Any:
    """Return JSON data with every string changed, keys included."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [mapped(item, change) for item in value]
    if isinstance(value, dict):
        return {change(key): mapped(item, change) for key, item in value.items()}
    return value


def of_output(text: str, moves: Moves, formulas: set[str]) -> str:
    """Return what an output says; a number in brackets is a formula if the code of the cell has it as one."""
    changes = edits(text, moves) if re.search(r"\d", text) else []
    return apply(text, [e for e in changes if e.kind != "formula" or text[e.start : e.end] in formulas])


def of_metadata(metadata: dict[str, Any], source: str, changes: list[Edit], moves: Moves) -> dict[str, Any]:
    """Return the metadata of a cell; what quotes the text changes as the text does."""

    def quoted(phrase: str) -> str:
        at = source.find(phrase)
        if at < 0:
            return apply(phrase, edits(phrase, moves))
        inside = [e for e in changes if at <= e.start and e.end <= at + len(phrase)]
        return apply(phrase, [e._replace(start=e.start - at, end=e.end - at) for e in inside])

    kept = {key: metadata[key] for key in ("refers", "posed") if key in metadata}
    return mapped({key: value for key, value in metadata.items() if key not in kept}, quoted) | kept


def sealed(said: list[str], before: str, after: str) -> list[str]:
    """Return what is said of the typed tables of a cell, with new seals for those that were sealed.

    Examples
    --------
    >>> sealed(["by definition: cacab36e", "f"], "| a |\\n|---|\\n| 1 |", "| a |\\n|---|\\n| 2 |")
    ['by definition: cacab36e', 'f']
    """
    pairs = zip(tables(before), tables(after), strict=True)
    new = {(k, seal(old)): seal(rows) for k, ((_, old), (_, rows)) in enumerate(pairs)}
    return [new.get((k, words), words) for k, words in enumerate(said)]


def cards_laid_out(texts: dict[str, str], moves: Moves, report: Report) -> str:
    """Return the first page; its cards are laid out as `_toc.yml` has the chapters."""
    return of_text("intro.md", cards(texts["intro.md"], texts["_toc.yml"], moves), moves, report)


def known_by(texts: dict[str, str], stems: dict[str, str]) -> Targets:
    """Collect what some chapters have; `stems` are what they are called, by the files they are in."""
    rows = csv.DictReader(io.StringIO(texts.get("chapters/formulas.csv", "")))
    names = {row["number"]: row["name"] for row in rows}
    chapters = sorted((name, json.loads(texts[f"chapters/{stem}.ipynb"])) for stem, name in stems.items())
    return targets([as_notebook(Path(f"{name}.ipynb"), raw) for name, raw in chapters], names)


def as_notebook(path: Path, raw: dict[str, Any]) -> Notebook:
    """Return raw data as the tests read them."""
    return Notebook(path, raw["metadata"], tuple(map(parse_cell, raw["cells"])))


def with_references(
    name: str, text: str, old: dict[str, Any], known: tuple[Targets, Targets], moves: Moves, report: Report
) -> str:
    """Return a notebook whose cells list what they refer to, where they did so before."""
    was, now = known
    raw = json.loads(text)
    for cell, before in zip(raw["cells"], old["cells"], strict=True):
        said = before["metadata"].get("refers")
        if said and said == references(joined(before["source"]), was):
            cell["metadata"]["refers"] = references(joined(cell["source"]), now)
            report.compare(f"{name}#{cell['id']}", said, cell["metadata"]["refers"])
        elif said:
            cell["metadata"]["refers"] = [apply(entry, edits(entry, moves)) for entry in said]
            report.doubts.append(f"{name}#{cell['id']}: `refers` was not what the text refers to")
    return dumped(raw)


def write(root: Path, texts: dict[Path, str], report: Report) -> None:
    """Store the new texts, and remove the files that have moved."""
    for old, new in report.files.items():
        if old != new:
            (root / old).unlink()
    for path, text in texts.items():
        with path.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
