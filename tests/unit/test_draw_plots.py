"""Curves and partitions: matplotlib's SVG, cleaned."""

import itertools
import os
import re
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from pictures import SVG, overlap, read, texts

from dtlib import CARTClassifier, ID3Classifier, draw
from dtlib.book import pictures
from dtlib.datasets import load_loan
from dtlib.draw.svg import LIGHT
from dtlib.measures import classification_error, entropy, gini

P = np.linspace(0, 1, 101)
PAIR = np.stack([P, 1 - P], axis=1)


@pytest.fixture(scope="module")
def impurities():
    curves = {
        "half entropy": (P, entropy(PAIR) / 2),
        "Gini": (P, gini(PAIR)),
        "error": (P, classification_error(PAIR)),
    }
    return draw.lines(curves, x_label="p", y_label="impurity")


def test_lines_say_sampled_points(impurities):
    assert impurities.title == "impurity against p"
    assert (
        "Gini: (0, 0), (0.1, 0.18), (0.2, 0.32), (0.3, 0.42), (0.4, 0.48), (0.5, 0.5)"
        in impurities.description
    )
    assert "error: (0, 0), (0.1, 0.1)" in impurities.description
    assert "half entropy: (0, 0), (0.1, 0.2345)" in impurities.description


def test_each_line_has_its_label_and_its_dashes(impurities):
    words = [text[0] for text in texts(impurities)]
    assert all(words.count(label) == 1 for label in ("half entropy", "Gini", "error"))
    css = [path.get("style") for path in read(impurities).iter(f"{SVG}path")]
    thick = {c for c in css if "stroke-width: 2.5" in c}
    assert len(thick) == 3


def test_words_in_curves_do_not_overlap(impurities):
    for shown in (
        impurities,
        pictures.entropy_curve([0.5, (6, 9), 0.9, (1, 5)]),
        pictures.surprise_curve([1, 0.5, 0.25, 0.125]),
    ):
        for a, b in itertools.combinations(texts(shown), 2):
            assert not overlap(a, b), (a, b)


@pytest.fixture(scope="module")
def elsewhere():
    """What another process says: of two libraries, those that came with dtlib.draw; and a picture."""
    code = (
        "import sys; from dtlib.book import pictures; print({'matplotlib', 'graphviz'} & set(sys.modules)); "
        "print(pictures.entropy_curve([0.25]).svg)"
    )
    other = {**os.environ, "PYTHONHASHSEED": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=other, capture_output=True, check=True, text=True)
    return done.stdout.split("\n", 1)


@pytest.mark.long
def test_same_curve_same_picture_in_another_process(elsewhere):
    assert elsewhere[1] == pictures.entropy_curve([0.25]).svg + "\n"


def test_entropy_curve():
    shown = pictures.entropy_curve([0.1, (6, 9)])
    assert shown.description.endswith("(1, 0). Marked: H(0.1) = 0.469, H(6, 9) = 0.971.")
    assert {"H(0.1) = 0.469", "H(6, 9) = 0.971"} <= {text[0] for text in texts(shown)}


@pytest.mark.parametrize("mark", [1.5, -0.1, np.nan, (1, 2, 3), (1,), (0, 0), (-1, 3), (np.inf, 1)])
def test_entropy_curve_marks_points_of_two_classes_only(mark):
    with pytest.raises(ValueError, match="wanted a share between 0 and 1, or two counts with a positive sum"):
        pictures.entropy_curve([mark])


def test_surprise_curve():
    assert pictures.surprise_curve([1]).description.endswith("Marked: p = 1: 0.000 bits.")
    for p in (0, 1.5, -1):
        with pytest.raises(ValueError, match="above 0 and at most 1"):
            pictures.surprise_curve([p])


def test_steps_go_sideways_then_up():
    def corners(steps):
        svg = draw.lines({"a": ([0, 1], [0, 1])}, steps=steps).svg
        (line,) = re.findall(r'd="(M[^"]*)"[^>]*stroke-width: 2.5', svg)
        return np.array(re.findall(r"-?[\d.]+", line), float).reshape(-1, 2)

    (x0, y0), (x1, y1) = corners(steps=False)
    assert corners(steps=True).tolist() == [[x0, y0], [x1, y0], [x1, y1]]


