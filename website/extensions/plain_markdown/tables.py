"""Tables: what pandas shows, set for readers.

pandas writes one header row for the columns and another for the name of the index, sets words to the right,
counts rows that have no names, and shows Python's own ``NaN``, ``inf`` and ``(2, 3)``. Here, in one place, a
table of a cell gets one header, words on the left, numbers on the right, and classes in their colors. What
the notebook stores stays as it is.
"""

from __future__ import annotations

import html
import math
import re
from typing import TYPE_CHECKING

from bs4 import BeautifulSoup, Tag
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sphinx.application import Sphinx

Order = tuple[str, ...]  # classes, in the order of their colors
ClassificationTarget = dict[str, Order]  # target column -> its classes
Rows = list[list[Tag | None]]

NUMBER = re.compile(r"[-+−]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[-+]?\d+)?(?: ± \d+\.?\d*)?%?|[-−]?∞|–?")
WHOLE = re.compile(r"-?\d+\.0+")
INTEGER = re.compile(r"-?\d+")
SEQUENCE = re.compile(r"\((?P<tuple>[^()]*)\)|\[(?P<list>[^\[\]]*)\]")
EMPTY_HEAD = re.compile(r"<th(?: [^>]*)?>(?:\s|</?p>)*</th>")
FORMULA_HEAD = re.compile(r"(?<=<p>)<math>(?:(?!</?(?:math|p)>).)*</math>(?=</p>\s*</th>)", re.DOTALL)
SPAN = re.compile(r' (?:col|row)span="\d+"')
GAP = "–"
WORDS = dict.fromkeys(("NaN", "nan", "None", "NaT", "<NA>", "False"), GAP) | {
    "inf": "∞",
    "-inf": "−∞",
    "True": "✓",
}
#: Columns that hold a class, whatever the target is called.
CLASS_COLUMNS = ("class", "prediction", "predicted", "majority", "answer", "leaf", "leaf class")

BRANCHES = "branch"  # what the columns are called if they are no classes but the answers to a question
LARGE = 10_000  # a column that reaches it has commas between thousands
SENTENCE = 40  # characters: a column with a longer text wraps


def plain_value(text: str) -> str:
    """Return a value as a reader writes it.

    >>> [plain_value(text) for text in ("NaN", "-inf", "()", "(2,)", "[1, 2]", "True", "-0.5", "(10.1)")]
    ['–', '−∞', '–', '2', '1, 2', '✓', '−0.5', '(10.1)']
    """
    text = WORDS.get(text, text)
    match = SEQUENCE.fullmatch(text)
    if match is not None and ("," in text or text in ("()", "[]")):
        text = (match[match.lastgroup or 0] or "").strip().rstrip(",").replace("'", "") or GAP
    return "−" + text[1:] if re.fullmatch(r"-[\d.,]+(?:e-?\d+)?(?: ± [\d.]+)?%?", text) else text


def page_table(markup: str, classes: ClassificationTarget | None = None) -> str:
    """Set the tables of an output of a cell for the page.

    Parameters
    ----------
    markup : str
        HTML with any number of tables; those of pandas have the class ``dataframe``.
    classes : dict, optional
        Target columns and their classes, in the order of their colors.

    Returns
    -------
    str
        The same with each table in a box that scrolls sideways.

    Examples
    --------
    >>> one = "<table><thead><tr><th></th><th>gain</th></tr></thead><tr><td>0</td><td>0.5</td></tr></table>"
    >>> page_table(one)[:57]
    '<div class="table-box"><table><thead><tr><td></td><th>gai'
    """
    soup = BeautifulSoup(markup, "html.parser")
    for style in soup.find_all("style", scoped=True):
        style.decompose()
    for table in soup.find_all("table"):
        del table["border"]
        if "dataframe" in table.get("class", []):
            set_frame(soup, table, classes or {})
        for corner in table.find_all("th"):
            if not corner.get_text(strip=True):
                corner.name = "td"  # a header that says nothing is none
                del corner["scope"]
        table.wrap(soup.new_tag("div", attrs={"class": "table-box"}))
    return str(soup)


def set_frame(soup: BeautifulSoup, table: Tag, classes: ClassificationTarget) -> None:
    """Set one table of pandas."""
    for node in table.find_all(["tr", "th", "td"]):
        del node["style"]
    for text in table.find_all(string=lambda text: not text.strip()):
        text.extract()
    merge_headers(soup, table, classes)
    for group in table.select("thead th[colspan]"):
        group["class"], group["scope"] = "group", "colgroup"
    if counts_rows(table):
        drop_row_numbers(table)
    heads = header_cells(table)
    body = body_cells(table, len(heads))
    set_columns(body, heads)
    color_classes(table, body, classes)
    if table.thead and not table.thead.get_text(strip=True):
        table.thead.extract()


