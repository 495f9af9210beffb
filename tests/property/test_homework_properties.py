"""Computations by hand on drawn tables: every line is true, choices follow, right answers are right."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dtlib import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ID3Regressor,
    contingency,
)
from dtlib import measures as formulas
from dtlib.datasets import load_customers, load_golf, load_loan, load_regression_points, load_watermelon
from dtlib.homework import check_answer, worked
from dtlib.homework.expressions import decimal_of, to_digits
from dtlib.homework.slips import Wrong, slips_of
from dtlib.tree import reasons
from tests.drawn import examples, seeds
from tests.unit.homework_lines import evaluated, is_true, without_tex

METHODS = {
    "id3": ID3Classifier(),
    "id3 gini": ID3Classifier(criterion="gini"),
    "id3 error": ID3Classifier(criterion="misclassification"),
    "c45": C45Classifier(),
    "c45 gain": C45Classifier(criterion="gain"),
    "c45 no average": C45Classifier(average_gain=False),
    "c45 charge": C45Classifier(mdl_correction=True),
    "cart": CARTClassifier(),
    "cart entropy": CARTClassifier(criterion="entropy"),
    "cart error": CARTClassifier(criterion="misclassification"),
    "cart one": CARTClassifier(nominal="one_vs_rest"),
    "regression": CARTRegressor(),
    "regression absolute": CARTRegressor(criterion="absolute_error"),
    "sdr": ID3Regressor(),
    "sdr squares": ID3Regressor(criterion="squared_error"),
}
BOOK = {
    "loan": (load_loan(), ("id3", "c45", "cart", "cart one")),
    "melons": (load_watermelon(), ("id3", "c45", "cart entropy", "cart one")),
    "melons 3": (load_watermelon("3.0"), ("c45", "c45 charge", "cart")),
    "golf": (load_golf(), ("c45", "c45 gain", "cart")),
    "customers": (load_customers(), ("id3", "cart", "cart error")),
    "points": (load_regression_points(), ("regression",)),
}


def drawn(seed: int, method: str) -> pd.DataFrame:
    """Return a small table, with ties and repeated columns."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 15))
    frame = pd.DataFrame({f"n{i}": rng.choice(list("abcd")[: rng.integers(2, 5)], n) for i in range(2)})
    frame = frame.astype("category")
    if not method.startswith(("id3", "sdr")):
        frame["x"] = rng.integers(-3, 4, n) / rng.choice([1, 2, 10])
    if rng.random() < 0.3:
        frame["again"] = frame["n0"]
    if method.startswith(("regression", "sdr")):
        return frame.assign(y=np.round(rng.normal(size=n), int(rng.integers(0, 4))))
    return frame.assign(y=rng.choice(["no", "yes", "maybe"][: rng.integers(2, 4)], n))


def values(page) -> dict[str, float]:
    return {step.name: step.value for step in page.steps}


def assert_true(page) -> None:
    known = values(page)
    assert [str(step) for step in page.steps if not is_true(step, known)] == []
    assert len(known) == len(page.steps)


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", seeds(5))
def test_every_line_of_a_drawn_table_is_true(seed, method) -> None:
    frame = drawn(seed, method)
    digits = int(np.random.default_rng(seed).integers(1, 7))
    page = worked(frame, "y", method=METHODS[method], depth=None, digits=digits)
    assert_true(page)
    assert all(len(step.result.partition(".")[2]) == digits for step in page.steps)


@pytest.mark.parametrize(("name", "method"), [(n, m) for n, (_, methods) in BOOK.items() for m in methods])
def test_every_line_of_the_book_is_true(name, method) -> None:
    data = BOOK[name][0]
    page = worked(data.frame, data.target, method=METHODS[method], depth=None)
    assert_true(page)
    assert len(page.steps) > 10
    for step in page.steps:  # what LaTeX says is what the text says
        parts = re.split(r" (?:\\\\ )?&= ", step.tex)[1:]
        plain = [without_tex(part) for part in parts if not re.search(r"text|mid|bar|H|S|G|g[^_]", part)]
        half = 0.5 * 10.0 ** -len(step.result.partition(".")[2])
        found = [evaluated(part, {}) for part in plain]
        assert plain
        assert all(abs(x - float(step.result)) <= half * (1 + 1e-6) for x in found), step.tex


