"""The scoreboard: the same passengers everywhere, none of whom grows a tree that they judge."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score, log_loss
from sklearn.tree import DecisionTreeClassifier

from dtlib import CARTClassifier
from dtlib.book import board as module
from dtlib.book.board import (
    METHODS,
    Method,
    against,
    as_numbers,
    board,
    judged,
    line,
    questions,
    titanic_parts,
)
from dtlib.book.chance import rows_se
from dtlib.tree.splits import Hyperplane, Multiway, Subset, Threshold

SLOW = {"14_cost_complexity", "16_forests", "19_shares_that_come_true"}
LINES = [
    pytest.param(method, id=method.name, marks=[pytest.mark.long] * (stem in SLOW))
    for stem in METHODS
    for method in METHODS[stem]
]


def flipped(data):
    """Return the same passengers, with those who died as survivors, and the other way round."""
    other = {"no": "yes", "yes": "no"}
    classes = data.y.astype(str).map(other).astype(data.y.dtype)
    return replace(data, frame=data.frame.assign(survived=classes))


def test_every_third_passenger_of_a_class_is_fresh_and_no_one_is_in_both_parts():
    training, fresh = titanic_parts()
    seen, expected = {"no": 0, "yes": 0}, []
    with (Path(__file__).parents[2] / "data" / "titanic.csv").open() as file:
        for i, row in enumerate(csv.DictReader(file)):
            seen[row["survived"]] += 1
            if seen[row["survived"]] % 3 == 0:
                expected.append(i)
    assert fresh.frame.index.tolist() == expected
    assert sorted([*training.frame.index, *expected]) == [*range(1309)]
    tickets = [part.X["ticket"].value_counts(normalize=True) for part in (training, fresh)]
    assert abs(tickets[0] - tickets[1]).max() < 0.02


def test_every_line_is_judged_by_all_fresh_passengers():
    names = [method.name for stem in sorted(METHODS) if stem not in SLOW for method in METHODS[stem]]
    assert {len(line(name).right) for name in names} == {len(titanic_parts()[1].y)}


@pytest.mark.parametrize("method", LINES)
def test_what_became_of_the_fresh_grows_nothing(method):
    """With their classes turned round, the trees ask and answer the same: so each verdict turns round."""
    training, fresh = titanic_parts()
    found, turned = judged(method, training, fresh), judged(method, training, flipped(fresh))
    assert (found.leaves, found.depth) == (turned.leaves, turned.depth)
    np.testing.assert_array_equal(found.asked, turned.asked)
    np.testing.assert_array_equal(found.right, ~turned.right)
    np.testing.assert_allclose(found.share, 1 - turned.share, atol=1e-12)


def test_what_became_of_the_training_passengers_does_grow_the_trees():
    """So the test above can fail."""
    training, fresh = titanic_parts()
    method = METHODS["08_cart"][0]
    assert judged(method, training, fresh).right.mean() > 0.7
    assert judged(method, flipped(training), fresh).right.mean() < 0.3


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_cart_is_judged_as_the_tree_of_scikit_learn_is(depth):
    """For three tickets, one against the rest are all ways to make two groups."""
    training, fresh = titanic_parts()
    known = replace(training, frame=training.frame.dropna())
    asked = replace(fresh, frame=fresh.frame.dropna())
    theirs = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(pd.get_dummies(known.X), known.y)
    said = theirs.predict_proba(pd.get_dummies(asked.X))
    ours = judged(Method("", CARTClassifier(max_depth=depth)), known, asked)
    assert ours.right.mean() == accuracy_score(asked.y, theirs.predict(pd.get_dummies(asked.X)))
    assert (ours.leaves, ours.depth) == (theirs.get_n_leaves(), theirs.get_depth())
    if (said > 0).all():
        assert ours.log_loss == pytest.approx(log_loss(asked.y, said) / np.log(2))
    else:
        assert np.isposinf(ours.log_loss)


def test_whole_cart_is_as_good_as_that_of_scikit_learn_but_for_its_ties():
    training, fresh = titanic_parts()
    known, has_age = training.frame.dropna(), fresh.X["age"].notna().to_numpy()
    X, F = pd.get_dummies(known.drop(columns="survived")), pd.get_dummies(fresh.X[has_age])
    scores = [
        DecisionTreeClassifier(random_state=s).fit(X, known["survived"]).score(F, fresh.y[has_age])
        for s in range(5)
    ]
    assert line("CART from known ages").right[has_age].mean() == pytest.approx(np.mean(scores), abs=0.015)


@pytest.mark.long
def test_the_forest_is_as_good_as_that_of_scikit_learn():
    """Features of a node are drawn in another way, so both are forests of the same kind, not the same."""
    training, fresh = titanic_parts()
    X, F = as_numbers(training.X), as_numbers(fresh.X)
    theirs = [RandomForestClassifier(25, random_state=s).fit(X, training.y) for s in range(8)]
    found = line("random forest of 25 trees")
    scores = [forest.score(F, fresh.y) for forest in theirs]
    leaves = [sum(tree.get_n_leaves() for tree in forest.estimators_) for forest in theirs]
    paths = [sum(t.decision_path(F.to_numpy()).sum() / len(F) - 1 for t in f.estimators_) for f in theirs]
    assert found.right.mean() == pytest.approx(np.mean(scores), abs=0.02)
    assert found.leaves == pytest.approx(np.mean(leaves), rel=0.1)
    assert found.asked.mean() == pytest.approx(np.mean(paths), rel=0.1)


def child_for(node, row):
    """Return the child to which the answer of a passenger leads; None if there is no answer."""
    split = node.split
    if isinstance(split, Hyperplane):
        total = sum(c * row[name] for name, c in zip(split.features, split.coefficients, strict=True))
        return node.children[int(total > split.threshold)]
    value = row[split.feature]
    if pd.isna(value):
        return None
    if isinstance(split, Threshold):
        return node.children[int(value > split.threshold)]
    assert isinstance(split, Multiway | Subset)
    return next((node.children[i] for i, group in enumerate(split.groups) if value in group), None)


def walked(node, row, way):
    """Count the questions below a node, one by one."""
    if node.is_leaf:
        return 0
    child = child_for(node, row)
    if child is not None:
        return 1 + walked(child, row, way)
    if way == "fractional":
        return 1 + sum(walked(child, row, way) for child in node.children if child.n > 0)
    if way == "majority":
        return 1 + walked(max(node.children, key=lambda child: child.n), row, way)
    return 1  # a category that is not known ends there


WALKED = [
    "ID3, each number a category", "C4.5 from known ages", "C4.5, missing ages divided",
    "CART from known ages", "C4.5, pruned", "best tree of depth 3", "oblique tree of depth 3",
]  # fmt: skip


@pytest.mark.parametrize("name", WALKED)
def test_questions_are_those_that_one_meets_walking_down(name):
    method = next(m for methods in METHODS.values() for m in methods if m.name == name)
    model, X = method.grown(titanic_parts()[0]), method.read(titanic_parts()[1].X)
    root, way = model.tree_.root, model.tree_.missing
    expected = [walked(root, row, way) for row in X.to_dict("records")]
    assert questions(model, X).tolist() == expected
    assert line(name).asked.tolist() == expected


def test_with_surrogates_each_question_of_the_path_is_counted_once():
    method = next(m for m in METHODS["10_missing_values"] if m.name == "CART with surrogates")
    model, X = method.grown(titanic_parts()[0]), titanic_parts()[1].X
    tree, end = model.tree_, model.tree_.apply(X)
    stays = tree.children[end] > 0  # neither the question nor a surrogate has an answer
    assert stays.any()
    assert questions(model, X).tolist() == (tree.depth[end] + stays).tolist()


def test_a_row_has_the_interval_of_wilson():
    row, z, n = board("01_what_a_tree_is").iloc[0], norm.ppf(0.975), 435
    p = line("by hand: women live").right.mean()
    middle, half = p + z**2 / (2 * n), z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    ends = np.array([middle - half, middle + half]) / (1 + z**2 / n)
    assert [row["from"], row["to"]] == ends.round(3).tolist()
    women = titanic_parts()[1].X["sex"] == "female"
    assert row["right"] == round(((titanic_parts()[1].y == "yes") == women).mean(), 3)


def test_the_board_goes_up_to_the_chapter_and_ends_with_its_own_lines():
    early = board("04_id3")
    assert early["chapter"].tolist() == [1, 2, 3, 4, 4]
    assert early["method"].tolist()[-2:] == [method.name for method in METHODS["04_id3"]]
    pd.testing.assert_frame_equal(board("04_id3", last=2), early.tail(2).reset_index(drop=True))
    assert board("04_id3", last=99).equals(early)
    names = [method.name for methods in METHODS.values() for method in methods]
    assert len({*names}) == len(names)


def test_a_chapter_without_a_method_is_refused():
    with pytest.raises(ValueError, match="chapter is '04_ID3'; wanted one that has a method"):
        board("04_ID3")
    with pytest.raises(ValueError, match="name is 'ID4'; wanted one of"):
        against("ID4", "C4.5, pruned")


def test_an_impossible_outcome_costs_infinitely_many_bits_and_laplace_mends_it():
    assert np.isposinf(line("CART with surrogates").log_loss)
    laplace = judged(METHODS["19_shares_that_come_true"][0], *titanic_parts())
    np.testing.assert_array_equal(laplace.right, line("CART with surrogates").right)
    assert 0.5 < laplace.log_loss < 1


def test_numbers_of_zero_and_one_give_the_tree_of_the_gini_index():
    """The squared error of 0 and 1 is p (1 - p), half of the Gini index."""
    one, other = line("CART from known ages"), line("regression tree of 0 and 1")
    np.testing.assert_array_equal(one.right, other.right)
    np.testing.assert_allclose(one.share, other.share)
    assert against(one.name, other.name).tolist() == [0, 0, 0.0, 0.0, 0.0, 1.0, False]


def test_a_price_of_ten_bits_is_one_of_ten_bits():
    assert pytest.approx(10 / len(titanic_parts()[0].y)) == module.BITS


def test_a_lead_turns_its_sign_with_its_sides_and_agrees_with_the_standard_error():
    names = "best tree of depth 3", "no question"
    lead, other = against(*names), against(*reversed(names))
    assert lead[["first alone", "second alone"]].tolist() == other[["second alone", "first alone"]].tolist()
    np.testing.assert_allclose(
        lead[["ahead", "from", "to"]].tolist(), [-other[k] for k in ("ahead", "to", "from")]
    )
    difference = line(names[0]).right.astype(float) - line(names[1]).right
    assert lead["ahead"] == pytest.approx(difference.mean())
    assert (lead["to"] - lead["from"]) / 4 == pytest.approx(rows_se([difference]), rel=0.15)


@pytest.mark.parametrize("first", ["ID3 on sex and ticket", "best tree of depth 3", "C4.5, pruned"])
@pytest.mark.parametrize("second", ["no question", "CART with surrogates", "by hand: women live"])
def test_the_interval_leaves_out_zero_where_p_is_small_and_many_comparisons_ask_for_more(first, second):
    lead = against(first, second)
    assert (lead["from"] > 0 or lead["to"] < 0) == (lead["p"] < 0.05)
    assert lead["decided"] == (lead["p"] < 0.05 / module.LINES)
