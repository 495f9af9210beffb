"""Votes: pictures of what trees and forests answer."""

# ruff: noqa: RUF001  (Chinese has its own comma and colon)

import itertools

import numpy as np
import pandas as pd
import pytest
from pictures import SVG, overlap, read, texts

from dtlib import CARTClassifier, messages
from dtlib.book import pictures
from dtlib.datasets import load_watermelon

MELONS = load_watermelon("3.0")
X, Y = MELONS.X[["density", "sugar"]], MELONS.y


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    messages.use_language("en")


def shown(models, frame=MELONS.frame, **options):
    return pictures.votes(models, frame, "good", x="density", y="sugar", **options)


def models(number):
    return {f"depth {k}": CARTClassifier(max_depth=k).fit(X, Y) for k in range(1, number + 1)}


def test_each_panel_says_its_answers():
    leaf, one = CARTClassifier(max_depth=0).fit(X, Y), CARTClassifier(max_depth=1).fit(X, Y)
    found = shown({"leaf": leaf, "one": one})
    assert found.title == "Answers by density and sugar"
    assert found.description == (
        "leaf: yes on 0 % of the plane, 9 of 17 samples right. "
        "one: yes on 60 % of the plane, 14 of 17 samples right."
    )
    assert sum(one.predict(X) == Y) == 14
    assert shown({"one": one}, title="Here").title == "Here"


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_panel_for_each_model_and_no_words_on_words(number):
    found = shown(models(number))
    said = [element.text for element in read(found).iter(f"{SVG}text")]
    assert [words for words in said if words.startswith("depth")] == [f"depth {k + 1}" for k in range(number)]
    assert {"density →", "sugar ↑"} <= set(said)
    assert not [pair for pair in itertools.combinations(texts(found), 2) if overlap(*pair)]


def test_the_line_lies_at_the_threshold():
    stump = CARTClassifier(max_depth=1).fit(X, Y)
    low, high = X["sugar"].min(), X["sugar"].max()
    edge = 0.07 * (high - low)
    share = (high + edge - stump.tree_.threshold[0]) / (high - low + 2 * edge)
    said = float(shown({"s": stump}).description.split(" on ")[1].split(" %")[0])
    assert said == pytest.approx(100 * share, abs=1)


@pytest.mark.parametrize(("weight", "tint"), [(1, "0.1"), (4, "0.26"), (20, "0.42")])
def test_a_narrow_vote_is_paler(weight, tint):
    leaf = CARTClassifier(max_depth=0, class_weight={"yes": weight}).fit(X, Y)
    found = set(map(opacity, read(shown({"leaf": leaf})).iter(f"{SVG}path"))) - {None}
    assert found == {tint}


def opacity(path):
    """Return the opacity of a filled path, None if it has no area."""
    style = path.get("style", "")
    return style.split("opacity: ")[1].split(";")[0] if "opacity: " in style and path.get("d") else None


def test_in_chinese():
    messages.use_language("zh")
    found = shown(models(1))
    assert found.title == "按 density 与 sugar 的回答"
    assert "占平面的 60 %，17 个样本中 14 个正确。" in found.description


def test_what_it_refuses():
    good = CARTClassifier().fit(X, Y)
    with pytest.raises(ValueError, match="models is empty"):
        shown({})
    with pytest.raises(ValueError, match="frame lacks the columns"):
        shown({"a": good}, MELONS.frame.drop(columns="sugar"))
    with pytest.raises(ValueError, match="missing or infinite"):
        shown({"a": good}, MELONS.frame.assign(sugar=np.inf))
    with pytest.raises(ValueError, match="the same two"):
        shown({"a": good, "b": CARTClassifier().fit(X, Y == "yes")})
    with pytest.raises(ValueError, match="the same two"):
        shown({"a": CARTClassifier().fit(X, np.arange(17) % 3)})
    with pytest.raises(ValueError, match="leave such rows out"):
        shown({"a": good}, MELONS.frame.assign(good=pd.Series("maybe", MELONS.frame.index)))