def test_labels_of_steps_hide_no_step():
    x = np.arange(60)
    high, low = np.where(x < 20, 9, np.where(x < 50, 6, 3)), np.where(x < 5, 8, 1)
    stairs = {"a long label": (x, high), "b": (x, low)}
    shown = draw.lines(stairs, x_label="limit", y_label="leaves", steps=True)
    boxes = {words: box for words, *box in texts(shown)}
    for path in read(shown).iter(f"{SVG}path"):
        corners = np.array(re.findall(r"([\d.]+) ([\d.]+)", path.get("d")), float)
        if len(corners) < 60:
            continue
        for (x0, y0), (x1, y1) in itertools.pairwise(corners):
            for left, top, right, bottom in (boxes["a long label"], boxes["b"]):
                hidden = x0 == x1 and left < x0 < right and min(y0, y1) < bottom and max(y0, y1) > top
                assert not hidden or abs(y1 - y0) < 1


def test_curves_must_have_points():
    for curves in ({}, {"a": ([1, 2], [1])}, {"a": ([], [])}):
        with pytest.raises(ValueError, match="two equally long sequences"):
            draw.lines(curves)


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([2, 1, 0], [0, 1, 2], "'a' has an x that descends"),
        ([0, 1], [np.nan, np.nan], "'a' has points that are NaN or infinite"),
        ([0, np.inf], [0, 1], "'a' has points that are NaN or infinite"),
    ],
)
def test_curves_are_finite_and_ascend(x, y, message):
    with pytest.raises(ValueError, match=message):
        draw.lines({"a": (x, y)})


def test_marks_are_finite():
    with pytest.raises(ValueError, match=r"wanted .* finite numbers"):
        draw.lines({"a": ([0, 1], [0, 1])}, marks=[(0, np.nan, "here")])


@pytest.mark.parametrize("x", [[1], [1, 1], [1, 1.001], [1, 1.2]])
def test_short_curves_are_drawn_and_labelled_beside(x):
    for others in ({}, {"long": ([0, 1, 2], [1, 0, 1])}):
        shown = draw.lines({"short": (x, [2.0] * len(x)), **others})
        assert shown.description.startswith("short: (1, 2)")
        assert [text[0] for text in texts(shown)].count("short") == len(others)
        assert len(list(read(shown).iter(f"{SVG}use"))) == (len(x) == 1)  # a point needs a marker


def test_a_dollar_is_a_dollar():
    price = "$x_{$"
    shown = draw.lines({price: ([0, 1], [0, 1]), "b": ([0, 1], [1, 0])}, x_label=price, y_label=price)
    assert [text[0] for text in texts(shown)].count(price) == 3
    X = pd.DataFrame({"a$": ["$1$", "$2$", "$2$"], "b$": ["$3$", "$3$", "$4$"]})
    tree = ID3Classifier().fit(X, ["$n$", "$y$", "$y$"]).tree_
    shown = draw.partition(tree, X.assign(c=["$n$", "$y$", "$y$"]), "c", x="a$", y="b$")
    assert {"a$", "b$", "$1$", "$4$", "$y$"} <= {text[0] for text in texts(shown)}


def test_control_characters_are_replaced():
    shown = draw.lines({"a": ([0, 1], [0, 1])}, x_label="x\x01", y_label="\x1b\ufffey")
    assert {"x\ufffd", "\ufffd\ufffdy"} <= {text[0] for text in texts(shown)}


def test_a_figure_becomes_a_picture():
    from matplotlib import pyplot as plt

    with plt.rc_context({"backend": "agg"}):
        fig, ax = plt.subplots(figsize=(5, 3))
        ax.plot([0, 1], [0.123456789, 1], color=LIGHT["class-1"])
        ax.set_title("a < b & 0.123456 信息")
        shown = draw.from_figure(fig, "Title", "Data.")
        assert not plt.fignum_exists(fig.number)
    root = read(shown)
    assert root.get("viewBox") == "0 0 360 216"
    assert "a < b & 0.123456 信息" in ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert "var(--dt-class-1, #1f5fae)" in shown.svg