@pytest.mark.parametrize("seed", seeds(15))
def test_values_are_those_of_the_measures(seed) -> None:
    frame = drawn(seed, "c45")
    page = worked(frame, "y", method="c45")
    known = values(page)
    for name in ("n0", "n1"):
        table = contingency(frame, name, "y")
        if f"gain({name})" in known:
            assert known[f"H(D|{name})"] == pytest.approx(formulas.conditional_entropy(table), abs=1e-12)
            assert known[f"gain({name})"] == pytest.approx(formulas.information_gain(table), abs=1e-12)
        if f"gain ratio({name})" in known:
            assert known[f"split information({name})"] == pytest.approx(
                formulas.split_information(table), abs=1e-12
            )
            assert known[f"gain ratio({name})"] == pytest.approx(formulas.gain_ratio(table), abs=1e-12)
    at = {t: np.stack([(frame["x"] <= t), (frame["x"] > t)]) for t in cuts(page)}
    y = pd.get_dummies(frame["y"]).to_numpy(int)
    for t, takes in at.items():
        gain = formulas.information_gain(takes.astype(int) @ y)
        assert known[f"gain(x≤{t:.10g})"] == pytest.approx(gain, abs=1e-12)
    if at:
        best = max(known[f"gain(x≤{t:.10g})"] for t in at)
        assert known["gain(x)"] == pytest.approx(best, abs=1e-10)
        assert sorted(at) == pytest.approx(midpoints(frame["x"]))


@pytest.mark.parametrize(("method", "letter"), [("sdr", "SD"), ("sdr squares", "Var")])
@pytest.mark.parametrize("seed", seeds(15))
def test_reductions_of_the_spread_are_those_of_the_tree(seed, method, letter) -> None:
    page = worked(drawn(seed, method), "y", method=METHODS[method], depth=None)
    known, compared = values(page), 0
    for node in page.tree:
        D = f"D{node.id}" if node.id else "D"
        if node.n == 0:  # an empty branch, of which nothing is computed
            continue
        assert known[f"{letter}({D})"] == pytest.approx(node.impurity, abs=1e-9)
        candidates = page.tree.explain(node.id)
        for feature, gain in zip(candidates["feature"], candidates["gain"], strict=True):
            name = f"gain({D}, {feature})" if node.id else f"gain({feature})"
            if name in known:
                assert known[name] == pytest.approx(gain, abs=1e-9)
                compared += 1
    assert compared or page.tree.root.is_leaf


@pytest.mark.parametrize("seed", seeds(15))
def test_the_average_gain_is_that_of_the_tree(seed) -> None:
    """A feature of one value does not count in it, nor a number that gains nothing."""
    frame = drawn(seed, "c45").assign(one="same")
    frame = pd.concat([frame.assign(useless=1), frame.assign(useless=2)], ignore_index=True)
    page = worked(frame, "y", method="c45")
    told = page.tree.explain(0)["average_gain"]
    if "average gain" in values(page):
        assert values(page)["average gain"] == pytest.approx(told.iloc[0], abs=1e-12)


def cuts(page) -> list[float]:
    return [float(m[1]) for step in page.steps if (m := re.fullmatch(r"gain\(x≤(.+)\)", step.name))]


