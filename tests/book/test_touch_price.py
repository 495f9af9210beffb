"""The widget of the price per leaf: its data agree with the library and with what the chapters print."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import numpy as np
import pytest
from touchable import price, price_words

from dtlib import CARTClassifier, ID3Classifier
from dtlib.datasets import load_watermelon
from dtlib.prune import best_subtree, pruning_path, weakest_links
from dtlib.tree.tree import Tree
from tests.book.notebooks import Cell, chapter, load

KINDS = {"melons": "entropy", "tumors": "cost"}
CELLS = {"melons": ("price_per_leaf", "envelope"), "tumors": ("cost_complexity", "cv-picture")}
both = pytest.mark.parametrize("name", KINDS)


@cache
def shown(name: str) -> dict[str, Any]:
    """Return the data as the page gets them."""
    data: dict[str, Any] = json.loads(json.dumps(price.data(name), allow_nan=False))
    return data


@cache
def grown(name: str) -> Tree:
    """Grow the tree as the chapter does."""
    if name == "melons":
        melons = load_watermelon()
        return ID3Classifier().fit(melons.X, melons.y).tree_
    table = price.load_breast_cancer(as_frame=True)
    return CARTClassifier().fit(table.data, table.target_names[table.target]).tree_


def cell(words: str, name: str) -> Cell:
    """Return a cell of a chapter."""
    [found] = [cell for cell in load(chapter(words)).cells if cell.id == name]
    return found


def numbered_lines(name: str) -> list[list[str]]:
    """Return the rows that a cell of the chapter on cost complexity prints, by columns."""
    shown = cell("cost_complexity", name).shown
    return [line.split() for line in shown.splitlines() if re.match(r"\d ", line)]


def numbers(text: str) -> list[float]:
    return [float(x) for x in re.findall(r"\d+(?:\.\d+)?", text)]


@both
def test_the_cell_asks_for_the_widget(name: str) -> None:
    assert f"touch:price:{name}" in cell(*CELLS[name]).tags


@both
def test_every_price_has_the_best_subtree(name: str) -> None:
    data, full = shown(name), grown(name)
    assert [tree["from"] for tree in data["trees"]] == pruning_path(full, KINDS[name]).alphas.tolist()
    at = [step["at"] for step in data["prices"]]
    assert at == sorted(set(at))
    assert {tree["from"] for tree in data["trees"]} <= set(at)
    for step in data["prices"]:
        best = best_subtree(full, step["at"], kind=KINDS[name])
        assert data["trees"][step["k"]]["leaves"] == best.n_leaves


@both
def test_the_picture_keeps_the_nodes_of_the_subtree(name: str) -> None:
    data, full = shown(name), grown(name)
    for k, tree in enumerate(data["trees"]):
        left = [node for node in data["nodes"] if node["gone"] is None or k < node["gone"]]
        leaves = [node for node in left if node["leaf"] is not None and k >= node["leaf"]]
        assert (len(left), len(leaves)) == (
            best_subtree(full, tree["from"], kind=KINDS[name]).node_count,
            tree["leaves"],
        )
        assert sum(node["risk"] for node in leaves) == pytest.approx(tree["risk"])


@both
def test_what_is_gone_never_returns(name: str) -> None:
    data = shown(name)
    for node in data["nodes"]:
        later = [moment for moment in (node["leaf"], node["gone"]) if moment is not None]
        assert later == sorted(later)
    leaves = [tree["leaves"] for tree in data["trees"]]
    assert leaves == sorted(set(leaves), reverse=True)
    assert leaves[-1] == 1


@both
def test_the_links_are_those_of_the_subtree(name: str) -> None:
    """The subtree numbers its nodes anew, in the same order."""
    data, full = shown(name), grown(name)
    for k, tree in enumerate(data["trees"]):
        links = weakest_links(best_subtree(full, tree["from"], kind=KINDS[name]), KINDS[name])
        mine = [tree["links"][t] for t in sorted(tree["links"], key=int)]
        theirs = links[["risk_leaf", "risk_branch", "leaves", "g"]].to_numpy()
        assert np.allclose(np.array(mine).reshape(-1, 4), theirs, rtol=0, atol=1e-9)
        if mine:
            assert links["g"].min() == pytest.approx(data["trees"][k + 1]["from"])
            assert all(
                data["nodes"][t]["leaf"] == k + 1 or data["nodes"][t]["gone"] == k + 1
                for t in tree["weakest"]
            )


@both
def test_every_node_and_edge_is_in_the_picture(name: str) -> None:
    data = shown(name)
    count = len(data["nodes"])
    assert sorted(map(int, re.findall(r'data-node="(\d+)"', data["svg"]))) == list(range(count))
    assert sorted(map(int, re.findall(r'data-edge="(\d+)"', data["svg"]))) == list(range(1, count))


def test_the_lines_and_corners_are_those_that_chapter_13_prints() -> None:
    data = shown("melons")
    rows = re.findall(r"\([\d, ]+\)\s+(\d+)\s+([\d.]+)", cell("price_per_leaf", "envelope-table").shown)
    printed = {(int(leaves), float(risk)) for leaves, risk in rows}
    assert {(leaves, round(risk, 3)) for leaves, risk in data["lines"]} == printed
    corners = numbers(cell("price_per_leaf", "sol-13-2-code").shown.split("in nats:")[1].splitlines()[0])
    found = [round(tree["from"] * np.log(2), 3) for tree in data["trees"][1:]]
    assert found == corners


def test_the_prices_and_risks_are_those_that_chapter_14_prints() -> None:
    lines = numbered_lines("cancer")
    printed = [(line[1], line[3], line[4]) for line in lines][: len(shown("tumors")["trees"])]
    mine = [
        (f"{tree['from']:.4f}", str(tree["leaves"]), f"{tree['risk']:.1f}")
        for tree in shown("tumors")["trees"]
    ]
    assert mine == printed


def test_the_held_out_errors_are_those_that_chapter_14_prints() -> None:
    cv, data = shown("tumors")["cv"], shown("tumors")
    lines = numbered_lines("by-hand-cv")
    assert [str(n) for n in cv["wrong"]] == [line[-1] for line in lines][: len(cv["wrong"])]
    rows = numbered_lines("cv-table")
    mine = list(zip(cv["train"], cv["held"], cv["se"], strict=True))[::-1]
    assert [[f"{x:.4f}" for x in row] for row in mine] == [row[3:6] for row in rows][: len(mine)]
    said = cell("cost_complexity", "cv-choose").shown
    for rule, chosen in ((0, "least"), (1, "chosen")):
        assert f"{rule}-SE: limit" in said
        assert f"leaves {data['trees'][cv[chosen]]['leaves']}\n" in said.split(f"{rule}-SE")[1]
    assert f"1-SE: limit {cv['limit']:.4f}" in said


def test_the_error_first_falls_then_rises() -> None:
    wrong, least = shown("tumors")["cv"]["wrong"], shown("tumors")["cv"]["least"]
    assert wrong[: least + 1] == sorted(wrong[: least + 1], reverse=True)
    assert wrong[least:] == sorted(wrong[least:])
    assert 0 < least < len(wrong) - 1


@both
def test_every_formula_has_the_numbers_that_make_its_result(name: str) -> None:
    write = {"melons": price_words.bits, "tumors": price_words.errors}[name]
    for tree in shown(name)["trees"][:-1]:
        alone, below, leaves, one, g = map(float, re.findall(r"<mn>([\d.]+)</mn>", tree["next"])[1:])
        exact = (alone - below) / (leaves - one)
        assert exact == pytest.approx(g, abs=0.0011)
        assert ("≈" in tree["next"]) == (write(exact) != write(g))


def test_the_words_say_the_loss() -> None:
    for step in shown("melons")["prices"]:
        tree = shown("melons")["trees"][step["k"]]
        *_, risk, leaves, at, loss = numbers(re.sub(r"<[^>]+>", "", step["said"]))
        assert (leaves, at) == (tree["leaves"], round(step["at"], 3))
        assert loss == pytest.approx(tree["risk"] + tree["leaves"] * step["at"], abs=5e-4)
        assert risk == round(tree["risk"], 3)
