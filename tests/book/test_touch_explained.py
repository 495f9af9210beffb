"""Pictures of trees that explain themselves: what is read from a picture is the tree, or nothing is read."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from functools import cache

import numpy as np
import pandas as pd
import pytest
from plain_markdown.embedded import as_json
from touchable.explained import Page
from touchable.explained.grown import grown_by
from touchable.explained.tables import PARTS, Table, candidates, loaded, rows_of
from touchable.explained.told import CARD, Picture, Unclear, read
from touchable.tree_pictures import numbered

from dtlib import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ObliqueTreeClassifier,
    Tree,
    draw,
)
from dtlib.datasets import load_golf, load_loan, load_regression_points, load_watermelon
from dtlib.dialects import CARTDialect
from dtlib.measures import gain_ratio, impurity_decrease, information_gain
from dtlib.measures import gini as gini_of
from dtlib.prune import ComplexityParameter
from tests.book.notebooks import NUMBERED, ROOT, SVG, load
from tests.drawn import seeds
from tests.private import subclass_with

EDGE_START = re.compile(r"M[\d.]+ (?=[\d.]+V)")  # of a line between two cards
# made by hand, in parts, by surrogates
WITHOUT_ROWS = {
    "02_entropy": 1,
    "08_cart": 1,
    "15_pessimistic_pruning": 2,
    "16_forests": 1,
    "24_from_start_to_end": 2,
}


@cache
def stored() -> list[tuple[str, list[str], str]]:
    """Return the pictures of classification trees: chapter, the cells up to it, the picture."""
    found = []
    for path in NUMBERED:
        sources: list[str] = []
        for cell in load(path).code:
            sources.append(cell.source)
            for output in cell.outputs:
                svg = "".join(output.get("data", {}).get(SVG, ""))
                if "Node 0" in svg and CARD in svg and "leaf of value" not in svg:
                    found.append((path.stem, list(sources), svg))
    return found


def rows_in_book(name: str, sources: list[str], picture: Picture) -> tuple[Table, list[np.ndarray]] | None:
    """Return the table and the rows of a picture of the book, if they are found."""
    tried = ((table, rows_of(picture, table)) for table in candidates(f"chapters/{name}", sources))
    return next(((table, rows) for table, rows in tried if rows is not None), None)


# The pictures of the book


def test_every_picture_of_a_tree_in_the_book_is_read() -> None:
    pictures = [read(svg) for _, _, svg in stored()]
    assert len(pictures) >= 38
    assert sum(len(picture.nodes) for picture in pictures) >= 300
    for picture, (_, _, svg) in zip(pictures, stored(), strict=True):
        marked = numbered(svg)  # faded cards, too
        assert marked.count("data-node=") == len(picture.nodes)
        assert marked.count("data-edge=") == len(picture.nodes) - 1


def test_the_rows_of_nearly_all_pictures_are_found() -> None:
    lost = Counter(name for name, cells, svg in stored() if rows_in_book(name, cells, read(svg)) is None)
    assert lost == WITHOUT_ROWS


def test_of_nearly_all_pictures_it_is_known_what_grew_them() -> None:
    known = Counter(grown_by(sources) for _, sources, _ in stored())
    assert set(known) <= {("ID3", "gain"), ("C4.5", "ratio"), ("CART", "decrease"), None}
    assert known[None] == 1  # the best tree of chapter 21: no gain chose its questions


def test_the_numbers_are_those_that_the_chapters_print() -> None:
    """Gains and ratios of the children's counts agree with what `explain` says of the trees."""
    loan, melons = load_loan(), load_watermelon("3.0")
    measured = {"gain": information_gain, "gain_ratio": gain_ratio}
    for learner, data in ((ID3Classifier(), loan), (C45Classifier(), melons), (CARTClassifier(), melons)):
        tree = learner.fit(data.X, data.y).tree_
        picture = read(draw.tree(tree).svg)
        for i, node in enumerate(picture.nodes):
            if not node.question:
                continue
            table = [picture.nodes[kid].counts for kid in picture.children(i)]
            line = tree.explain(i).set_index("feature").loc[tree[i].feature]
            if isinstance(learner, CARTClassifier):
                assert impurity_decrease(table, gini_of) == pytest.approx(line["gain"])
                continue
            for name, measure in measured.items():
                assert name not in line or measure(table) == pytest.approx(line[name])