def header_cells(table: Tag) -> list[Tag]:
    """Return the cells of the last header row: the names of the columns."""
    rows = table.thead.find_all("tr") if table.thead else []
    return rows[-1].find_all(["th", "td"]) if rows else []


def merge_headers(soup: BeautifulSoup, table: Tag, classes: ClassificationTarget) -> None:
    """Put the name of the index into the header of its column, and the name of the columns above them."""
    rows = table.thead.find_all("tr") if table.thead else []
    levels = index_levels(table)
    if not rows or not levels:
        return
    names = [th.get_text(strip=True) for th in rows[-1].find_all("th")]
    names_index = len(rows) > 1 and any(names[:levels]) and not any(names[levels:])
    for group in table.thead.find_all("th", colspan=True):
        group["class"], group["scope"] = "group", "colgroup"
    if len(rows) > 1 and not names_index:
        return  # two levels of columns, and no name of an index
    row = rows[-2] if names_index else rows[-1]
    above = row.find_all("th")
    over = above[levels - 1].get_text(strip=True)
    if not names_index and over not in {*classes, *CLASS_COLUMNS}:
        return  # a table that lies on its side: what its columns are stands before them
    for name, cell in zip(names[:levels] if names_index else [""] * levels, above, strict=False):
        cell.string = name
    if names_index:
        rows[-1].extract()
    order = classes.get(over)
    if over and (order is None or any(head.get_text(strip=True) in order for head in above[levels:])):
        row.insert_before(group_row(soup, over, levels, above[levels:], order))


def index_levels(table: Tag) -> int:
    """Return how many columns the index has: the headers at the beginning of the first row of the body."""
    first = table.tbody.find("tr") if table.tbody else None
    return len(first.find_all("th")) if first else 0


def group_row(soup: BeautifulSoup, over: str, levels: int, heads: Sequence[Tag], order: Order | None) -> Tag:
    """Return a header row with the name of the columns; that of a target stands above its classes alone."""
    span = sum(head.get_text(strip=True) in order for head in heads) if order else len(heads)
    title = soup.new_tag("th", attrs={"colspan": str(span), "class": "group", "scope": "colgroup"})
    title.string = over
    row = soup.new_tag("tr")
    row.extend([soup.new_tag("td", attrs={"colspan": str(levels)}), title])
    if span < len(heads):
        row.append(soup.new_tag("td", attrs={"colspan": str(len(heads) - span)}))
    return row


def counts_rows(table: Tag) -> bool:
    """Tell whether the rows have no names but 0, 1, 2 and so on."""
    first = header_cells(table)[:1]
    named = bool(first) and bool(first[0].get_text(strip=True))
    numbers = [row.th.get_text(strip=True) if row.th else "" for row in table.tbody.find_all("tr")]
    return not named and numbers == [str(k) for k in range(len(numbers))]


def drop_row_numbers(table: Tag) -> None:
    """Drop the first column."""
    for row in table.find_all("tr"):
        first = row.find(["th", "td"])
        if first is not None:
            first.extract()


def body_cells(table: Tag, width: int) -> list[list[Tag | None]]:
    """Return the cells of the body, row by row; where a cell from above reaches down, there is none."""
    rows: list[list[Tag | None]] = []
    reach = [0] * width  # how many more rows the last cell of each column covers
    for line in table.tbody.find_all("tr"):
        cells = iter(line.find_all(["th", "td"], recursive=False))
        row = [None if left else next(cells, None) for left in reach]
        reach = [
            left - 1 if left else int(cell["rowspan"]) - 1 if cell and "rowspan" in cell.attrs else 0
            for left, cell in zip(reach, row, strict=True)
        ]
        rows.append(row)
    return rows


def set_columns(body: Rows, heads: Sequence[Tag]) -> None:
    """Write the values for readers; set numbers to the right and words to the left; let sentences wrap."""
    for k, head in enumerate(heads):
        head["scope"] = "col"
        cells = column(body, k)
        write_values(cells)
        said = [cell.get_text(strip=True) for cell in cells]
        if cells and all(map(NUMBER.fullmatch, said)):
            add_class("number", [head, *cells])
        if max(map(len, said), default=0) > SENTENCE:
            add_class("sentence", [head, *cells])


def add_class(name: str, cells: Iterable[Tag]) -> None:
    """Add a class to cells."""
    for cell in cells:
        cell["class"] = [*cell.get("class", []), name]


def column(body: Rows, k: int) -> list[Tag]:
    """Return the cells of a column."""
    return [cell for row in body if (cell := row[k]) is not None]


