"""CART pruned node by node by rows held out: classes, numbers, weights, priors, losses, missing values."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.estimator_checks import parametrize_with_checks

from dtlib import CARTClassifier, CARTRegressor, Prior
from dtlib.dialects import CARTDialect
from dtlib.prune import PrePruned, ReducedError, best_subtree, hold_out, pre_prune, reduced_error, risk

rng = np.random.default_rng(11)
X = pd.DataFrame(
    {
        "p": rng.integers(0, 9, 120) * 1.0,
        "q": rng.normal(size=120).round(1),
        "a": rng.choice(list("uvw"), 120).astype(object),
    }
)
HOLES = X.mask(rng.random(X.shape) < 0.15)
LABEL = ((X["p"] > 4).to_numpy() ^ (rng.random(120) < 0.25)).astype(int) + (rng.random(120) < 0.1)
NUMBER = X["p"].to_numpy() + rng.normal(size=120).round(1)
WEIGHT = np.arange(120) % 4 + 0.5
HELD = np.flatnonzero(np.arange(120) % 3 == 1)
GROWN = np.setdiff1d(np.arange(120), HELD)

ESTIMATORS = {
    "classes": (CARTClassifier(), X, LABEL),
    "classes with holes": (CARTClassifier(missing="surrogate"), HOLES, LABEL),
    "parts": (CARTClassifier(missing="fractional"), HOLES, LABEL),
    "outputs": (CARTClassifier(max_depth=6), X, np.stack([LABEL, LABEL[::-1]], axis=1)),
    "single": (CARTClassifier(dialect=CARTDialect(precision="single")), X, LABEL),
    "numbers": (CARTRegressor(), X, NUMBER),
    "numbers with holes": (CARTRegressor(missing="majority"), HOLES, NUMBER),
    "absolute": (CARTRegressor(criterion="absolute_error"), X, NUMBER),
    "two numbers": (CARTRegressor(), X, np.stack([NUMBER, LABEL], axis=1)),
    "rpart": (CARTClassifier.rpart(min_samples_split=4), HOLES, LABEL),
}
of_each = pytest.mark.parametrize("name", ESTIMATORS)
BY_HELD_OUT = {ReducedError: reduced_error, PrePruned: pre_prune}
by_each = pytest.mark.parametrize("way", BY_HELD_OUT)


def like(est, **parameters):
    return clone(est).set_params(**parameters)


@pytest.mark.long
@of_each
@by_each
def test_an_estimator_grows_from_the_others_and_prunes_by_these(name, way):
    est, rows, y = ESTIMATORS[name]
    for w in (None, WEIGHT):
        here, there = (None, None) if w is None else (w[GROWN], w[HELD])
        full = like(est).fit(rows.iloc[GROWN], y[GROWN], here).tree_
        wanted = BY_HELD_OUT[way](full, rows.iloc[HELD], y[HELD], there)
        pruned = like(est, prune=way(HELD, cp=getattr(est.prune, "cp", None))).fit(rows, y, w).tree_
        assert pruned.pruned_from == full
        assert pruned == wanted != full
        pd.testing.assert_frame_equal(pruned.steps, wanted.steps)
        assert pruned.explain(0)["chosen"].any()


@by_each
def test_classes_weigh_held_out_rows_too(way):
    of_class = {0: 1.0, 1: 3.0, 2: 7.0}
    weight = compute_sample_weight(of_class, LABEL)
    weighed = CARTClassifier(class_weight=of_class, prune=way(HELD)).fit(X, LABEL).tree_
    assert weighed == CARTClassifier(prune=way(HELD)).fit(X, LABEL, weight).tree_
    assert weighed != CARTClassifier(prune=way(HELD)).fit(X, LABEL).tree_


@by_each
def test_held_out_rows_cost_what_the_loss_says_and_no_more(way):
    loss = np.array([[0, 1, 9], [2, 0, 1], [4, 3, 0]])
    pruned = CARTClassifier(loss=loss, prune=way(HELD)).fit(X, LABEL).tree_
    full = pruned.pruned_from
    assert pruned == BY_HELD_OUT[way](full, X.iloc[HELD], LABEL[HELD]) != full
    predicted = pruned.label[pruned.apply(X.iloc[HELD])]
    mean = loss[LABEL[HELD], predicted].mean()
    last = pruned.steps.iloc[-1]
    took = last["cut"] == (way is ReducedError)
    end = last["mean_cost_if_cut" if way is ReducedError else "mean_cost_if_split"]
    assert (end if took else last["mean_cost"]) == pytest.approx(mean)


def test_priors_weigh_held_out_rows():
    prior = np.array([0.2, 0.3, 0.5])
    weight = (prior / np.bincount(LABEL))[LABEL] * 120
    pruned = CARTClassifier(class_weight=Prior(prior), prune=ReducedError(HELD)).fit(X, LABEL).tree_
    full = pruned.pruned_from
    assert pruned == reduced_error(full, X.iloc[HELD], LABEL[HELD], weight[HELD])
    assert pruned.steps["n"].max() == pytest.approx(weight[HELD].sum())


def test_cp_cuts_first():
    for way, by in BY_HELD_OUT.items():
        est = CARTClassifier(prune=way(HELD, cp=0.05)).fit(X, LABEL)
        full = CARTClassifier().fit(X.iloc[GROWN], LABEL[GROWN]).tree_
        first = best_subtree(full, 0.05 * risk(full)[0])
        assert est.tree_.pruned_from == first != full
        assert est.tree_ == by(first, X.iloc[HELD], LABEL[HELD])


def test_a_row_of_weight_two_is_the_row_twice_in_both_parts():
    times = np.arange(120) % 3
    often = np.repeat(np.arange(120), times)
    mask = np.arange(120) % 5 == 2
    for est, y in ((CARTClassifier(), LABEL), (CARTRegressor(), NUMBER)):
        for way in BY_HELD_OUT:
            weighed = like(est, prune=way(mask)).fit(X, y, times).tree_
            repeated = like(est, prune=way(mask[often])).fit(X.iloc[often], y[often]).tree_
            assert weighed.feature.tolist() == repeated.feature.tolist()
            np.testing.assert_allclose(weighed.summary, repeated.summary)


def test_the_draw_is_decided_by_the_seed():
    for est, y in ((CARTClassifier(), LABEL), (CARTRegressor(max_features=1), NUMBER)):
        one, two = (like(est, prune="pre", random_state=1).fit(X, y).tree_ for _ in range(2))
        assert one == two
        other = like(est, prune="pre", random_state=2).fit(X, y).tree_
        assert other.pruned_from != one.pruned_from


def test_an_array_and_a_frame_are_pruned_alike():
    numbers = X[["p", "q"]]
    for way in BY_HELD_OUT:
        frame = CARTRegressor(prune=way(0.4), random_state=0).fit(numbers, NUMBER)
        array = CARTRegressor(prune=way(0.4), random_state=0).fit(numbers.to_numpy(), NUMBER)
        assert (frame.predict(numbers) == array.predict(numbers.to_numpy())).all()
        assert frame.tree_.n_leaves == array.tree_.n_leaves < array.tree_.pruned_from.n_leaves


def test_pruned_numbers_cost_less_on_the_rows_held_out():
    est = CARTRegressor(prune=ReducedError(held_out=HELD)).fit(X, NUMBER)
    apart = (NUMBER[HELD] - est.predict(X.iloc[HELD])) ** 2
    full = hold_out(est.tree_.pruned_from, X.iloc[HELD], NUMBER[HELD]).staying.sum()
    assert apart.sum() < full


def test_both_ways_to_say_how_far_are_refused():
    with pytest.raises(ValueError, match=r"ccp_alpha is 0\.1 and prune is 'pre': both say how far to prune"):
        CARTClassifier(prune="pre", ccp_alpha=0.1).fit(X, LABEL)


# A row of weight 2 is drawn as one row, so that it is on one side; two rows may be on both.
DRAWN = {"check_sample_weight_equivalence_on_dense_data": "rows are drawn, not weights"}


@pytest.mark.long
@parametrize_with_checks(
    [
        make(prune=prune, random_state=0, **more)
        for make, more in ((CARTClassifier, {}), (CARTRegressor, {"missing": "majority"}))
        for prune in ("reduced_error", "pre")
    ],
    expected_failed_checks=lambda estimator: DRAWN,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
