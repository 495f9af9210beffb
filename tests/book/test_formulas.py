"""The table of formulas: complete, and every name in it leads somewhere."""

from __future__ import annotations

import ast
import csv
import io
import re
from functools import cache

import pytest
from api_pages import inner_formulas, is_shown, place_of, resolve

from tests.book.notebooks import NUMBERED, ROOT, load

HEAD = ["number", "name", "words", "how", "function", "test"]
HOW = re.compile(r"computed|law|step to \d+\.\d+")
WITH_FORMULAS = [path for path in NUMBERED if load(path).tags]


def table() -> list[dict[str, str]]:
    """Read the rows of the table."""
    with (ROOT / "chapters" / "formulas.csv").open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        assert reader.fieldnames == HEAD
        return list(reader)


ROWS = table()
BY_NUMBER = {row["number"]: row for row in ROWS}


def as_rows(numbers: list[str]) -> str:
    """Return rows to be filled in, in the format of the file."""
    text = io.StringIO()
    rows = ([n, "name", "Says.", "computed", "dtlib.", "tests/unit/test_.py::test_"] for n in numbers)
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def test_every_formula_of_the_book_has_a_row() -> None:
    missing = [tag for path in NUMBERED for tag in load(path).tags if tag not in BY_NUMBER]
    assert not missing, f"add to chapters/formulas.csv, and run `make outputs`:\n{as_rows(missing)}"


def test_every_row_is_of_a_formula_and_all_are_in_order() -> None:
    tags = [tag for path in NUMBERED for tag in load(path).tags]
    numbers = [row["number"] for row in ROWS]
    assert [number for number in numbers if number not in tags] == []
    assert numbers == sorted(set(numbers), key=lambda number: [int(part) for part in number.split(".")])


def test_no_cell_is_empty() -> None:
    assert [row for row in ROWS if not all((row[name] or "").strip() for name in HEAD)] == []
    assert [row for row in ROWS if None in row] == [], "a comma outside of quotes begins a cell of its own"


def test_names_are_short_and_each_is_of_one_formula() -> None:
    names = [row["name"] for row in ROWS]
    assert [name for name in names if not re.fullmatch(r"[A-Za-z][\w' ,.-]*\w", name) or len(name) > 40] == []
    assert len(set(names)) == len(names)


def test_words_are_a_sentence_without_tex() -> None:
    words = [row["words"] for row in ROWS]
    assert [w for w in words if not re.fullmatch(r"[A-Z][^$\\]*\.", w)] == []
    assert len(set(words)) == len(words)


def test_a_step_leads_to_a_formula_of_the_same_function() -> None:
    assert [row["number"] for row in ROWS if not HOW.fullmatch(row["how"])] == []
    for row in ROWS:
        if row["how"].startswith("step to "):
            goal = BY_NUMBER[row["how"].removeprefix("step to ")]
            assert goal["number"] != row["number"]
            assert goal["function"] == row["function"], row["number"]


def test_every_function_is_on_a_page_of_the_api_or_leads_to_its_source() -> None:
    for function in {row["function"] for row in ROWS}:
        resolve(function)
        assert is_shown(function) or place_of(function) in inner_formulas(), function


def test_a_function_that_is_not_there_is_noticed() -> None:
    assert resolve("dtlib.prune.risk").__name__ == "risk"
    for name in ("dtlib.measures.entrophy", "dtlib.nowhere.entropy", "dtlib.Tree.prune"):
        with pytest.raises(ValueError, match="there is no"):
            resolve(name)


@cache
def functions_of(file: str) -> list[str]:
    """List the test functions of a file, without running it."""
    body = ast.parse((ROOT / file).read_text(encoding="utf-8")).body
    return [f"{file}::{node.name}" for node in body if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize("number", BY_NUMBER)
def test_every_test_exists(number: str) -> None:
    name = BY_NUMBER[number]["test"]
    file, _, test = name.partition("::")
    assert re.fullmatch(r"tests/(unit|property|oracles)/test_\w+\.py", file)
    assert test.startswith("test_")
    assert functions_of(file).count(name) == 1, f"({number}) names {name}, which is not there"


def test_laws_name_the_formulas_they_test() -> None:
    """What tests/unit/test_laws.py says of a test is what the table says of it."""
    file = "tests/unit/test_laws.py"
    for node in ast.parse((ROOT / file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            said = set(re.findall(r"\((\d+\.\d+)\)", ast.get_docstring(node) or ""))
            listed = {row["number"] for row in ROWS if row["test"] == f"{file}::{node.name}"}
            assert listed <= said, node.name
            assert listed, f"{node.name} tests no formula of the table"


@pytest.mark.parametrize("path", WITH_FORMULAS, ids=lambda path: path.stem)
def test_the_page_shows_each_formula_as_its_chapter_does(path) -> None:
    page = load(ROOT / "chapters" / "formulas.ipynb").code[-2].outputs[0]["data"]["text/html"]
    page = "".join(page)
    for number in load(path).tags:
        anchor = number.replace(".", "-")
        assert page.count(f'id="formula-{anchor}"') == 1
        assert f'href="{path.name}#equation-{anchor}">({number})</a>' in page
        card = page.partition(f'id="formula-{anchor}"')[2].partition('class="formula"')[0]
        assert f'reference/api.md#{BY_NUMBER[number]["function"]}"' in card
        assert BY_NUMBER[number]["test"] in card.replace("<wbr>", "")
    assert page.count(f'href="{path.name}#equation-') == 2 * len(load(path).tags)
