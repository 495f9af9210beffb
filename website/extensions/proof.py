"""What the book can show for itself, counted when it is built: checks, formulas, equal trees, wrong prints.

Nothing is typed here: the checks are those that the chapters' stored outputs show, the formulas the rows of
chapters/formulas.csv, the trees those that other programs have recorded in tests/oracles, each compared with
ours, node for node, by the test that is named.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
from collections.abc import Callable
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from cell_anchors import anchor

from dtlib.book import checks

ROOT = Path(__file__).resolve().parents[2]
ORACLES = ROOT / "tests" / "oracles"
CHECKED = ROOT / "chapters"
FORMULAS = CHECKED / "formulas.csv"
Run = dict[str, object]


class Comparison(NamedTuple):
    """Trees of another program in a file of recorded runs, and the test that wants ours to be the same."""

    program: str
    what: str
    file: str
    key: str
    test: str
    counts: Callable[[Run], bool] = lambda run: True  # a whole tree, that no other row has


def unpruned(run: Run) -> bool:
    """Say whether J48 was told not to prune: of pruned trees with -B, only the upper part is compared."""
    return "-U" in str(run["options"])


def of_unchanged_rule(run: Run) -> bool:
    """Say whether SimpleCart grew to the end: what else it leaves out is no rule of ours."""
    return run["options"] == "-U -M 1"


C45, WEKA, RPART = "Quinlan's C4.5", "Weka", "rpart of R"
IN_TREES, IN_PRUNING = "test_c45_trees.py::test_", "test_c45_pruning.py::test_"
COMPARISONS = (
    Comparison(C45, "as grown", "c45_release8.json.gz", "runs", IN_TREES + "trees_of_release8"),
    Comparison(C45, "grouped names", "c45_groups.json.gz", "release8", IN_TREES + "groups_of_release8"),
    Comparison(
        C45, "grouped names, random rows", "c45_groups.json.gz", "generated",
        IN_TREES + "groups_of_release8_in_random_rows",
    ),
    Comparison(
        C45, "as pruned", "c45_pruned.json.gz", "runs", IN_PRUNING + "pruned_trees_of_release8",
        lambda run: "pruned" in run,
    ),
    Comparison(WEKA, "Id3", "weka36_id3.json", "runs", "test_weka_id3.py::test_same_tree"),
    Comparison(
        WEKA, "SimpleCart, as grown", "weka36_simplecart.json", "runs",
        "test_weka_simplecart.py::test_same_tree", of_unchanged_rule,
    ),
    Comparison(
        WEKA, "J48, as grown and as pruned", "weka_j48_pruned.json.gz", "runs",
        IN_PRUNING + "trees_and_distributions_of_j48", lambda run: "tree" in run,
    ),
    Comparison(
        WEKA, "J48, pruned, random rows", "weka_j48_drawn.json.gz", "runs",
        IN_PRUNING + "trees_of_j48_in_random_rows",
    ),
    Comparison(
        WEKA, "J48, rows with weights", "weka_weights.json.gz", "runs",
        "test_weka_weights.py::test_trees_and_shares",
    ),
    Comparison(
        WEKA, "J48, two branches", "c45_groups.json.gz", "j48", IN_TREES + "binary_trees_of_j48", unpruned,
    ),
    Comparison(
        WEKA, "J48, two branches, random rows", "c45_groups.json.gz", "generated",
        IN_TREES + "binary_trees_of_j48", lambda run: "j48" in run,
    ),
    Comparison(RPART, "classes and numbers", "rpart.json.gz", "runs", "test_rpart.py::test_tree"),
    Comparison(RPART, "other options, new rows", "rpart_more.json.gz", "runs", "test_rpart.py::test_tree"),
)  # fmt: skip


@cache
def recorded(file: str) -> dict[str, list[Run]]:
    """Read what another program has recorded."""
    data = (ORACLES / file).read_bytes()
    return json.loads(gzip.decompress(data) if file.endswith(".gz") else data)


def equal_trees() -> list[tuple[Comparison, int]]:
    """Return the comparisons, each with the number of its trees."""
    return [(row, sum(map(row.counts, recorded(row.file)[row.key]))) for row in COMPARISONS]


@cache
def checked() -> pd.DataFrame:
    """Return what the chapters compare with printed numbers, as `dtlib.book.checks` collects it."""
    return checks.collect(CHECKED)


def wrong_prints() -> list[dict[str, str]]:
    """Return the first check of each number that a source prints wrong, as the page of the numbers counts."""
    return checks.wrong_prints(checked()).to_dict("records")


def wrong_checks() -> int:
    """Return how many checks find a wrong print: some prints are compared more than once."""
    return sum(verdict.startswith("wrong") for verdict in checked()["verdict"])


def formulas() -> int:
    """Return how many numbered formulas the chapters derive."""
    with FORMULAS.open(encoding="utf-8", newline="") as file:
        return sum(1 for _ in csv.DictReader(file))


def figures() -> dict[str, int]:
    """Return the four figures of the first page."""
    return {
        "numbers": len(checked()),
        "formulas": formulas(),
        "trees": sum(n for _, n in equal_trees()),
        "wrong": len(wrong_prints()),
    }


def sources() -> list[Path]:
    """Return the files of which the figures are made."""
    return [*sorted(CHECKED.glob("[0-9][0-9]_*.ipynb")), FORMULAS, *sorted(ORACLES.glob("*.json*"))]


# On the page

LABELS = {
    "numbers": ("chapters/numbers.html", "printed numbers computed again"),
    "formulas": ("chapters/formulas.html", "formulas, each with a test"),
    "trees": ("#equal-trees", "trees equal to those of other programs"),
    "wrong": ("#wrong-prints", "wrong prints found"),
}


def tiles() -> str:
    """Return the four figures, each a link to where it can be verified."""
    found = figures()
    parts = [
        f'<li><a href="{href}"><strong>{found[name]}</strong> {label}</a></li>'
        for name, (href, label) in LABELS.items()
    ]
    return f'<div class="proof"><ul>{"".join(parts)}</ul></div>'


def fold(name: str, summary: str, head: tuple[str, ...], rows: list[list[str]]) -> str:
    """Return a table behind one line, in HTML; the cells are HTML too."""
    top = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    opened = f'<details class="fold" id="{name}"><summary>{escape(summary)}</summary>'
    return f'{opened}<div class="table-box">{table}</div></details>'


def trees_fold(repository: str | None) -> str:
    """Return the trees by program, each with its test: a link where the address of the repository is known.

    >>> "<code>test_rpart.py</code>" in trees_fold(None)
    True
    >>> "trees/blob/main/tests/oracles/test_rpart.py" in trees_fold("https://github.com/someone/trees")
    True
    """
    rows = []
    for row, n in equal_trees():
        file, _, name = row.test.partition("::test_")
        code = f"<code>{file}</code>"
        if repository is not None:
            code = f'<a href="{repository}/blob/main/tests/oracles/{file}">{code}</a>'
        test = f"{escape(name.replace('_', ' '))}, {code}"
        rows.append([escape(row.program), escape(row.what), str(n), test])
    summary = f"The {figures()['trees']} trees by program, and the test of each"
    return fold("equal-trees", summary, ("program", "trees", "number", "test"), rows)


def prints_fold() -> str:
    """Return the numbers that sources print wrong, each with a link to the cell that computes it."""
    rows = []
    for check in wrong_prints():
        right, why = re.fullmatch(r"wrong, (\S+) is right: (.+)", check["verdict"]).groups()
        cell = f'<a href="chapters/{check["chapter"]}.html#{anchor(check["cell"])}">{right}</a>'
        rows.append([escape(check["source"]), escape(check["printed"]), cell, escape(why)])
    summary = f"The {len(rows)} wrong prints that {wrong_checks()} checks find, with the right numbers"
    return fold("wrong-prints", summary, ("source", "prints", "right", "why"), rows)
