"""Why a row has its answer, against all rows of a grid: every value on either side of every threshold."""

from itertools import combinations, product

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtlib.telling.hitting_sets import smallest_hitting_set
from tests.drawn import examples

ORDER = list("SML")
POLICIES = ("error", "stay", "majority", "fractional", "surrogate", "learned")
LIKE_SKLEARN = CARTClassifier.sklearn


@st.composite
def grown(draw):
    """Draw an estimator, fitted to a small table, and another row of that kind."""
    seed, n = draw(st.integers(0, 10**6)), draw(st.integers(4, 24))
    rng = np.random.default_rng(seed)
    kinds = [
        ID3Classifier,
        C45Classifier,
        C45Classifier.release8,
        CARTClassifier,
        CARTRegressor,
        LIKE_SKLEARN,
    ]
    make = draw(st.sampled_from(kinds))
    missing = draw(st.sampled_from(POLICIES)) if make in (CARTClassifier, CARTRegressor) else "error"
    options = {} if missing == "error" else {"missing": missing}
    if make in (C45Classifier, C45Classifier.release8):
        missing, options = "fractional", {"prune": None}
    if make is CARTClassifier:
        options["nominal"] = draw(st.sampled_from(["subset", "ordered", "one_vs_rest"]))
    columns = {ID3Classifier: ["a", "o", "b"], LIKE_SKLEARN: ["p", "q"]}.get(make, ["p", "q", "a", "o"])
    share = 0.0 if missing == "error" else 0.2
    X, y = table(rng, n, share)[columns], rng.integers(0, 3, n)
    model = make(**options).fit(X, y if make is not CARTRegressor else y.astype(float))
    return model, table(rng, 1, share, draw(st.sampled_from(["uv", "uvwz"])))[columns]


def table(rng, n, share, letters="uvw"):
    """Return rows with numbers and categories, this share of the cells missing."""
    frame = pd.DataFrame(
        {
            "p": rng.integers(0, 4, n).astype(float),
            "q": rng.integers(0, 3, n) / 4,
            "a": pd.Series(rng.choice(list(letters), n), dtype=object),
            "o": rng.choice(ORDER, n),
            "b": pd.Series(rng.choice(["x", "y"], n), dtype=object),
        }
    )
    frame = frame.where(rng.random(frame.shape) >= share)
    frame["o"] = pd.Categorical(frame["o"], categories=ORDER, ordered=True)
    return frame


def values_of(model, name, own):
    """Return the row's value of a feature, and values that stand for all others, None for a missing one."""
    tree = model.tree_
    f = [feature.name for feature in tree.features].index(name)
    missing = [None] * (tree.missing != "error")
    if tree.features[f].values:
        return list(dict.fromkeys([own, *tree.features[f].values, *missing]))
    found = {own, 0.0} - {None}
    own_thresholds = [tree.threshold[tree.feature == f]]
    if tree.surrogates is not None:
        own_thresholds.append(tree.surrogates.threshold[tree.surrogates.feature == f])
    for t in np.concatenate(own_thresholds).tolist():
        if tree.single:
            single = np.float32(t)
            found |= {float(single), *(float(np.nextafter(single, np.float32(end))) for end in (9, -9))}
        else:
            found |= {t, np.nextafter(t, 9)}
    return sorted(x for x in found if abs(x) < 1e30) + list(dict.fromkeys([*missing, *[own] * (own is None)]))


def grid(model, row):
    """Return the row, all rows of the grid, and the answer for each of these."""
    own = {name: None if pd.isna(x) else x for name, x in row.iloc[0].items()}
    cells = list(product(*(values_of(model, name, x) for name, x in own.items())))
    frame = pd.DataFrame(cells, columns=row.columns).astype(
        {name: "float" if name in "pq" else object for name in row.columns}
    )
    if "o" in frame:
        frame["o"] = pd.Categorical(frame["o"], categories=ORDER, ordered=True)
    return own, cells, model.predict(frame).tolist()


def path_first(model, row):
    """Return the positions of the features, those that are tested on the path before the others."""
    visited = model.decision_path(row).indices
    tested = [model.tree_.feature[node] for node in sorted(visited) if model.tree_.feature[node] >= 0]
    return list(dict.fromkeys([*map(int, tested), *range(row.shape[1])]))


def differing(own, cell):
    """Return the positions at which a row of the grid differs from the row."""
    return tuple(f for f, (x, other) in enumerate(zip(own.values(), cell, strict=True)) if x != other)


