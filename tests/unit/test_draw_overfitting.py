"""Areas that trees predict, side by side."""

import itertools

import numpy as np
import pandas as pd
import pytest
from pictures import overlap, texts

from dtlib import CARTClassifier, messages
from dtlib.book import pictures
from dtlib.datasets import load_loan

rng = np.random.default_rng(3)
FRAME = pd.DataFrame(rng.random((80, 2)), columns=["a", "b"])
FRAME["class"] = np.where((FRAME["a"] > 0.5) ^ (rng.random(80) < 0.2), "yes", "no")


def grown(**parameters):
    return CARTClassifier(**parameters).fit(FRAME[["a", "b"]], FRAME["class"]).tree_


def shown(frame=FRAME, target="class", **trees):
    return pictures.areas(
        trees or {"full": grown(), "stump": grown(max_depth=1)}, frame, target, x="a", y="b"
    )


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    messages.use_language("en")


def test_the_shares_are_those_of_predictions():
    said = shown().description
    assert said.startswith(f"Samples: no {(FRAME['class'] == 'no').sum()}, yes")
    ends = FRAME[["a", "b"]].agg(["min", "max"]).to_numpy()
    room = 0.07 * (ends[1] - ends[0])
    low, high = ends[0] - room, ends[1] + room
    steps = np.linspace(0, 1, 401)[:-1] + 1 / 800
    at = np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2) * (high - low) + low
    for label, tree in {"full": grown(), "stump": grown(max_depth=1)}.items():
        _, rest = said.split(f"{label}: leaves {tree.n_leaves}; of the plane ")
        share = float(rest.split(", ")[0].removeprefix("no "))
        answers = tree.label[tree.apply(pd.DataFrame(at, columns=["a", "b"]))]
        assert share == pytest.approx((answers == 0).mean(), abs=0.003)


def test_each_sample_is_drawn_in_each_panel_and_words_do_not_overlap():
    picture = shown()
    assert picture.svg.count("<use ") == 2 * len(FRAME)
    written = texts(picture)
    assert {"full", "stump", "a", "b"} <= {words for words, *_ in written}
    assert not [pair for pair in itertools.combinations(written, 2) if overlap(*pair)]


def test_a_root_alone_fills_its_panel():
    tree = grown(max_depth=0)
    (label,) = {tree.root.prediction}
    said = shown(root=tree).description
    assert said.endswith(f"of the plane {'no 1, yes 0' if label == 'no' else 'no 0, yes 1'}.")


def test_in_chinese():
    messages.use_language("zh")
    assert "叶 2" in shown(stump=grown(max_depth=1)).description


def test_what_it_refuses():
    loan = load_loan()
    other = CARTClassifier().fit(loan.X, loan.y).tree_
    with pytest.raises(ValueError, match="trees is empty"):
        pictures.areas({}, FRAME, "class", x="a", y="b")
    with pytest.raises(ValueError, match=r"asks \['"):
        shown(loan=other)
    more = CARTClassifier().fit(FRAME[["a", "b"]], FRAME["class"].replace("no", "never")).tree_
    with pytest.raises(ValueError, match="has the classes"):
        shown(full=grown(), more=more)
    with pytest.raises(ValueError, match="lacks the columns"):
        shown(target="label")
    with pytest.raises(ValueError, match="without NaN"):
        shown(FRAME.assign(a=FRAME["a"].where(FRAME["a"] > 0.1)))
    with pytest.raises(ValueError, match="leave such rows out"):
        shown(FRAME.assign(**{"class": "maybe"}))
