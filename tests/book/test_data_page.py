"""The page of the data, and data/sets.toml: no file without a word about it."""

from __future__ import annotations

import re
from functools import cache

import pandas as pd
import pytest

from dtlib import datasets
from dtlib.datasets import list_datasets
from tests.book.notebooks import CHAPTERS, NUMBERED, ROOT, load

TABLES = sorted((ROOT / "data").glob("*.csv"))
PAGE = load(ROOT / "chapters" / "data.ipynb")
each_table = pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)


@cache
def loaders() -> dict[str, tuple[str, datasets.Dataset]]:
    """Return each data set and the call that loads it, by the name of its file."""
    return {
        data.name: (call, data)
        for call in list_datasets()["load"]
        for data in [eval(call, vars(datasets).copy())]
    }


def html() -> str:
    """Return all that the page shows."""
    outputs = [output for cell in PAGE.code for output in cell.outputs]
    return "\n".join("".join(output["data"]["text/html"]) for output in outputs)


def loaded(path) -> datasets.Dataset:
    """Return the data set of a file."""
    assert path.stem in loaders(), f"list_datasets() has no function that loads {path.name}"
    return loaders()[path.stem][1]


def test_there_is_nothing_beside_the_tables_but_what_is_said_of_them() -> None:
    assert {path.name for path in (ROOT / "data").iterdir()} == {
        "README.md", "sets.toml", *(path.name for path in TABLES)
    }  # fmt: skip


@each_table
def test_each_table_is_on_the_page(path) -> None:
    assert f"<code>{path.name}</code>" in html(), "make outputs ARGS=chapters/data.ipynb"


@each_table
def test_each_table_has_a_loader_and_what_the_page_says_of_its_source_agrees(path) -> None:
    data, source = loaded(path), datasets.described()[path.stem]["taken_from"]
    assert len(data.frame) == len(pd.read_csv(path))
    places = re.findall(r"(?:table|chapter) [\d.]*\d", data.source) or re.findall(r"\(\d{4}\)", data.source)
    assert places
    assert [place for place in places if place not in source] == []
    # a licence that must be named is named in both places
    assert ("CC BY" in data.licence.partition(";")[0]) == ("CC BY" in source)


@each_table
def test_each_small_table_is_on_the_page_whole(path) -> None:
    data = loaded(path)
    section = html().partition(f'<h2 id="{data.name}">')[2].partition("<h2 ")[0]
    cells = pd.read_csv(path, dtype=str, keep_default_na=False)
    shown = [re.findall(r"<td[^>]*>(.*?)</td>", line) for line in re.findall(r"<tr>(.*?)</tr>", section)]
    frame = (data.frame.reset_index() if data.frame.index.name else data.frame).astype(object)
    wanted = [["" if pd.isna(cell) else str(cell) for cell in line] for line in frame.to_numpy()]
    assert len(wanted) == len(cells)
    first = wanted if len(wanted) <= 30 else wanted[:6]
    place = shown.index(first[0])
    assert shown[place : place + len(first)] == first


def test_each_name_stands_beside_its_chinese() -> None:
    for _, data in loaders().values():
        for chinese in data.chinese.get("columns", {}).values():
            assert f'<span lang="zh">{chinese}</span>' in html()


@pytest.mark.parametrize("path", NUMBERED, ids=lambda path: path.stem)
def test_a_chapter_is_named_where_its_code_loads_a_table(path) -> None:
    """By another way than the page's: whether a call stands in the code, letter by letter."""
    code = "\n".join(cell.source for cell in load(path).code)
    overview = {
        name: line for line in html().split("<tr>") for name in re.findall(r'<a href="#(\w+)"><code>', line)
    }
    for name, (call, _) in loaders().items():
        calls = [call, call.replace('"2.0"', "")]
        if any(re.search(rf"\b{re.escape(c)}", code) for c in calls):
            assert f'href="{path.name}"' in overview[name], (path.name, call)
        elif call.partition("(")[0] + "(" not in code:
            assert f'href="{path.name}"' not in overview[name], (path.name, call)


def test_the_page_is_one_of_the_book() -> None:
    assert PAGE.path in CHAPTERS