def test_ids_that_meet_on_a_page_mean_the_same():
    shown = [pictures.entropy_curve([0.5]), pictures.surprise_curve([0.5]), pictures.entropy_curve()]
    meaning = {}
    for root in map(read, shown):
        for node in root.iter():
            if node.get("id"):
                assert meaning.setdefault(node.get("id"), node.attrib) == node.attrib
                assert re.fullmatch(r"[a-z][0-9a-f]{10}", node.get("id"))


def loan_tree():
    """owns_house, then has_job."""
    loan = load_loan()
    return ID3Classifier().fit(loan.X, loan.y).tree_


SAMPLES = pd.DataFrame(
    {
        "owns_house": ["no", "yes", "no", "no"],
        "has_job": ["no", "no", "no", "yes"],
        "good": ["no", "yes", "yes", "yes"],
    },
    index=pd.Index([3, 5, 8, 11], name="id"),
)


def test_partition_says_every_cell_and_sample():
    shown = draw.partition(loan_tree(), SAMPLES, "good", x="owns_house", y="has_job")
    assert shown.description == (
        "owns_house = no, has_job = no: predicted no; 3 no, 8 yes. "
        "owns_house = no, has_job = yes: predicted yes; 11 yes. "
        "owns_house = yes, has_job = no: predicted yes; 5 yes. "
        "owns_house = yes, has_job = yes: predicted yes; no sample."
    )
    words = [text[0] for text in texts(shown)]
    assert all(words.count(name) == 1 for name in ("3", "5", "8", "11"))
    css = [use.get("style") for use in read(shown).iter(f"{SVG}use")]
    assert [sum(f"--dt-class-{k}" in c for c in css) for k in (0, 1)] == [1, 3]


def test_partition_parts_leaves_only():
    shown = draw.partition(loan_tree(), SAMPLES, "good", x="owns_house", y="has_job")
    css = [path.get("style") for path in read(shown).iter(f"{SVG}path")]
    assert sum("stroke-width: 2.5" in c for c in css) == 3  # two to the right, one across
    assert sum("stroke-dasharray" in c for c in css) == 1  # between the cells of owns_house = yes
    assert [text[0] for text in texts(shown)].count("yes") == 2 + 2  # one per leaf, one per axis


def test_partition_keeps_the_order_of_categories():
    frame = SAMPLES.assign(owns_house=pd.Categorical(SAMPLES["owns_house"], ["yes", "no"]))
    shown = draw.partition(loan_tree(), frame, "good", x="owns_house", y="has_job")
    assert shown.description.startswith("owns_house = yes, has_job = no")


def test_partition_needs_its_features():
    with pytest.raises(
        ValueError, match="tree tests 'owns_house'; a partition shows trees that test good and has_job"
    ):
        draw.partition(loan_tree(), SAMPLES, "good", x="good", y="has_job")
    with pytest.raises(ValueError, match="no branch for has_job = 'maybe'"):
        draw.partition(
            loan_tree(), SAMPLES.replace({"has_job": {"yes": "maybe"}}), "good", x="owns_house", y="has_job"
        )


