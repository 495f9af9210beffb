"""The page of the data, and data/README.md: no file without a word about it."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from dtlib import datasets
from dtlib.datasets import list_datasets
from tests.book.notebooks import CHAPTERS, NUMBERED, ROOT, load

FILES = sorted(path for path in (ROOT / "data").iterdir() if path.name != "README.md")
TABLES = [path for path in FILES if path.suffix != ".json"]
README = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
PAGE = load(ROOT / "chapters" / "data.ipynb")
LOADERS = {
    data.name: (call, data)
    for call in list_datasets()["load"]
    for data in [eval(call, vars(datasets).copy())]
}
each_table = pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)


def html() -> str:
    """Return all that the page shows."""
    outputs = [output for cell in PAGE.code for output in cell.outputs]
    return "\n".join("".join(output["data"]["text/html"]) for output in outputs)


def loaded(path) -> datasets.Dataset:
    """Return the data set of a file."""
    assert path.stem in LOADERS, f"list_datasets() has no function that loads {path.name}"
    return LOADERS[path.stem][1]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_file_is_on_the_page_and_in_the_readme(path) -> None:
    assert f"`{path.name}`" in README, f"data/README.md has no row for {path.name}"
    assert f"<code>{path.name}</code>" in html(), f"chapters/data.ipynb does not show {path.name}"


@each_table
def test_each_table_has_a_loader_and_a_row_of_the_readme_that_agrees(path) -> None:
    data = loaded(path)
    row = re.compile(rf"^\| `{path.name}` \| ([\d,]+) \| .+ \| (.+) \|$", re.MULTILINE)
    found = row.search(README)
    assert found, f"data/README.md has no row for {path.name}: | `{path.name}` | rows | what | taken from |"
    rows, source = found.groups()
    assert int(rows.replace(",", "")) == len(data.frame) == len(pd.read_csv(path))
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
    for _, data in LOADERS.values():
        for chinese in data.chinese.get("columns", {}).values():
            assert f'<span lang="zh">{chinese}</span>' in html()


@pytest.mark.parametrize("path", NUMBERED, ids=lambda path: path.stem)
def test_a_chapter_is_named_where_its_code_loads_a_table(path) -> None:
    """By another way than the page's: whether a call stands in the code, letter by letter."""
    code = "\n".join(cell.source for cell in load(path).code)
    overview = {
        name: line for line in html().split("<tr>") for name in re.findall(r'<a href="#(\w+)"><code>', line)
    }
    for name, (call, _) in LOADERS.items():
        calls = [call, call.replace('"2.0"', "")]
        if any(re.search(rf"\b{re.escape(c)}", code) for c in calls):
            assert f'href="{path.name}"' in overview[name], (path.name, call)
        elif call.partition("(")[0] + "(" not in code:
            assert f'href="{path.name}"' not in overview[name], (path.name, call)


def test_the_page_is_one_of_the_book() -> None:
    assert PAGE.path in CHAPTERS
