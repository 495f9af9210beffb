"""Folds: what a reader may open, and need not.

A cell tagged ``checks`` shows lines of `dtlib.book.checks.check`. On the page the cell becomes one line, "6
numbers agree with Zhou (2016), section 4.2.1", which opens to the numbers and the code. A cell tagged
``hide-input`` is folded by myst-nb; if it does nothing but import, its line says so. So does the line of a
cell tagged ``hide-cell``, a table that a picture beside it shows.
"""

from __future__ import annotations

import ast
from html import escape
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from dtlib.book.checks import parse
from plain_markdown.log import warn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

Check = dict[str, str | float]

COLUMNS = ("Number", "Computed", "Printed", "Verdict", "Source")


#: A browser that blocks all cookies throws at the word `localStorage`, which would end the one script of the
#: page with all that follows: it gets a storage that keeps nothing beyond the page.
STORAGE = """<script>
for (const name of ["localStorage", "sessionStorage"]) {
  try {
    window[name].length;
  } catch {
    const kept = new Map();
    const value = {
      getItem: (key) => kept.get(String(key)) ?? null,
      setItem: (key, value) => void kept.set(String(key), String(value)),
      removeItem: (key) => void kept.delete(String(key)),
      clear: () => kept.clear(),
    };
    Object.defineProperty(window, name, { value, configurable: true });
  }
}
</script>
"""


class fold(nodes.General, nodes.Element):
    """Something that is shown as one line until a reader opens it."""


def summary(checks: Sequence[Check]) -> str:
    """Say in one line what checks found.

    >>> agrees = {"verdict": "agrees", "source": "note 2"}
    >>> summary([agrees])
    '1 number agrees with note 2'
    >>> summary([agrees, agrees | {"verdict": "wrong", "right": "4.087", "printed": "4.088"}])
    '2 numbers checked against note 2: 1 agrees, 1 is wrong in print'
    """
    wrong = sum(check["verdict"] == "wrong" for check in checks)
    right, where = len(checks) - wrong, sources(checks)
    if not wrong:
        return f"{counted(right, 'number')} {agree(right)} with {where}"
    if len(checks) == 1:
        return f"1 number checked against {where}: wrong in print"
    said = f"{wrong} {'is' if wrong == 1 else 'are'} wrong in print"
    if right:
        said = f"{right} {agree(right)}, {said}"
    return f"{counted(len(checks), 'number')} checked against {where}: {said}"


def counted(count: int, noun: str) -> str:
    """Return a count with its noun.

    >>> counted(1, "number"), counted(2, "number")
    ('1 number', '2 numbers')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def agree(count: int) -> str:
    """Return the verb for so many."""
    return "agrees" if count == 1 else "agree"


def sources(checks: Iterable[Check]) -> str:
    """Name the works, each once, and their places if there are two at most.

    >>> sources([{"source": "Li (2019), example 5.2"}, {"source": "Li (2019), example 5.3"}])
    'Li (2019), example 5.2 and example 5.3'
    >>> sources([{"source": f"Li (2019), example 5.{k}"} for k in (1, 2, 3)])
    'Li (2019)'
    """
    names = list(dict.fromkeys(str(check["source"]) for check in checks))
    works: dict[str, list[str]] = {}
    for work, _, place in (name.partition(", ") for name in names):
        works.setdefault(work, []).append(place)
    if len(names) > 2:
        return " and ".join(works) if len(works) <= 2 else f"{len(names)} sources"
    return " and ".join(", ".join(filter(None, (work, " and ".join(works[work])))) for work in works)


def table(checks: Iterable[Check]) -> str:
    """Return the table of checks that a fold opens to."""
    head = "".join(f"<th>{name}</th>" for name in COLUMNS)
    rows = "".join(f"<tr>{row(check)}</tr>" for check in checks)
    table = f'<table class="checked"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return f'<div class="table-box">{table}</div>'


def row(check: Check) -> str:
    """Return the cells of one check."""
    name = escape(str(check["formula"] or check["id"]))
    unit = f" {check['unit']}" if check["unit"] else ""
    verdict = "agrees"
    if check["verdict"] == "wrong":
        verdict = f"<strong>wrong</strong>, {check['right']} is right: {escape(str(check['why']))}"
    cells = (f"{check['value']:.12g}{escape(unit)}", escape(str(check["printed"])), verdict)
    said = "".join(f"<td>{cell}</td>" for cell in (*cells, escape(str(check["source"]))))
    return f'<th scope="row" title="{escape(str(check["id"]))}">{name}</th>{said}'


class FoldChecks(SphinxPostTransform):
    """Fold the cells that check numbers."""

    default_priority = 202  # after myst-nb has chosen what to show of an output
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for cell in list(self.document.findall(is_check)):
            lines = [line for block in printed(cell) for line in block.astext().splitlines() if line.strip()]
            checks = [parse(line) for line in lines]
            if not checks or None in checks:
                warn("a cell tagged `checks` shows something else than checked numbers", cell)
                continue
            told = nodes.raw("", table([check for check in checks if check]), format="html")
            inside = [child for child in cell.children if child.get("nb_element") == "cell_code_source"]
            kind = "wrong" if any(check["verdict"] == "wrong" for check in checks if check) else "right"
            cell.children = []
            cell += fold("", told, *inside, summary=summary(checks), classes=["checks", kind])


class NameFolds(SphinxPostTransform):
    """Say of a folded cell that it holds imports alone, or the table behind a picture."""

    default_priority = 198  # before myst-nb makes the fold
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for cell in self.document.findall(nodes.container):
            if cell.get("hide_mode") == "input" and only_imports(cell.children[0].astext()):
                cell["prompt_show"] = cell["prompt_hide"] = "Imports"
                cell["classes"].append("imports")
            elif cell.get("hide_mode") == "all":
                cell["prompt_show"] = cell["prompt_hide"] = "The numbers as a table"


def only_imports(source: str) -> bool:
    """Tell whether code does nothing but import.

    >>> only_imports("import re\\nfrom os import path"), only_imports("import re\\nre.compile('a')")
    (True, False)
    """
    return all(isinstance(statement, ast.Import | ast.ImportFrom) for statement in ast.parse(source).body)


def is_check(node: nodes.Node) -> bool:
    """Tell whether a node is a code cell tagged ``checks``."""
    if not isinstance(node, nodes.container) or node.get("nb_element") != "cell_code":
        return False
    return "tag_checks" in node["classes"]


def printed(cell: nodes.Element) -> list[nodes.literal_block]:
    """Return what a cell printed."""
    return [block for block in cell.findall(nodes.literal_block) if "stream" in block["classes"]]


def give_storage(
    app: Sphinx, pagename: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Give a page a storage in every browser (html-page-context)."""
    context["metatags"] = context.get("metatags", "") + STORAGE


def visit_fold(self: HTML5Translator, node: fold) -> None:
    self.body.append(self.starttag(node, "details", CLASS="fold"))
    self.body.append(f"<summary>{escape(node['summary'])}</summary>\n")


def depart_fold(self: HTML5Translator, node: fold) -> None:
    self.body.append("</details>\n")


def setup(app: Sphinx) -> None:
    """Add the fold of checks, and the names of the folds of imports and of tables."""
    app.add_node(fold, html=(visit_fold, depart_fold))
    app.add_post_transform(NameFolds)
    app.add_post_transform(FoldChecks)
    app.connect("html-page-context", give_storage)
