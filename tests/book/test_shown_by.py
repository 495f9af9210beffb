"""The extension `shown_by`: every claim of every chapter has its mark, below the words that it is about."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from myst_parser.docutils_ import Parser
from shown_by import FRAME_OF_FORMULA, computed, mark, shown_by, signs
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from tests.book.notebooks import CHAPTERS, Cell, load
from tests.claims.forms import declared

MARKDOWN = {"myst_enable_extensions": ["dollarmath"], "report_level": 5}  # its links lead nowhere
BETWEEN_CELLS = "\n\n+++\n\n"
CLAIMED = [path for path in CHAPTERS if any("claims" in cell.metadata for cell in load(path).markdown)]


def read(texts: list[str]) -> tuple[nodes.document, list[list[nodes.Element]]]:
    """Return cells as one page, and the paragraphs and displayed formulas of each."""
    page = publish_doctree(BETWEEN_CELLS.join(texts), parser=Parser(), settings_overrides=MARKDOWN)
    blocks: list[list[nodes.Element]] = [[]]
    for node in page.findall():
        if isinstance(node, nodes.comment) and "block_break" in node["classes"]:
            blocks.append([])
        elif isinstance(node, nodes.paragraph | nodes.math_block):
            blocks[-1].append(node)
    return page, blocks


def shown(page: nodes.document) -> Iterator[tuple[nodes.Element, str, str]]:
    """Yield what the marks of a page show: what stands above, a phrase, its expression."""
    for fold in page.findall(shown_by):
        above = fold.parent[fold.parent.index(fold) - 1]
        yield from ((above, row.astext(), row["expression"]) for row in fold.findall(computed))


def computed_claims(cell: Cell) -> dict[str, str]:
    """Return the claims of a cell, but not those that hold by definition."""
    claims = cell.metadata.get("claims", {})
    return {claim.phrase: claim.declared for claim in declared(cell) if claim.phrase in claims}


@pytest.mark.parametrize("path", CLAIMED, ids=lambda path: path.stem)
def test_every_claim_of_a_chapter_has_its_mark(path: Path) -> None:
    cells = [cell for cell in load(path).markdown if "claims" in cell.metadata]
    page, blocks = read([cell.source for cell in cells])
    lost = [
        phrase
        for cell, of_cell in zip(cells, blocks, strict=True)
        for phrase in mark(of_cell, cell.metadata["claims"])
    ]
    wanted = [claim for cell in cells for claim in computed_claims(cell).items()]
    rows = [(signs(above.astext()), signs(row.replace(" · ", " ")), said) for above, row, said in shown(page)]
    assert (lost, len(rows)) == ([], len(wanted))
    for phrase, expression in wanted:
        its = signs(FRAME_OF_FORMULA.sub("", phrase))
        assert [above.count(its) for above, row, said in rows if said == expression and its in row] == [1], (
            phrase
        )


@pytest.mark.parametrize(
    ("text", "phrase", "place", "row"),
    [
        ("`house` gains *0.4* bits.", "`house` gains *0.4* bits", nodes.paragraph, "house gains 0.4 bits"),
        ("It is 4 here.", "It is 5", nodes.paragraph, None),
        ("See [page 2](https://a.org): 3.", "[page 2](https://a.org): 3", nodes.paragraph, "page 2: 3"),
        ("It says\n\"two\" of 9.", 'says "two" of 9', nodes.paragraph, 'says\n"two" of 9'),
        ("So $p = \\frac12$ of it.", "\\frac12$ of it", nodes.paragraph, "p = \\frac12 of it"),
        ("$$\na = \\frac{1}{2} \\tag{1.1}\n$$", "\\frac{1}{2}", nodes.math_block, "\\frac{1}{2}"),
        ("- one\n  - 2 leaves\n- three", "2 leaves", nodes.bullet_list, "2 leaves"),
        ("> **Theorem.** It is 5.", "It is 5", nodes.paragraph, "It is 5"),
        ("| a | `b` |\n|---|---|\n| 1 | 2 |", "| 1 | 2 |", nodes.table, "1 · 2"),
        ("<details><summary>No.</summary>\n\nRight: 7.\n\n</details>", "7", nodes.paragraph, "7"),
    ],
)  # fmt: skip
def test_the_mark_stands_below_what_holds_the_phrase(
    text: str, phrase: str, place: type[nodes.Element], row: str | None
) -> None:
    page, [blocks] = read([text])
    assert mark(blocks, {phrase: "1 + 1"}) == ([phrase] if row is None else [])
    assert [(type(above), said) for above, said, _ in shown(page)] == ([] if row is None else [(place, row)])


def test_a_paragraph_has_one_mark_in_the_order_of_its_text() -> None:
    page, [blocks] = read(["First 3, then 2.\n\nThen one."])
    claims = {"then 2": "1 + 1", "First 3": "1 + 2", "one": "by definition", "four": "2 + 2"}
    assert mark(blocks, claims) == ["four"]
    assert [[row.astext() for row in fold] for fold in page.findall(shown_by)] == [["First 3", "then 2"]]


def markdown(name: str, text: str, *tags: str, **claims: str) -> dict:
    return {
        "cell_type": "markdown",
        "id": name,
        "metadata": {"tags": list(tags), "claims": claims},
        "source": text,
    }


PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="A dot"><title>A dot</title></svg>'
DRAWN = {
    "cell_type": "code", "id": "dot", "metadata": {}, "source": "dot", "execution_count": 1,
    "outputs": [{"output_type": "display_data", "metadata": {}, "data": {"image/svg+xml": PICTURE}}],
}  # fmt: skip
CELLS = [
    markdown(
        "title", "# Counts\n\nOf 9 < 10, two are left.", **{"9 < 10": "9 < 10", "two": "at the end: 1 + 1"}
    ),
    DRAWN,
    markdown("caption", "**Figure 1.1.** Some 4 dots.", "caption", **{"4 dots": "2 * 2"}),
    markdown("table", "| a | b |\n|---|---|\n| 5 | 6 |", **{"| 5 | 6": "[5, 6]"}),
    markdown("exercise", "### Exercise 1.1: Count\n\nTo 7?", "exercise", **{"To 7": "7"}),
    markdown("solution", "#### Solution 1.1\n\nTo 8.", "solution", **{"To 8": "8", "Count": "0"}),
]
CONFIG = {
    "extensions": ["plain_markdown", "shown_by", "myst_nb", "sphinx_exercise", "sphinxcontrib.bibtex"],
    "nb_execution_mode": "off",
    "myst_enable_extensions": ["dollarmath"],
    "bibtex_bibfiles": ["references.bib"],
    "numfig": True,
    "numfig_secnum_depth": 1,
}  # fmt: skip


def test_a_page_has_the_marks_of_its_cells_and_a_lost_phrase_is_a_warning(tmp_path: Path) -> None:
    chapter = {"cells": CELLS, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "index.md").write_text(
        "# Book\n\n```{toctree}\n:numbered: 1\nchapter\n```\n", encoding="utf-8"
    )
    (tmp_path / "chapter.ipynb").write_text(json.dumps(chapter), encoding="utf-8")
    (tmp_path / "references.bib").touch()
    warnings = io.StringIO()
    with docutils_namespace():
        Sphinx(tmp_path, None, tmp_path / "out", tmp_path / "read", "html", CONFIG, None, warnings).build()
    assert re.findall("WARNING: (.*claimed.*)", warnings.getvalue()) == [
        "cell 'solution': “Count” is claimed, and the page does not have it\x1b[39;49;00m"
    ]
    page = (tmp_path / "out" / "chapter.html").read_text(encoding="utf-8")
    assert re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", page) == [
        ("9 &lt; 10", "<code>9 &lt; 10</code> is true"),
        ("two", "<code>1 + 1</code> at the end of the chapter"),
        ("4 dots", "<code>2 * 2</code>"),
        ("5 · 6", "<code>[5, 6]</code>"),
        ("To 7", "<code>7</code>"),
        ("To 8", "<code>8</code>"),
    ]
    assert re.findall(r"</(\w+)>\s*<details class=\"shown-by\">", page) == ["p", "figure", "table", "p", "p"]
    assert page.count("Shown by 2 computations</span></summary>") == 1