def test_partition_of_trees_with_other_kinds_of_features():
    frame = SAMPLES.assign(
        owns_house=pd.Categorical(SAMPLES["owns_house"], ["no", "yes"], ordered=True), age=[30.0, 40, 50, 60]
    )
    columns = ["owns_house", "has_job", "age"]
    tree = CARTClassifier().fit(frame[columns], frame["owns_house"].astype(str)).tree_
    shown = draw.partition(tree, frame.assign(good=frame["owns_house"]), "good", x="owns_house", y="has_job")
    assert "owns_house = yes, has_job = yes: predicted yes; no sample." in shown.description
    assert "owns_house = no, has_job = yes: predicted no; 11 no." in shown.description
    by_age = CARTClassifier().fit(frame[columns], ["no", "no", "yes", "yes"]).tree_
    with pytest.raises(
        ValueError, match="tree tests 'age'; a partition shows trees that test owns_house and"
    ):
        draw.partition(by_age, frame, "good", x="owns_house", y="has_job")
    with pytest.raises(ValueError, match=r"features \['age'\] of the tree are numeric"):
        draw.partition(by_age, frame, "good", x="owns_house", y="age")


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("good", "maybe", "good is 'maybe' in row 3; wanted one of .*'no', 'yes'"),
        ("good", None, "good is (nan|None) in row 3"),
        ("has_job", None, "has_job is (nan|None) in row 3"),
        ("owns_house", None, "owns_house is (nan|None) in row 3"),
    ],
)
def test_partition_leaves_no_sample_out(column, value, message):
    frame = SAMPLES.assign(**{column: [value, *SAMPLES[column][1:]]})
    with pytest.raises(ValueError, match=message):
        draw.partition(loan_tree(), frame, "good", x="owns_house", y="has_job")


def test_partition_needs_its_columns():
    with pytest.raises(ValueError, match=r"frame lacks the columns \['age', 'bad'\]"):
        draw.partition(loan_tree(), SAMPLES, "bad", x="owns_house", y="age")
    with pytest.raises(ValueError, match="x and y are both 'has_job'"):
        draw.partition(loan_tree(), SAMPLES, "good", x="has_job", y="has_job")


class Alike(str):
    """A value that prints like any other."""

    def __str__(self):
        return "same"


def test_partition_compares_values_not_their_text():
    X = pd.DataFrame({"a": [Alike("p"), Alike("q")], "b": ["r", "r"]}, dtype=object)
    tree = ID3Classifier().fit(X, ["no", "yes"]).tree_
    shown = draw.partition(tree, X.assign(c=["no", "yes"]), "c", x="a", y="b")
    assert shown.description == "a = same, b = r: predicted no; 0 no. a = same, b = r: predicted yes; 1 yes."


def test_chinese_words_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "信息增益" in draw.curve([0, 1], [0, 1], label="信息增益", y_label="信息增益").svg


@pytest.mark.parametrize(
    ("missing", "call"), [("matplotlib.figure", "entropy_curve"), ("graphviz", "to_graphviz")]
)
def test_missing_packages_are_named(monkeypatch, missing, call):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=f"pip install {missing.partition('.')[0]}$"):
        getattr(pictures if call == "entropy_curve" else draw, call)(*[loan_tree()] * (call == "to_graphviz"))


def test_trees_are_drawn_without_matplotlib_and_graphviz(elsewhere):
    assert elsewhere[0] == "set()"


def test_graphviz_finds_no_entity_in_words():
    X = pd.DataFrame({"R&D; &lt;": ["&amp;", "&#65;"], "x": 0})
    source = draw.to_graphviz(ID3Classifier().fit(X[["R&D; &lt;"]], ["Q&A", "&nbsp;"]).tree_).source
    assert re.findall(r'label="(.*?)["\\]', source) == [
        "R&amp;D; &amp;lt;?", "&amp;#65;", "&amp;amp;", "&amp;nbsp;", "Q&A",
    ]  # fmt: skip


def test_graphviz_quotes_words():
    values = ('say "a\\b" -> <c>', "否")
    X = pd.DataFrame({"f": pd.Categorical([values[0]] * 2 + ["c"], [*values, "c"])})
    tree = ID3Classifier().fit(X, ["no", "no", "yes"], sample_weight=[1.25, 1.25, 1]).tree_
    source = draw.to_graphviz(tree).source
    assert r'0 [label="f?\nno 2.5, yes 1"]' in source
    assert r'0 -> 1 [label="say \"a\\b\" -> <c>"]' in source
    assert '0 -> 2 [label="否"]' in source
    assert re.search(r'2 \[label="no\\nno sample" .* style="rounded,dashed"\]', source)
