"""The page of the numbers: every check in words, with a link to its cell."""

from __future__ import annotations

import csv
import html
import re

import proof
import pytest
from cell_anchors import anchor, anchored

from dtlib.book import checks
from tests.book.notebooks import NUMBERED, ROOT, load

CHECKS = checks.collect(ROOT / "chapters").to_dict("records")
PAGE = load(ROOT / "chapters" / "numbers.ipynb")
RESULTS = [output["data"] for cell in PAGE.code for output in cell.outputs if "data" in output]


def shown(data: dict) -> str:
    """Return the HTML of a result."""
    return "".join(data.get("text/html", ""))


SHOWN = "\n".join(map(shown, RESULTS))
ROWS = dict(re.findall(r'<tr id="([\w.-]+)">(.+?)</tr>', SHOWN))
CELLS = {path.stem: {cell.id for cell in load(path).code} for path in NUMBERED}


def words() -> list[tuple[str, str]]:
    """Read what each number is, from chapters/numbers.csv."""
    with (ROOT / "chapters" / "numbers.csv").open(encoding="utf-8", newline="") as file:
        return [(row["id"], row["words"]) for row in csv.DictReader(file)]


def test_every_number_has_words_and_no_words_are_left() -> None:
    ids, checked = [id for id, _ in words()], [check["id"] for check in CHECKS]
    assert sorted(ids) == sorted(set(ids))
    assert sorted(set(checked) - set(ids)) == [], "add to chapters/numbers.csv what these numbers are"
    assert sorted(set(ids) - set(checked)) == [], "no cell checks these: remove them from numbers.csv"


@pytest.mark.parametrize(("id", "said"), words())
def test_words_are_words(id, said) -> None:
    assert re.fullmatch(r"[A-Z][^_]+", re.sub("`[^`]+`", "name", said)), "a name of code is put in backticks"
    assert id not in said


def test_the_page_has_a_row_for_each_number_and_no_other() -> None:
    assert list(ROWS) == [check["id"] for check in CHECKS]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check["id"])
def test_a_row_says_what_the_cell_printed_and_leads_there(check) -> None:
    row, said = ROWS[check["id"]], dict(words())[check["id"]]
    text = html.unescape(re.sub(r"<[^>]+>", "", row))
    assert said.replace("`", "") in text
    assert check["verdict"] in text
    assert check["source"] in text
    assert f">{check['printed']}</td>" in row
    assert f'href="{check["chapter"]}.ipynb#{anchor(check["cell"])}"' in row
    assert check["cell"] in CELLS[check["chapter"]]


def test_no_name_of_a_file_is_shown() -> None:
    text = re.sub(r"<[^>]+>", " ", SHOWN)
    assert re.findall(r"\b\d\d_\w+", text) == []


def test_the_table_of_chapters_leads_to_their_numbers() -> None:
    short, table = (re.findall(r'href="#([\w-]+)"', shown(part)) for part in (RESULTS[0], RESULTS[-1]))
    links = sorted(set(short))
    assert links == sorted(short) == sorted(table)
    assert len(links) == len({check["chapter"] for check in CHECKS})
    assert [link for link in links if f'<h2 id="{link}">' not in SHOWN] == []


def test_a_wrong_print_is_counted_once_as_on_the_first_page() -> None:
    head, *chapters, last = re.findall(r"<tr>(.+?)</tr>", shown(RESULTS[-1]))
    assert head.endswith('<th scope="col">numbers</th><th scope="col">wrong prints</th>')
    counts = [[int(n or 0) for n in re.findall(r"<td>(\d*)</td>", row)] for row in (*chapters, last)]
    assert [sum(column) for column in zip(*counts[:-1], strict=True)] == counts[-1]
    assert counts[-1] == [proof.figures()["numbers"], proof.figures()["wrong"]]
    wrong = {(check["source"], check["printed"]) for check in CHECKS if check["verdict"] != "agrees"}
    assert len(wrong) == counts[-1][1]


def test_the_page_and_the_first_page_say_the_same_pair_of_checks_and_prints() -> None:
    found, prints = proof.wrong_checks(), proof.figures()["wrong"]
    assert f"{found} of the checks find {prints} wrong prints." in shown(RESULTS[0])
    assert f"The {prints} wrong prints that {found} checks find" in proof.prints_fold()
    assert sum(check["verdict"] != "agrees" for check in CHECKS) == found


def test_only_code_cells_get_an_anchor() -> None:
    cell = {"cell_type": "markdown", "id": "intro", "metadata": {}, "source": ""}
    assert anchored(cell) == cell
