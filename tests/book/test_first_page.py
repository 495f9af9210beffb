"""The first page: its figures are counted from what a test looks at, and Binder is offered where it works."""

from __future__ import annotations

import html
import importlib
import re

import first_page
import proof
import pytest
from cell_anchors import anchor

from dtlib.book import checks
from tests.book.notebooks import NUMBERED, ROOT, TAG, load

INTRO = (ROOT / "intro.md").read_text(encoding="utf-8")
HERE = "https://github.com/someone/trees"
ALONE, PUBLISHED = (first_page.filled(INTRO, repository) for repository in (None, HERE))
TILES = dict(re.findall(r'<a href="([^"]+)"><strong>(\d+)</strong> [a-z]', ALONE))


def cases(test: str) -> list[dict]:
    """Return the recorded runs with which a test of tests/oracles is called."""
    file, _, name = test.partition(".py::")
    function = getattr(importlib.import_module(f"tests.oracles.{file}"), name)
    (mark,) = [mark for mark in function.pytestmark if mark.name == "parametrize"]
    assert mark.args[0] in ("run", "number")
    return list(mark.args[1])


def rows_of(page: str, fold: str) -> list[list[str]]:
    """Return the cells of the table behind a fold, as text."""
    inside = re.search(rf'<details class="fold" id="{fold}">(.*?)</details>', page, re.DOTALL)[1]
    rows = re.findall(r"<tr>(.*?)</tr>", inside)[1:]
    return [
        [html.unescape(re.sub("<[^>]+>", "", cell)) for cell in re.findall(r"<td>(.*?)</td>", row)]
        for row in rows
    ]


def test_every_mark_is_filled():
    assert set(first_page.MARK.findall(INTRO)) == {
        "proof", "equal trees", "wrong prints", "binder", "or search",
    }  # fmt: skip
    assert "<!--" not in ALONE
    assert "<!--" not in PUBLISHED


# The four figures


def test_the_numbers_are_those_that_cells_check():
    printed = [
        line
        for path in NUMBERED
        for cell in load(path).code
        for output in cell.outputs
        for line in "".join(output.get("text", "")).splitlines()
        if checks.parse(line)
    ]
    assert TILES["chapters/numbers.html"] == str(len(printed))


def test_the_formulas_are_those_numbered_in_the_chapters():
    tags = [tag for path in NUMBERED for cell in load(path).markdown for tag in TAG.findall(cell.source)]
    assert len(tags) == len(set(tags))
    assert TILES["chapters/formulas.html"] == str(len(tags))


@pytest.mark.parametrize("row", proof.COMPARISONS, ids=lambda row: f"{row.program} {row.what}")
def test_every_tree_is_counted_once_and_a_test_compares_it(row: proof.Comparison):
    counted = [identity(run) for run in proof.recorded(row.file)[row.key] if row.counts(run)]
    assert counted
    assert len(set(counted)) == len(counted)
    called = cases(row.test)
    if isinstance(called[0], int):  # the places of the runs
        assert called == list(range(len(counted)))
    else:
        assert set(counted) <= set(map(identity, called))


def identity(run: dict) -> tuple[str, ...]:
    """Return what tells a recorded run from the others of its file; J48's options are not those of C4.5."""
    keys = ("seed", "options") if "size" in run else ("seed",) if "seed" in run else IDENTITY
    return tuple(str(run.get(key)) for key in keys)


IDENTITY = ("name", "version", "dataset", "options")


def test_no_two_comparisons_count_the_same_trees():
    places = [(row.file, row.key) for row in proof.COMPARISONS]
    (both,) = {place for place in places if places.count(place) > 1}
    assert both == ("c45_groups.json.gz", "generated")  # the same rows, given to two programs
    assert [row.program for row in proof.COMPARISONS if (row.file, row.key) == both] == [
        proof.C45,
        proof.WEKA,
    ]


def test_the_table_of_trees_adds_up_to_the_figure():
    rows = rows_of(ALONE, "equal-trees")
    assert sum(int(row[2]) for row in rows) == int(TILES["#equal-trees"])
    assert {row[0] for row in rows} == {proof.C45, proof.WEKA, proof.RPART}


def test_a_wrong_print_is_counted_once():
    rows = rows_of(ALONE, "wrong-prints")
    prints = [(source, printed) for source, printed, *_ in rows]
    assert len(prints) == len(set(prints)) == int(TILES["#wrong-prints"])
    found = checks.collect(ROOT / "chapters")
    wrong = found[found["verdict"].str.startswith("wrong")]
    assert set(prints) == set(zip(wrong["source"], wrong["printed"], strict=True))


def test_a_wrong_print_leads_to_the_cell_that_finds_it():
    links = re.findall(r'href="chapters/(\w+)\.html#(cell-[\w-]+)"', ALONE)
    anchors = {path.stem: {anchor(cell.id) for cell in load(path).code} for path in NUMBERED}
    assert len(links) == int(TILES["#wrong-prints"])
    assert [link for link in links if link[1] not in anchors[link[0]]] == []


def test_a_figure_follows_what_it_counts(monkeypatch: pytest.MonkeyPatch, tmp_path):
    table = proof.FORMULAS.read_text(encoding="utf-8").splitlines()
    short = tmp_path / "formulas.csv"
    short.write_text("\n".join(table[:-1]), encoding="utf-8")
    monkeypatch.setattr(proof, "FORMULAS", short)
    assert proof.figures()["formulas"] == len(table) - 2
    assert f"<strong>{len(table) - 2}</strong> formulas" in proof.tiles()


# The repository


@pytest.mark.parametrize(
    ("repository", "offered"), [(None, 0), ("https://gitlab.com/someone/trees", 0), (HERE, 1)]
)
def test_binder_is_offered_where_it_can_fetch_the_repository(repository: str | None, offered: int):
    page = first_page.filled(INTRO, repository)
    links = re.findall(r'href="(https://mybinder\.org[^"]+)"', page)
    assert len(links) == offered
    for link in links:
        notebook = link.partition("?urlpath=lab/tree/")[2]
        assert link == f"https://mybinder.org/v2/gh/someone/trees/main?urlpath=lab/tree/{notebook}"
        assert (ROOT / notebook).is_file()


def test_tests_are_links_where_the_repository_is_known():
    links = re.findall(rf'href="{HERE}/blob/main/([^"]+)"', PUBLISHED)
    assert len(links) == len(proof.COMPARISONS)
    assert [link for link in links if not (ROOT / link).is_file()] == []
    assert "/blob/" not in ALONE


def test_the_tree_comes_first_then_the_doors_and_make_lab_last():
    parts = ("# ", "{touch}", 'class="doors"', "mybinder.org", 'class="map"', "make lab")
    order = [PUBLISHED.index(part) for part in parts]
    assert order == sorted(order)
    assert PUBLISHED.count("make lab") == 1
