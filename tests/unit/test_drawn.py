"""What is drawn: the same whatever is loaded, and tables in which questions tie."""

import sys
from types import ModuleType

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtlib import CARTClassifier
from tests.drawn import examples, mirrored


def numbers():
    """Return what Hypothesis draws for a test of whole numbers."""
    drawn = []

    @examples(300)
    @given(st.integers(), st.floats(), st.text(max_size=3))
    def draw(whole, number, text):
        drawn.append(repr((whole, number, text)))

    draw()
    return drawn


def test_what_is_drawn_does_not_depend_on_the_modules_that_are_loaded(tmp_path, monkeypatch):
    before = numbers()
    module, path = ModuleType("full_of_constants"), tmp_path / "full_of_constants.py"
    path.write_text(f"NUMBERS = {[7 * k + 1_000 for k in range(500)]}")
    module.__file__ = str(path)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    assert numbers() == before


def test_a_table_and_its_mirror_image_tie():
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 5.0], "b": pd.Series(list("ppqr"), dtype=object)})
    both, y, none = mirrored("of the features", X, [0, 1, 1, 1], None)
    assert both["a"].tolist() == [1, 2, 3, 5, 5, 3, 2, 1]
    assert both["b"].tolist() == list("ppqrrrqp")
    assert (y.tolist(), none) == ([0, 1, 1, 1] * 2, None)
    _, y, w = mirrored("of all", X, pd.Series([0, 1, 1, 2]).to_numpy(), [1, 2, 3, 4])
    assert (y.tolist(), w.tolist()) == ([0, 1, 1, 2, 2, 1, 1, 0], [1, 2, 3, 4] * 2)
    cuts = CARTClassifier().fit(both, [0, 1, 1, 1] * 2).tree_.explain(0, "a")["gain"]
    assert (cuts == cuts.max()).sum() == pytest.approx(2)