@pytest.mark.parametrize("name", PARTS)
def test_the_parts_of_a_table_are_those_of_the_chapter(name: str) -> None:
    part = PARTS[name]()
    code = [cell.source for cell in load(ROOT / f"{name}.ipynb").code]
    if part.name == "training melons":
        [held] = [
            ast.literal_eval(s.value)
            for source in code
            if "held = [" in source
            for s in ast.parse(source).body
            if isinstance(s, ast.Assign) and ast.unparse(s.targets[0]) == "held"
        ]
        assert part.frame.index.tolist() == [i for i in range(1, 18) if i not in held]
    elif part.name == "fewer loans":
        assert any("X.drop(4)" in source for source in code)
        assert part.frame.index.tolist() == [i for i in range(1, 16) if i != 4]
    else:
        [source] = [source for source in code if "def grouped(X):" in source and "qcut" in source]
        scope: dict = {"pd": pd}
        exec(compile(ast.Module([ast.parse(source).body[0]], []), "<cell>", "exec"), scope)
        of_chapter = scope["grouped"](load_watermelon("3.0").X)
        assert part.frame[list(of_chapter)].astype(str).equals(of_chapter.astype(str))


def test_what_a_page_gets_is_small_and_each_table_comes_once() -> None:
    sizes = {}
    for name in {name for name, _, _ in stored()}:
        page = Page()
        for chapter, sources, svg in stored():
            if chapter == name:
                picture = read(svg)
                page.add(picture, grown_by(sources), rows_in_book(name, sources, picture))
        text = as_json(page.data({}))
        sizes[name] = len(text)
        said = json.loads(text)
        with_rows = [picture for picture in said["pictures"] if "table" in picture]
        assert {picture["table"] for picture in with_rows} == set(range(len(said["tables"])))
        for picture in with_rows:
            sent = said["tables"][picture["table"]]["rows"]
            assert all(str(i) in sent for node in picture["nodes"] for i in node["rows"])
    assert max(sizes.values()) < 20_000, sizes


# Planted trees

PLAIN = {
    "color": ["red", "green", "slightly blue", "never seen"],
    "the size of it, by eye": ["S", "M", "L or larger", "XXL"],
    "asks much": ["no", "yes", "perhaps, or not", "no sample"],
}
NASTY = {
    "a, asks b": ["x", "x, y", "y", "= x"],
    "n ≤ m": ["low. Node 2", "high 3, low", "in {low, high}", "never"],
    "leaf of class no: no 3": ["1", "2, yes 4", "Node 1, a", "{}"],
}
Drawn = tuple[pd.DataFrame, np.ndarray]


