"""Textbook variants on tables that are printed: multiway Gini, the standard deviation of hours played."""

from __future__ import annotations

import inspect

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.estimator_checks import check_estimator

from dtlib import C45Classifier, CARTClassifier, ID3Classifier, ID3Regressor, Tree
from dtlib.dialects import C45Dialect
from dtlib.measures import variance
from dtlib.out_of_core import Batches, grow_from

#: S. Sayad's table of hours played, as course notes have it (facts; the names in lower case).
WEATHER = pd.DataFrame(
    {
        "outlook": [
            "rainy", "rainy", "overcast", "sunny", "sunny", "sunny", "overcast",
            "rainy", "rainy", "sunny", "rainy", "overcast", "overcast", "sunny",
        ],
        "temperature": [
            "hot", "hot", "hot", "mild", "cool", "cool", "cool",
            "mild", "cool", "mild", "mild", "mild", "hot", "mild",
        ],
        "humidity": ["high"] * 4 + ["normal"] * 3 + ["high"] + ["normal"] * 3 + ["high", "normal", "high"],
        "windy": ["no", "yes", "no", "no", "no", "yes", "yes", "no", "no", "no", "yes", "yes", "no", "yes"],
    }
)  # fmt: skip
HOURS = np.array([25, 30, 46, 45, 52, 23, 43, 35, 38, 46, 48, 52, 44, 30])
SAYAD = ID3Regressor(min_samples_split=4, min_variation=0.1)


def test_sayads_tree() -> None:
    tree = SAYAD.fit(WEATHER, HOURS).tree_
    assert round(tree.impurity[0], 2) == 9.32  # as printed
    assert tree.impurity[0] == pytest.approx(np.std(HOURS), rel=1e-14)
    assert str(tree).splitlines() == [
        "root (n 14, mean 39.7857)",
        "├── outlook = overcast (n 4, mean 46.25) → 46.25",
        "├── outlook = rainy (n 5, mean 35.2)",
        "│   ├── temperature = cool (n 1, mean 38) → 38",
        "│   ├── temperature = hot (n 2, mean 27.5) → 27.5",
        "│   └── temperature = mild (n 2, mean 41.5) → 41.5",
        "└── outlook = sunny (n 5, mean 39.2)",
        "    ├── windy = no (n 3, mean 47.6667) → 47.6667",
        "    └── windy = yes (n 2, mean 26.5) → 26.5",
    ]
    assert tree.reason[1] == "variation below min_variation"
    assert set(tree.reason[5:]) == {"less than min_samples_split"}
    gains = tree.explain(0).set_index("feature")["gain"]
    for name in WEATHER:
        below = [len(part) / 14 * np.std(part) for _, part in pd.Series(HOURS).groupby(WEATHER[name])]
        assert gains[name] == pytest.approx(np.std(HOURS) - sum(below), rel=1e-12)
    assert gains.round(2).idxmax() == "outlook"


def test_the_variance_is_another_criterion() -> None:
    tree = ID3Regressor(criterion="squared_error").fit(WEATHER, HOURS).tree_
    assert tree.impurity[0] == pytest.approx(float(variance(HOURS)), rel=1e-14)
    assert tree.criterion == "squared_error"


def test_a_branch_without_rows_has_the_mean_above() -> None:
    X = pd.DataFrame({"c": pd.Categorical(["a", "a", "b"], ["z", "a", "b", "c"])})
    for criterion in ("standard_deviation", "squared_error"):
        model = ID3Regressor(criterion=criterion).fit(X, [1.0, 3.0, 8.0])
        assert model.tree_.summary.ravel().tolist() == [4, 4, 2, 8, 4]
        assert model.tree_.reason[1:] == ("empty branch", "no feature left", "pure", "empty branch")
        assert model.predict(pd.DataFrame({"c": ["c", "z", "never", "b"]})).tolist() == [4, 4, 4, 8]
        assert Tree.from_json(model.tree_.to_json()) == model.tree_
        assert model.tree_.explain(1)["reason"].tolist() == ["empty branch"]


