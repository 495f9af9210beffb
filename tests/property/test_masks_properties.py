"""A masked array gives the tree and the answers of the same array with NaN, whatever lies below the mask."""

from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from dtlib import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ID3Regressor,
    ObliqueTreeClassifier,
    OptimalTreeClassifier,
)
from dtlib.growing import by_ratio, by_score, depth_first, table_in_lines, training_rows
from dtlib.prune import CrossValidated, Pessimistic, ReducedError
from dtlib.tree.tree import ARRAYS
from tests.drawn import examples

TAKING = [
    C45Classifier(), C45Classifier(missing="majority", prune=Pessimistic()), C45Classifier.release8(),
    C45Classifier.j48(), CARTClassifier(missing="stay"),
    CARTClassifier(missing="majority", max_features=1, random_state=0),
    CARTClassifier(missing="fractional"), CARTClassifier(missing="surrogate"), CARTClassifier.rpart(),
    CARTClassifier.sklearn(missing="majority"), CARTRegressor(missing="stay", prune=CrossValidated(folds=2)),
    CARTRegressor(missing="stay"), CARTRegressor(missing="majority", criterion="absolute_error"),
    CARTRegressor(missing="surrogate"), CARTRegressor(missing="fractional", prune=ReducedError([0, 2])),
]  # fmt: skip
REFUSING = [
    CARTClassifier(), CARTRegressor(), C45Classifier(missing="error"), ID3Classifier(), ID3Regressor(),
    ObliqueTreeClassifier(restarts=1, jumps=1, random_state=0), OptimalTreeClassifier(max_depth=1),
]  # fmt: skip
FORMS = {
    "array": lambda x: x,
    "rows": list,
    "lists": lambda x: [list(row) for row in x],
    "by columns": lambda x: np.ma.array(x.data.copy("F"), mask=np.ma.getmaskarray(x)),
    "objects": lambda x: x.astype(object),
    "every second": lambda x: np.ma.repeat(x, 2, axis=0)[::2],
}


@st.composite
def tables(draw):
    """Draw a masked array, as it is given; the same with NaN; and classes and numbers of its rows."""
    n, d = draw(st.integers(4, 30)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(["f8", "f8", "f4", "i1", "u2", "i8", "?"]))
    x = (rng.normal(size=(n, d)).round(1) if kind[0] == "f" else rng.integers(0, 4, (n, d))).astype(kind)
    mask = rng.random((n, d)) < draw(st.sampled_from([0, 0.1, 0.5]))
    known = np.where(mask, np.nan, x.astype("f4" if kind == "f4" else "f8"))
    below = {"f": [np.inf, np.nan, 1e30], "i": [100, -1], "u": [60000, 0], "?": [True, False]}[kind[0]]
    x[mask] = rng.choice(below, mask.sum())
    given_as = FORMS[draw(st.sampled_from(sorted(FORMS)))](np.ma.array(x, mask=mask))
    return given_as, known, rng.integers(0, 3, n), rng.normal(size=n)


@contextmanager
def engine(is_compiled):
    """Let trees grow in the way of one of the engines, compiled or not."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (by_ratio, training_rows):
            patch.setattr(module, "is_ready", lambda *_: is_compiled)
        patch.setattr(depth_first, "is_ready", lambda *_: True)
        for module in (depth_first, table_in_lines):
            patch.setattr(module, "threads_for", lambda _: 1)
        if not is_compiled:
            patch.setattr(by_score.depth_first, "fallback_reason", lambda *_: "told so")
        yield


@examples(80)
@given(tables(), st.sampled_from(TAKING), st.booleans())
def test_a_masked_array_gives_the_tree_and_the_answers_of_one_with_nan(table, tree, is_compiled):
    masked, known, classes, numbers = table
    y = numbers if isinstance(tree, CARTRegressor) else classes
    with engine(is_compiled):
        found, plain = (clone(tree).fit(X, y) for X in (masked, known))
        for name in ARRAYS:
            np.testing.assert_array_equal(
                getattr(found.tree_, name), getattr(plain.tree_, name), err_msg=name
            )
        for ask in ("predict", "apply", "predict_proba"):
            if hasattr(tree, ask):
                np.testing.assert_array_equal(getattr(found, ask)(masked), getattr(plain, ask)(known))
        assert found.score(masked, y) == plain.score(known, y)


@examples(40)
@given(tables(), st.sampled_from(REFUSING), st.booleans())
def test_it_is_refused_where_one_with_nan_is(table, tree, is_compiled):
    masked, known, classes, numbers = table
    y = numbers if isinstance(tree, CARTRegressor | ID3Regressor) else classes
    with engine(is_compiled):
        if not np.isnan(known).any():
            assert clone(tree).fit(masked, y).tree_ == clone(tree).fit(known, y).tree_
            return
        said = []
        for X in (masked, known):
            with pytest.raises(ValueError, match=r"^X is missing \(NaN\) in row") as error:
                clone(tree).fit(X, y)
            said.append(str(error.value))
        assert said[0] == said[1]
        fitted = clone(tree).fit(np.nan_to_num(known), y)
        with pytest.raises(ValueError, match=r"^X is missing \(NaN\) in row"):
            fitted.predict(masked)


@examples(40)
@given(
    tables(),
    st.sampled_from([C45Classifier(), CARTClassifier(missing="majority"), CARTRegressor(missing="stay")]),
)
def test_a_masked_target_or_weight_is_refused_and_one_without_a_mask_is_as_it_is(table, tree):
    _, known, classes, numbers = table
    y = numbers if isinstance(tree, CARTRegressor) else classes
    hidden = np.isnan(known).any(axis=1)
    free = np.ma.array(y, mask=False)
    plain = clone(tree).fit(known, y, y**2 + 1.0).tree_
    assert clone(tree).fit(known, free, free**2 + 1.0).tree_ == plain
    if hidden.any():
        row = int(hidden.argmax())
        with pytest.raises(ValueError, match=rf"^y is missing .*row {row} \(counted from 0\)"):
            clone(tree).fit(known, np.ma.array(y, mask=hidden))
        with pytest.raises(ValueError, match=rf"^sample_weight is missing \(NaN\) in row {row} "):
            clone(tree).fit(known, y, np.ma.array(np.ones(len(y)), mask=hidden))
