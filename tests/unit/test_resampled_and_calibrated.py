"""The experiments on calibrated shares and on made-up samples: their tools, and what they have recorded."""

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from dtlib import CARTClassifier
from experiments import calibrated_shares, interpolated_samples
from experiments.leaf_shares import MEASURED, WORLDS, drawn


@pytest.mark.parametrize(
    ("method", "ours"), [("sigmoid", calibrated_shares.platt), ("isotonic", calibrated_shares.isotonic)]
)
def test_shares_are_mended_as_scikit_learn_does(method, ours):
    X, y, _ = drawn("an island", 200, 0)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    tree = CARTClassifier(min_samples_leaf=10)
    unseen = cross_val_predict(tree, X, y, cv=folds, method="predict_proba")[:, 1]
    mended = ours(unseen, y, tree.fit(X, y).predict_proba(X)[:, 1])
    theirs = CalibratedClassifierCV(tree, method=method, cv=folds, ensemble=False).fit(X, y)
    np.testing.assert_allclose(mended, theirs.predict_proba(X)[:, 1], atol=1e-3)


def test_made_up_samples_lie_between_two_rare_ones():
    X, y, _ = drawn("a slope", 300, 1)
    rows, rare = interpolated_samples.interpolated(X, y, np.random.default_rng(0))
    assert rare.sum() == (~rare).sum()
    np.testing.assert_array_equal(rows[: len(X)], X)
    old = X[y]
    for made in rows[len(X) :][:40]:
        to = old - made
        length = np.linalg.norm(to, axis=1)
        cosine = (to @ to.T) / np.outer(length, length)
        assert cosine.min() == pytest.approx(-1)


def test_every_table_and_world_is_recorded():
    shares, made_up = (pd.read_csv(module.KEPT) for module in (calibrated_shares, interpolated_samples))
    assert list(shares["table"].unique()) == [*MEASURED, *WORLDS]
    assert list(made_up["table"].unique()[-2:]) == list(WORLDS)
    for found in (shares, made_up):
        lines = found["table"].map(lambda name: 20 if name in WORLDS else 25)
        assert (found.groupby("table")["table"].transform("size") == lines).all()
        assert found.notna().all(axis=None)