def distance(model, name, x, other):
    """Return how far a value is from that of the row, as `Distance`."""
    if other is None:
        return True, 0.0
    if x is None or model.tree_.features[list(model.feature_names_in_).index(name)].kind == "nominal":
        return False, 0.0
    return False, float(abs(ORDER.index(x) - ORDER.index(other)) if name == "o" else abs(x - other))


def fulfils(change, row):
    """Tell whether a row fulfils the conditions of a change."""
    for condition in change.split(" and "):
        if condition.endswith((" is missing", " is known")):
            name, _, which = condition.split(" ")
            if (row[name] is None) != (which == "missing"):
                return False
            continue
        name, sign, value = condition.split(" ", 2)
        x = row[name]
        if x is None:
            return False
        if sign in ("≤", ">"):
            x, limit = (ORDER.index(x), ORDER.index(value)) if name == "o" else (x, float(value))
            met = x <= limit if sign == "≤" else x > limit
        else:
            met = x in value.strip("{}").split(", ")
        if not met:
            return False
    return True


@examples(150)
@given(grown())
def test_the_sufficient_values_are_the_first_of_the_smallest_sets_by_a_search_of_all(drawn):
    model, row = drawn
    own, cells, answers = grid(model, row)
    answer = model.predict(row)[0]
    others = [differing(own, cell) for cell, found in zip(cells, answers, strict=True) if found != answer]
    order = path_first(model, row)
    every = [some for k in range(len(own) + 1) for some in combinations(order, k)]
    first = next(some for some in every if all(not set(some).isdisjoint(other) for other in others))
    why = model.explain(row).why
    assert list(why.sufficient) == [list(own)[f] for f in sorted(first)]
    assert why.is_smallest
    assert why.prediction == answer
    if "an unseen category" not in why.sufficient.values():
        assert why.sufficient == {name: own[name] for name in why.sufficient}


@examples(150)
@given(grown())
def test_the_changes_are_those_of_a_search_of_all(drawn):
    """As near as any, none left out, and whatever fulfils the conditions has the answer."""
    model, row = drawn
    own, cells, answers = grid(model, row)
    names, answer = list(own), model.predict(row)[0]
    turned = [
        (differing(own, cell), cell, found)
        for cell, found in zip(cells, answers, strict=True)
        if found != answer
    ]
    size = min((len(where) for where, _, _ in turned), default=0)
    turned = [line for line in turned if len(line[0]) == size] if size <= 2 else []
    told = model.explain(row).why.changes
    assert {tuple(values) for values in told["values"]} == {
        tuple(names[f] for f in where) for where, _, _ in turned
    }
    for change, prediction, values in told.itertuples(index=False):
        where = tuple(names.index(name) for name in values)
        after = list({**own, **values}.values())
        assert fulfils(change, dict(zip(names, after, strict=True)))
        own_distance = [distance(model, names[f], own[names[f]], after[f]) for f in where]
        for other, cell, found in turned:
            in_cell = [distance(model, names[f], own[names[f]], cell[f]) for f in where]
            assert other != where or not all(
                a < b for a, b in zip(in_cell, nearly(own_distance), strict=True)
            )
            if other == where and fulfils(change, dict(zip(names, cell, strict=True))):
                assert found == prediction
    for where, cell, found in turned:  # each is told, or a nearer one is
        in_cell = [distance(model, names[f], own[names[f]], cell[f]) for f in where]
        assert any(
            (fulfils(change, dict(zip(names, cell, strict=True))) and prediction == found)
            or all(a <= b for a, b in zip(distances(model, own, values), in_cell, strict=True))
            for change, prediction, values in told.itertuples(index=False)
            if tuple(names.index(name) for name in values) == where
        )


def nearly(distances):
    """Return distances less what a float at a threshold may be off."""
    return [(becomes, amount - 1e-6) for becomes, amount in distances]


def distances(model, own, values):
    """Return how far a change takes each value."""
    return [distance(model, name, own[name], x) for name, x in values.items()]


@examples(200)
@given(st.lists(st.frozensets(st.integers(0, 6), min_size=1), max_size=9), st.sampled_from([0, 3, 10**5]))
def test_a_smallest_hitting_set_is_that_of_a_search_of_all(sets, steps):
    found, is_smallest = smallest_hitting_set(sets, steps)
    every = [set(some) for k in range(8) for some in combinations(range(7), k)]
    hitting = [some for some in every if all(some & one for one in sets)]
    assert set(found) in hitting
    assert not any(some < found for some in hitting)
    if is_smallest:
        assert set(found) == hitting[0]
    assert is_smallest or steps < 10**5