def test_rows_without_weight_are_left_out() -> None:
    weight = np.ones(14)
    weight[[2, 5]] = 0
    some = weight > 0
    a = SAYAD.fit(WEATHER, HOURS, weight).tree_
    assert a == SAYAD.fit(WEATHER[some], HOURS[some]).tree_
    assert a == SAYAD.fit(WEATHER, np.where(some, HOURS, 999), weight).tree_


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (ID3Regressor(criterion="absolute_error"), "criterion is 'absolute_error'; wanted one of 'stand"),
        (ID3Regressor(min_variation=-0.1), r"min_variation is -0\.1; wanted a number of at least 0"),
        (ID3Regressor(min_gain="much"), "min_gain is 'much'"),
        (ID3Regressor(min_samples_split=None), "min_samples_split is None"),
        (ID3Classifier(criterion="gain_ratio"), "criterion is 'gain_ratio'; wanted one of 'entropy'"),
        (C45Classifier(dialect=C45Dialect(threshold_by="ratio")), "threshold_by is 'ratio'; wanted one"),
    ],
    ids=str,
)  # fmt: skip
def test_other_settings_are_refused_before_anything_is_read(model: ID3Regressor, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        model.fit("nothing", None)


def test_what_cannot_be_read_is_refused() -> None:
    with pytest.raises(ValueError, match=r"min_variation is 0\.1, but y has 2 outputs"):
        ID3Regressor(min_variation=0.1).fit(WEATHER, np.stack([HOURS, HOURS], axis=1))
    with pytest.raises(TypeError, match="ID3 needs categorical features, but these columns are not: x"):
        ID3Regressor().fit(pd.DataFrame({"x": [1.0, 2.0]}), [1, 2])
    with pytest.raises(ValueError, match="ID3 has no rule for missing values"):
        ID3Regressor().fit(pd.DataFrame({"x": ["a", None]}), [1, 2])
    with pytest.raises(TypeError, match="wanted an ID3Classifier, C45Classifier, CARTClassifier or CARTRegr"):
        grow_from(Batches([WEATHER.assign(hours=HOURS)], "hours"), ID3Regressor())


def test_the_estimators_keep_within_their_numbers_of_parameters() -> None:
    for estimator, most in ((CARTClassifier, 20), (C45Classifier, 13)):
        assert len(inspect.signature(estimator).parameters) <= most


@pytest.mark.long
@pytest.mark.parametrize(
    "model",
    [ID3Regressor(), SAYAD, ID3Regressor(criterion="squared_error"), ID3Classifier(criterion="gini")],
    ids=str,
)
def test_scikit_learns_checks(model: ID3Regressor) -> None:
    results = check_estimator(model, on_skip=None)
    assert sum(result["status"] == "passed" for result in results) > 40


def test_the_size_of_a_mean_counts_and_not_its_sign() -> None:
    """The variation at the root is 0.234."""
    for y in (HOURS, -HOURS):
        for least, nodes in ((0.23, 4), (0.24, 1)):
            model = ID3Regressor(min_variation=least).fit(WEATHER[["outlook"]], y)
            assert model.tree_.node_count == nodes


def test_a_share_of_all_weight_is_enough_to_be_split() -> None:
    for least, nodes in ((5 / 14, 8), (0.36, 4)):  # 5 of 14 rows are sunny
        tree = ID3Regressor(min_samples_split=least).fit(WEATHER[["outlook", "windy"]], HOURS).tree_
        assert tree.node_count == nodes


def test_the_impurity_of_several_outputs_is_the_mean_of_their_deviations() -> None:
    tree = ID3Regressor().fit(WEATHER, np.stack([HOURS, HOURS**2], axis=1)).tree_
    assert tree.impurity[0] == pytest.approx((np.std(HOURS) + np.std(HOURS**2)) / 2, rel=1e-13)
