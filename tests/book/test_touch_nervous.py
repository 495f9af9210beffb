"""The widget of chapter 16: the trees without one applicant are those that the chapter grows and shows."""

from __future__ import annotations

import re

import pytest
from touchable import nervous

from dtlib import ID3Classifier
from dtlib.datasets import load_loan
from tests.book.notebooks import ROOT, SVG, load

CELLS = {cell.id: cell for cell in load(ROOT / "chapters" / "16_forests.ipynb").cells}
LOAN = load_loan()
LINE = re.compile(r"^(?P<without>\d+)\s+(?P<root>\w+)\s+(?P<leaves>\d+)\s+(?P<other>\d+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def data() -> dict:
    return nervous.data()


def others(data: dict) -> list[int]:
    """Count the answers of each tree that differ from those of the tree of all."""
    full = data["trees"][0]["answers"]
    return [sum(a != b for a, b in zip(full, tree["answers"], strict=True)) for tree in data["trees"]]


def test_the_widget_stands_in_the_figure_of_the_tree_without_applicant_4(data: dict) -> None:
    cells = list(CELLS.values())
    [place] = [i for i, cell in enumerate(cells) if "touch:nervous" in cell.tags]
    assert cells[place + 1].source.startswith("**Figure 16.1.**")
    first = data["trees"][data["first"]]
    stored = "".join(cells[place].outputs[0]["data"][SVG])
    assert re.sub(r' data-(node|edge)="\d+"', "", data["pictures"][first["picture"]]) == stored.strip()


def test_the_trees_are_those_of_the_table(data: dict) -> None:
    shown = CELLS["withdraw-changed"].shown
    lines = {int(line["without"]): line for line in LINE.finditer(shown)}
    changed = [i for i, tree in enumerate(data["trees"]) if tree["root"] != data["trees"][0]["root"]]
    assert [data["names"][i - 1] for i in changed] == sorted(lines)
    assert f"root changed by {len(changed)} of {len(data['names'])} withdrawals" in shown
    for i in changed:
        tree, line = data["trees"][i], lines[data["names"][i - 1]]
        said = [data["features"][tree["root"]], str(tree["leaves"]), str(others(data)[i])]
        assert said == [line["root"], line["leaves"], line["other"]]
    most = max(others(data))
    assert f"at most {most} of {len(data['trees'][0]['answers'])} answers changed" in shown


def test_the_gains_are_those_of_the_table(data: dict) -> None:
    shown = CELLS["withdraw-gains"].shown
    full, without = data["trees"][0], data["trees"][data["first"]]
    for name, *gains in zip(data["features"], full["gains"], without["gains"], strict=True):
        assert re.search(rf"{name}\s+{gains[0]:.3f}\s+{gains[1]:.3f}", shown)


@pytest.mark.parametrize("which", range(16))
def test_each_tree_is_what_id3_grows(data: dict, which: int) -> None:
    left = [name for name in LOAN.X.index if [0, *data["names"]][which] != name]
    model = ID3Classifier().fit(LOAN.X.loc[left], LOAN.y.loc[left])
    told = data["trees"][which]
    assert data["features"][told["root"]] == model.tree_.root.feature
    assert told["leaves"] == model.tree_.n_leaves
    for place, answer in enumerate(model.predict(nervous.every(LOAN.X))):
        assert data["classes"][told["answers"][place]] == answer
    assert data["pictures"][told["picture"]].count("data-node") == model.tree_.node_count


def test_what_is_new_is_not_in_the_tree_of_all(data: dict) -> None:
    full, *trees = data["trees"]
    assert full["new"] == []
    for tree, other in zip(trees, others(data)[1:], strict=True):
        if tree["root"] != full["root"]:
            assert 0 in tree["new"]
        elif not tree["new"]:
            assert (tree["leaves"], other) == (full["leaves"], 0)
    job_first = trees[data["names"].index(9)]  # who has neither job nor house is refused in both trees
    assert job_first["new"] == [0, 1, 2, 4]


def test_the_rows_are_the_table(data: dict) -> None:
    for row, given, i in zip(data["rows"], data["given"], LOAN.X.index, strict=True):
        values = [values[code] for values, code in zip(data["values"], row, strict=True)]
        assert values == list(LOAN.X.loc[i])
        assert data["classes"][given] == LOAN.y.loc[i]
