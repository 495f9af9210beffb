"""A pruning path as one picture, and the curve of its held-out costs."""

import re
from functools import cache

import pandas as pd
import pytest
from pictures import overlap, read, texts
from sklearn.datasets import load_iris

from dtlib import CARTClassifier, CARTRegressor
from dtlib.book import pictures
from dtlib.counting.criteria import names_of
from dtlib.datasets import load_loan, load_regression_points, load_watermelon
from dtlib.messages import use_language
from dtlib.prune import pruning_path

MELONS, LOAN, POINTS = load_watermelon("3.0"), load_loan(), load_regression_points()
PATH = pruning_path(CARTClassifier().fit(MELONS.X, MELONS.y).tree_)
TABLE = pd.DataFrame(
    {
        "CP": [0.5, 0.1, 0.05, 0.0],
        "nsplit": [0, 1, 3, 6],
        "rel error": [1, 0.5, 0.4, 0.3],
        "xerror": [1.0, 0.62, 0.6, 0.7],
        "xstd": [0.1, 0.08, 0.03, 0.08],
    },
    index=[1, 2, 3, 4],
)


@cache
def english(se=1):
    """Draw the table in English, once."""
    return pictures.cross_validation(TABLE, se=se)


@pytest.fixture
def chinese():
    use_language("zh")
    yield
    use_language("en")


def test_says_intervals_sizes_and_cuts():
    assert pictures.path(PATH).description == (
        "T₀ for alpha from 0 to 0.5: leaves 5, risk 0. T₁ for alpha from 0.5 to 2: leaves 3, risk 1, "
        "cut at 2. T₂ for alpha from 2 to 5: leaves 2, risk 3, cut at 1. T₃ for alpha from 5 on: "
        "leaves 1, risk 8, cut at 0."
    )


@pytest.mark.parametrize("kind", ["cost", *names_of("classes")])
def test_words_do_not_overlap(kind):
    flowers = load_iris()
    trees = [PATH.full, CARTClassifier().fit(flowers.data, flowers.target).tree_]
    for tree in trees:
        found = texts(pictures.path(pruning_path(tree, kind)))
        assert [(a, b) for i, a in enumerate(found) for b in found[:i] if overlap(a, b)] == []


def test_steps_are_where_the_alphas_are():
    root = read(pictures.path(PATH))
    circles = [c for c in root.iter("{http://www.w3.org/2000/svg}circle") if c.get("r") == "4.5"]
    full = [c for c in circles if "accent" in c.get("style").split(";")[0]]
    x, y = ([float(c.get(a)) for c in full] for a in ("cx", "cy"))
    assert len(circles) == 2 * len(full) - 1
    assert [(a - x[0]) / (x[-1] - x[0]) for a in x] == pytest.approx([0, 0.1, 0.4, 1], abs=1e-3)
    assert [(y[-1] - b) / (y[-1] - y[0]) for b in y] == pytest.approx([1, 0.5, 0.25, 0], abs=1e-3)


def test_what_was_cut_is_faint():
    groups = re.findall(r'<g transform="translate[^>]*>.*?</g>', pictures.path(PATH).svg)
    groups = groups or re.findall(r"<g .*?</g>", pictures.path(PATH).svg)
    gone = [len(re.findall(r'<circle[^>]*opacity="0.22"', group)) for group in groups]
    rims = [len(re.findall(r"<circle[^>]*stroke-width: 3.5", group)) for group in groups]
    assert gone == [0, 4, 6, 8]
    assert rims == [0, 1, 1, 1]


def test_a_path_of_one_tree_and_one_of_numbers():
    alone = pictures.path(pruning_path(CARTClassifier().fit(LOAN.X, ["no"] * 15).tree_))
    assert alone.description == "T₀ for alpha from 0 on: leaves 1, risk 0."
    numbers = CARTRegressor(max_depth=2).fit(POINTS.X, POINTS.y).tree_
    assert "leaves 4" in pictures.path(pruning_path(numbers)).description


def test_too_many_trees_are_refused():
    numbers = CARTRegressor().fit(POINTS.X, POINTS.y).tree_
    with pytest.raises(ValueError, match="the path has 10 trees, the first of 10 leaves; wanted at most 8"):
        pictures.path(pruning_path(numbers))


def test_says_costs_and_what_is_chosen():
    shown = english()
    assert shown.title == "risk (that of the root is 1) against leaves"
    assert shown.description == (
        "leaves 1: 1 ± 0.1, leaves 2: 0.62 ± 0.08, leaves 4: 0.6 ± 0.03, leaves 7: 0.7 ± 0.08. "
        "Least: leaves 4. Limit 0.63 (1-SE): leaves 2."
    )
    assert english(0).description.endswith("Limit 0.6 (0-SE): leaves 4.")


@pytest.mark.parametrize("se", [0, 1])
def test_labels_do_not_overlap(se):
    words = [found for found in texts(english(se)) if re.search("[a-z]", found[0])]
    assert len(words) == 6 + se
    assert not any(overlap(a, b) for i, a in enumerate(words) for b in words[:i])


def test_some_lines_will_do():
    assert "leaves 1:" not in pictures.cross_validation(TABLE.iloc[1:]).description


@pytest.mark.parametrize("table", [TABLE.iloc[:0], TABLE[["CP", "nsplit", "rel error"]]])
def test_tables_without_costs_are_refused(table):
    with pytest.raises(ValueError, match="xerror and xstd among them"):
        pictures.cross_validation(table)


def test_speaks_chinese(chinese):
    assert pictures.path(PATH).title == "4 棵嵌套的树及其价格"
    assert "叶 4。" in pictures.cross_validation(TABLE).description