def write_values(cells: Iterable[Tag]) -> None:
    """Write the values of one column; whole numbers lose their ``.0``, and large ones get commas."""
    plain = [cell for cell in cells if cell.find(True) is None]
    said = [cell.get_text(strip=True) for cell in plain]
    numbers = [text for text in said if text not in WORDS]
    whole = bool(numbers) and all(WHOLE.fullmatch(text) for text in numbers)
    if whole:
        said = [text if text in WORDS else str(math.trunc(float(text))) for text in said]
    large = any(INTEGER.fullmatch(text) and abs(int(text)) >= LARGE for text in said)
    for cell, text in zip(plain, said, strict=True):
        cell.string = plain_value(f"{int(text):,}" if large and INTEGER.fullmatch(text) else text)


def color_classes(table: Tag, body: Rows, classes: ClassificationTarget) -> None:
    """Give the columns that count classes, and the classes among the values, the colors of the pictures."""
    heads = header_cells(table)
    names = [head.get_text(strip=True) for head in heads]
    answers = answers_a_question(table)
    for order in classes.values():
        for k, name in enumerate(names if set(order) <= set(names) and not answers else ()):
            if name in order:
                mark([heads[k], *column(body, k)], order.index(name))
    for k, name in enumerate(names):
        orders = [classes[name]] if name in classes else []
        if name in CLASS_COLUMNS:
            orders += classes.values()
        for cell in column(body, k):
            mark_value(cell, orders)


def answers_a_question(table: Tag) -> bool:
    """Tell whether the columns are branches: a yes is the answer to a question then, and no class."""
    groups = table.thead.select("th.group") if table.thead else []
    return any(group.get_text(strip=True) == BRANCHES for group in groups)


def mark_value(cell: Tag, orders: Iterable[Sequence[str]]) -> None:
    """Color a cell whose value is a class."""
    value = cell.get_text(strip=True)
    found = next((order.index(value) for order in orders if value in order), None)
    if found is not None:
        mark([cell], found)


def mark(cells: Iterable[Tag], color: int) -> None:
    """Give cells the color of a class."""
    for cell in cells:
        cell["class"] = [*cell.get("class", []), "of-class", f"class-{color}"]


class PageTables(SphinxPostTransform):
    """Set the tables among the HTML outputs of the cells."""

    default_priority = 230
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for raw in self.document.findall(nodes.raw):
            if (
                raw.get("format") == "html"
                and "<table" in raw.astext()
                and 'class="table-box"' not in raw.astext()
            ):
                raw.children = [nodes.Text(page_table(raw.astext(), self.config.table_classes))]


def without_empty_heads(markup: str) -> str:
    """Return a page whose empty headers, as above the names of the rows of a Markdown table, are plain cells.

    >>> without_empty_heads('<tr><th class="head"><p></p></th><th class="head"><p>C4.5</p></th></tr>')
    '<tr><td></td><th class="head"><p>C4.5</p></th></tr>'
    """
    return EMPTY_HEAD.sub(lambda match: f"<td{''.join(SPAN.findall(match[0]))}></td>", markup)


def with_named_formulas(markup: str) -> str:
    """Return a page whose headers that are a formula say it in words, too: a header has a name.

    >>> with_named_formulas("<th><p><math><msub><mi>T</mi><mi>t</mi></msub></math></p></th>")[:42]
    '<th><p><math aria-label="T sub t"><msub><m'
    """
    return FORMULA_HEAD.sub(lambda match: f'<math aria-label="{in_words(match[0])}">{match[0][6:]}', markup)


def in_words(formula: str) -> str:
    """Return a short formula in MathML as it is read aloud.

    >>> in_words("<math><mi>C</mi><mo>(</mo><msub><mi>T</mi><mi>t</mi></msub><mo>)</mo></math>")
    'C of T sub t'
    """
    soup = BeautifulSoup(formula, "html.parser")
    for name, word in (("msub", " sub "), ("msup", " to the ")):
        for node in soup.find_all(name):
            node.find_all(recursive=False)[1].insert_before(word)
    for row in soup.select('[intent^="size-of"]'):
        first, last = row.find_all("mo", recursive=False)
        first.string, last.string = "size of ", ""
    for sign in soup.find_all("mo"):
        sign.string = {"(": " of ", ")": ""}.get(sign.get_text(), sign.get_text())
    return html.escape(soup.get_text())


def mend_heads(
    app: Sphinx, pagename: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Mend the tables of a page (event html-page-context)."""
    context["body"] = with_named_formulas(without_empty_heads(context.get("body", "")))


def setup(app: Sphinx) -> None:
    """Set the tables of cells; ``table_classes`` says which column holds which classes."""
    app.add_config_value("table_classes", {}, "env", [dict])
    app.add_post_transform(PageTables)
    app.connect("html-page-context", mend_heads)