def midpoints(column) -> list[float]:
    x = np.unique(column)
    return list((x[:-1] + x[1:]) / 2)


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", seeds(5))
def test_what_is_chosen_follows_from_what_is_computed(seed, method) -> None:
    frame = drawn(seed, method)
    page = worked(frame, "y", method=METHODS[method], depth=None)
    known = values(page)
    for node in page.nodes:
        best = {step.name: known[step.name] for _, steps in node.paragraphs for step in steps}
        D = f"D{node.id}, " if node.id else ""
        if method.startswith("regression"):
            letter = "AE" if "absolute" in method else "S"
            best = {
                name: -x
                for name, x in best.items()
                if name.startswith(f"{letter}({D or 'D, '}") and "|" not in name
            }
        elif method in ("c45", "c45 no average", "c45 charge"):
            ratio = {n.removeprefix("gain ratio("): x for n, x in best.items() if n.startswith("gain ratio(")}
            gain = {topic: best[f"gain({topic}"] for topic in ratio}
            limit = next((x for n, x in best.items() if n.startswith("average gain")), 0.0)
            best = {f"({t}": x for t, x in ratio.items() if gain[t] >= limit - 1e-10 and gain[t] > 1e-10}
        else:
            best = {n: x for n, x in best.items() if n.startswith("gain(") and is_candidate(n, method)}
        tree_node = page.tree[node.id]
        if node.choice is None:
            if tree_node.reason == reasons.NO_GAIN and not method.startswith("regression"):
                assert max(best.values(), default=0) <= 1e-9
            continue
        largest = [name for name, x in best.items() if x >= max(best.values()) - 1e-9]
        chosen = [name for name in largest if name.endswith((f"({node.choice})", f", {node.choice})"))]
        assert chosen == largest[:1] or (len(chosen) == 1 and method[:4] in ("cart", "regr"))
        split = tree_node.split
        said = split.feature if method[:3] in ("id3", "c45", "sdr") else split.conditions[0].replace(" ", "")
        assert node.choice.replace(" ", "") == said


def is_candidate(name: str, method: str) -> bool:
    """Tell whether a gain is that of what may be asked: thresholds of C4.5 have theirs besides."""
    return not (method.startswith("c45") and "≤" in name)


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", seeds(4))
def test_no_right_answer_is_called_wrong(seed, method) -> None:
    frame, rng = drawn(seed, method), np.random.default_rng(seed)
    page = worked(frame, "y", method=METHODS[method], depth=1)
    answer = {}
    for step in page.steps:
        if rng.random() < 0.7 or not answer:
            answer[step.name] = f"{step.value:.{rng.integers(2, 8)}f}" if rng.random() < 0.8 else step.value
    found = check_answer(answer | page.choices, frame, "y", method=METHODS[method], depth=1)
    assert [str(x) for x in found.findings if not x.is_right] == []
    assert found.is_right
    assert len(found.findings) == len(answer) + len(page.choices)


@pytest.mark.long
def test_wrong_numbers_that_nobody_would_get_are_not_explained() -> None:
    explained, total = 0, 0
    for seed in seeds(15):
        rng, frame = np.random.default_rng(seed), drawn(seed, "id3")
        page = worked(frame, "y")
        for step in page.steps:
            given = f"{rng.random():.5f}"
            if abs(float(given) - step.value) > 1e-5:
                found = check_answer({step.name: given}, frame, "y").first_wrong
                total += 1
                explained += found.slip != "unexplained"
    assert total > 80
    assert explained <= 0.02 * total


@pytest.mark.long
def test_few_digits_are_not_explained_by_chance() -> None:
    explained, total = 0, 0
    for seed in seeds(15):
        rng, frame = np.random.default_rng(seed), drawn(seed, "id3")
        for step in worked(frame, "y").steps:
            given = f"{rng.random():.2f}"
            if abs(float(given) - step.value) > 0.02:
                found = check_answer({step.name: given}, frame, "y").first_wrong
                total += 1
                explained += found.slip != "unexplained"
    assert explained <= 0.2 * total


@pytest.mark.parametrize("method", ["id3", "id3 gini", "c45", "cart one"])
@pytest.mark.parametrize("seed", seeds(4))
def test_a_row_in_the_wrong_branch_is_recognized(seed, method) -> None:
    """Count one row of a table in another branch of a feature; each line that it changes says so."""
    rng, frame = np.random.default_rng(seed), drawn(seed, "id3")
    size = frame["n0"].map(frame["n0"].value_counts()).astype(int)
    assume_two = [row for row in frame.index[size > 1] if (frame["n0"] != frame.loc[row, "n0"]).any()]
    for row in rng.permutation(assume_two)[:1]:
        others = frame["n0"][frame["n0"] != frame.loc[row, "n0"]]
        moved = frame.copy()
        moved.loc[row, "n0"] = others.iloc[0]
        page, other = (worked(table, "y", method=METHODS[method], digits=7) for table in (frame, moved))
        right = values(page)
        for step in other.steps:
            if "n0" in step.name and step.name in right and abs(right[step.name] - step.value) > 1e-6:
                (found,) = check_answer({step.name: step.result}, frame, "y", method=METHODS[method]).findings
                assert found.slip != "unexplained", str(found)
                Q = next(Q for Q in page.computation.quantities if Q.name == step.name)
                slips = slips_of(Wrong(page.computation, Q, 7, {}))
                kinds = {slip.kind for slip in slips if abs(float(slip.value) - step.value) < 1e-9}
                assert "wrong branch" in kinds