def draw_table(seed: int, names: dict[str, list[str]], classes: list[str], gaps: float = 0.0) -> Drawn:
    """Draw a table of names, of which the last value never occurs, and of numbers."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 40))
    X = pd.DataFrame({k: pd.Categorical(rng.choice(v[:3], n), v) for k, v in names.items()})
    X = X.assign(number=rng.integers(0, 9, n) / 4)
    return X.mask(rng.random(X.shape) < gaps), rng.choice(classes, n)


def check_read(picture: Picture, tree: Tree) -> None:
    """Compare what was read with the tree that was drawn."""
    assert picture.classes == tuple(map(str, tree.classes))
    assert [node.parent for node in picture.nodes] == tree.parent.tolist()
    assert [node.condition for node in picture.nodes] == [node.condition for node in tree]
    assert [bool(node.question) for node in picture.nodes] == [not node.is_leaf for node in tree]
    assert [node.leaf for node in picture.nodes] == [str(n.prediction) if n.is_leaf else None for n in tree]
    assert np.allclose([node.counts for node in picture.nodes], tree.counts, rtol=1e-5)


LEARNERS = {
    "C4.5": C45Classifier(),
    "C4.5 pruned": C45Classifier.release8(),
    "CART": CARTClassifier(missing="majority"),
    "CART pruned": CARTClassifier(missing="majority", prune=ComplexityParameter(0.02)),
}


@pytest.mark.parametrize("seed", seeds(6))
@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("classes", [["no", "yes"], ["no", "not so sure", "yes"]])
def test_a_tree_is_read_and_its_rows_are_found(seed: int, learner: str, classes: list[str]) -> None:
    X, y = draw_table(seed, PLAIN, classes)
    tree = LEARNERS[learner].fit(X, y).tree_
    picture = read(draw.tree(tree).svg)
    check_read(picture, tree)
    rows = rows_of(picture, Table("drawn", X.assign(answer=y), "answer"))
    way = tree.decision_path(X).toarray()
    assert rows is not None
    assert [here.tolist() for here in rows] == [np.flatnonzero(column).tolist() for column in way.T]


@pytest.mark.parametrize("strict", [False, True])
def test_numbers_that_ten_digits_do_not_tell_are_read(strict: bool) -> None:
    frame = pd.DataFrame({"x": 1e12 + np.arange(4), "y": list("abab")})
    dialect = subclass_with(CARTDialect, strict=strict)()
    tree = CARTClassifier(dialect=dialect).fit(frame[["x"]], frame["y"]).tree_
    picture = read(draw.tree(tree).svg)
    sign = "<" if strict else "≤"
    assert picture.nodes[0].question.startswith(f"x {sign} 100000000000")
    rows = rows_of(picture, Table("numbers", frame, "y"))
    assert rows is not None
    there = tree.decision_path(frame).toarray().astype(bool)
    assert [here.tolist() for here in rows] == [np.flatnonzero(there[:, node.id]).tolist() for node in tree]
    page = Page()
    page.add(picture, None, (Table("numbers", frame, "y"), rows))
    (table,) = page.data({})["tables"]
    assert table["columns"] == ["y", "x"]
    assert [row[1] for row in table["rows"].values()] == [f"100000000000{k}" for k in range(4)]


def test_a_tree_with_empty_leaves_says_so() -> None:
    X, y = draw_table(3, PLAIN, ["no", "yes"])
    tree = ID3Classifier().fit(X.drop(columns="number"), y).tree_
    picture = read(draw.tree(tree).svg)
    check_read(picture, tree)
    empty = [node for node in picture.nodes if not sum(node.counts)]
    assert empty
    assert all(node.leaf for node in empty)


@pytest.mark.parametrize("seed", seeds(6))
@pytest.mark.parametrize("learner", LEARNERS)
def test_with_gaps_there_are_no_rows_and_parts_are_known_as_parts(seed: int, learner: str) -> None:
    X, y = draw_table(seed, PLAIN, ["no", "not so sure", "yes"], gaps=0.25)
    tree = LEARNERS[learner].fit(X, y).tree_
    picture = read(draw.tree(tree).svg)
    check_read(picture, tree)
    kids = [node for node in tree if node.id]
    in_parts = any(not float(n).is_integer() for node in kids for n in node.counts)
    assert picture.whole != in_parts
    if tree.root.feature and X[tree.root.feature].isna().any():
        assert rows_of(picture, Table("drawn", X.assign(answer=y), "answer")) is None


@pytest.mark.parametrize("seed", seeds(6))
@pytest.mark.parametrize("learner", LEARNERS)
def test_of_names_that_look_like_sentences_nothing_wrong_is_read(seed: int, learner: str) -> None:
    X, y = draw_table(seed, NASTY, ["no", "no 3, yes", "yes"])
    tree = LEARNERS[learner].fit(X, y).tree_
    try:
        picture = read(draw.tree(tree).svg)
    except Unclear:
        return  # rather nothing than something wrong
    check_read(picture, tree)


def test_a_tree_in_part_with_notes_is_read() -> None:
    loan = load_loan()
    tree = ID3Classifier().fit(loan.X, loan.y).tree_
    notes = {0: "wrong: 2 → 4", 4: "node 4: 1, 2, 3."}
    whole = read(draw.tree(tree, notes=notes, highlight=4, cut=[1]).svg)
    check_read(whole, tree)
    part = read(draw.tree(tree, depth=1).svg)
    said = [(node.question, node.leaf) for node in part.nodes]
    assert said == [("owns_house", None), ("", None), ("", "yes")]


def test_of_numbers_and_of_several_outputs_nothing_is_said() -> None:
    points, loan = load_regression_points(), load_loan()
    both = pd.DataFrame({"one": loan.y, "two": loan.X["age"]})
    for tree in (
        CARTRegressor(max_depth=2).fit(points.X, points.y).tree_,
        CARTClassifier(max_depth=2).fit(loan.X, both).tree_,
    ):
        with pytest.raises(Unclear):
            read(draw.tree(tree).svg)


def test_a_sloping_question_is_read_and_has_no_rows() -> None:
    melons = load_watermelon("3.0")
    X = melons.X[["density", "sugar"]]
    tree = ObliqueTreeClassifier(random_state=0).fit(X, melons.y).tree_
    picture = read(draw.tree(tree).svg)
    assert any(node.is_linear for node in tree)
    check_read(picture, tree)
    assert rows_of(picture, loaded("load_watermelon", "3.0")) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("no 6, yes 3", "no 5, yes 4"),  # the sentence, not the card
        ("has_job = no, leaf", "age = old, leaf"),  # no answer to the question above
        ("Node 3,", "Node 4,"),
        ("asks has_job", "leaf of class no"),
        ("(the first line)", "M1.00 "),  # a line from nowhere
    ],
)
def test_a_picture_that_contradicts_itself_is_not_read(old: str, new: str) -> None:
    loan = load_loan()
    svg = draw.tree(ID3Classifier().fit(loan.X, loan.y).tree_).svg
    old = old if old in svg else EDGE_START.search(svg)[0]
    with pytest.raises(Unclear):
        read(svg.replace(old, new, 1))


def test_one_row_of_another_class_is_another_table() -> None:
    golf = load_golf()
    picture = read(draw.tree(C45Classifier().fit(golf.X, golf.y).tree_).svg)
    assert rows_of(picture, loaded("load_golf", "")) is not None
    changed = golf.frame.assign(play=["yes", *golf.frame["play"][1:]])
    assert rows_of(picture, Table("golf", changed, "play")) is None
    assert rows_of(picture, Table("golf", golf.frame.drop(columns="humidity"), "play")) is None


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["t = ID3Classifier().fit(X, y)", "t = CARTClassifier().fit(X, y)", "t"], ("CART", "decrease")),
        (["draw.tree(CARTClassifier(criterion='entropy').fit(X, y).tree_)"], ("CART", "gain")),
        (["draw.tree(CARTClassifier(criterion=one_of(them)).fit(X, y).tree_)"], None),
        (["both = ID3Classifier(), CARTClassifier()", "draw.tree(both[0].fit(X, y).tree_)"], None),
        (["tree = ID3Classifier().fit(X, y)", "tree = tree.tree_", "draw.tree(tree)"], ("ID3", "gain")),
        (["x = x", "draw.tree(x)"], None),
        (["%matplotlib inline", "1 +"], None),
    ],
)
def test_by_what_a_tree_was_grown(cells: list[str], said: tuple[str, str] | None) -> None:
    assert grown_by(cells) == said