@pytest.mark.parametrize("method", ["id3", "id3 gini", "c45", "cart", "regression", "sdr"])
@pytest.mark.parametrize("seed", seeds(4))
def test_a_line_carried_on_from_a_wrong_one_is_told_as_such(seed, method) -> None:
    rng, frame = np.random.default_rng(seed), drawn(seed, method)
    page = worked(frame, "y", method=METHODS[method])
    lines = [Q for Q in page.computation.quantities if Q.inputs]
    for Q in (lines[i] for i in rng.permutation(len(lines))[:5]):
        before, right = str(rng.choice(Q.inputs)), page.computation.values[Q.name]
        exact = page.computation.values[before]
        off = to_digits(exact, 8) + Decimal(f"{0.1 + rng.random():.8f}")
        for wrong, is_told in ((off, True), (to_digits(decimal_of(exact) * 10, 8), False)):
            result = to_digits(page.computation.again(Q.name, {before: Fraction(wrong)}), 8)
            if abs(result - decimal_of(right)) < Decimal("1e-6"):
                continue
            answer = {before: f"{wrong:f}"} if is_told else {}
            answer |= {Q.name: f"{result:f}"}
            found = check_answer(answer, frame, "y", method=METHODS[method]).findings[-1]
            assert found.slip == "follows from before" if is_told else found.slip != "unexplained", str(found)
            assert not is_told or f"{before} = {wrong:f}" in found.explanation


# Names of columns and of values that look alike, or like those of quantities

ALIKE = [
    ["", " ", "  ", "\t", "\u00a0"],
    ["x", "x ", " x", "X", "\uff58"],
    ["\u00e9", "e\u0301", "E\u0301"],
    ["\u00c5", "\u212b", "A\u030a", "\u00e5"],
    ["\ufb01", "fi", "f i"],
    ["\u2264", "<=", "< =", "=", "?", "|"],
    ["D", "D1", "D1, x", "D, x", "x=x", "x?"],
    ["leaf", "choice", "gain", "gain(x)", "H(D)", "in {x}"],
]


@st.composite
def tables_of_names_alike(draw: st.DrawFn) -> tuple[pd.DataFrame, str]:
    """Draw a small table in which names of columns, or values of a column, look alike."""

    def some(least: int, most: int) -> list[str]:
        alike = draw(st.sampled_from(ALIKE))
        return draw(st.lists(st.sampled_from(alike), min_size=least, max_size=most, unique=True))

    n, columns = draw(st.integers(4, 8)), some(2, 3)
    cells = {
        column: draw(st.lists(st.sampled_from(some(2, 3)), min_size=n, max_size=n)) for column in columns
    }
    return pd.DataFrame(cells), columns[-1]


@examples(25)
@given(tables_of_names_alike(), st.sampled_from(["id3", "c45", "cart", "cart one"]))
def test_every_name_that_is_listed_is_read_as_what_it_names(table, method) -> None:
    (frame, target), how = table, {"method": METHODS[method], "depth": 1}
    try:
        page = worked(frame, target, **how)
    except ValueError as error:
        assume("rename a column or a value" not in str(error))
        raise
    right = {step.name: step.result for step in page.steps} | page.choices
    assert list(right) == page.names
    found = check_answer(right, frame, target, **how).findings
    assert {x.name: x.is_right for x in found} == dict.fromkeys(page.names, True)
    wrong = {step.name: f"{float(step.result) + 1:.3f}" for step in page.steps}
    if "leaf" not in frame.columns:
        wrong |= dict.fromkeys(page.choices, "leaf")
    found = check_answer(wrong, frame, target, **how).findings
    assert {x.name: x.is_right for x in found} == dict.fromkeys(wrong, False)
