"""Where a row ends, by a plain walk: one row, one node, one question at a time, in every way of missing.

The library sends all rows down together, level by level; here each goes alone, by what a node says of itself.
"""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtlib.tree.node import surrogate_split
from dtlib.tree.splits import Threshold
from tests.drawn import examples

ORDER = list("SML")
MISSING_POLICIES = ("stay", "majority", "fractional", "surrogate")


@st.composite
def grown(draw):
    """Draw an estimator of any kind, fitted to rows with holes, and other rows to send down its tree."""
    n, seed = draw(st.integers(6, 40)), draw(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    make = draw(
        st.sampled_from([CARTClassifier, CARTRegressor, CARTClassifier.rpart, C45Classifier, ID3Classifier])
    )
    X, y = table(rng, n, 0.0 if make is ID3Classifier else 0.2), rng.integers(0, 3, n)
    if make is ID3Classifier:
        return make().fit(X[["a", "o"]], y), table(rng, 12, 0.0, "uvwz")[["a", "o"]]
    if make is C45Classifier:
        return make(missing=draw(st.sampled_from(["fractional", "majority"])), prune=None).fit(X, y), table(
            rng, 12, 0.4
        )
    options = {"missing": draw(st.sampled_from(MISSING_POLICIES))}
    if make == CARTClassifier.rpart:
        options |= {"min_samples_split": 2, "min_samples_leaf": 1, "cp": -1}
    return make(**options).fit(X, y, rng.integers(1, 4, n).astype(float)), table(rng, 12, 0.4, "uvwz")


def table(rng, n, share, letters="uvw"):
    """Return rows with two columns of numbers and two of names, this share of the cells missing."""
    frame = pd.DataFrame(
        {
            "p": rng.integers(0, 5, n).astype(float),
            "q": rng.normal(size=n).round(1),
            "a": pd.Series(rng.choice(list(letters), n), dtype=object),
            "o": rng.choice(ORDER, n),
        }
    )
    frame = frame.where(rng.random(frame.shape) >= share)
    frame["o"] = pd.Categorical(frame["o"], categories=ORDER, ordered=True)
    return frame


def branch_of(split, x):
    """Return the branch that a value takes; None if the value is missing, "unknown" if it has none."""
    if x is None or (isinstance(x, float) and np.isnan(x)):
        return None
    if isinstance(split, Threshold):
        place = split.values.index(x) if split.values else x
        return int(place > split.threshold) ^ split.is_reversed
    return next((k for k, names in enumerate(split.groups) if x in names), "unknown")


def ends_of_row(node, row):
    """Yield the nodes where a row ends, with the part of it that does."""
    if node.is_leaf:
        yield node, 1.0
        return
    tree = node.tree
    branch = branch_of(node.split, row[node.feature])
    if branch == "unknown":
        branch = None if tree.unseen == "missing" else "here"
    if branch is None:
        branch = stand_in(node, row) if tree.missing == "surrogate" else "here"
        if tree.missing == "majority":
            branch = np.argmax([child.n for child in node.children])
        if tree.missing == "fractional":
            for child in node.children:
                for end, part in ends_of_row(child, row) if child.n else ():
                    yield end, part * child.n / sum(other.n for other in node.children)
            return
    if branch == "here":
        yield node, 1.0
    else:
        yield from ends_of_row(node.children[branch], row)


def stand_in(node, row):
    """Return where the first surrogate sends a row that it knows, else where most go, else nowhere."""
    surrogates = node.tree._active_surrogates
    for place in surrogates.at(node.id):
        split = surrogate_split(node.tree, place)
        branch = branch_of(split, row[split.feature])
        if branch not in (None, "unknown"):
            return branch
    default = int(surrogates.default[node.id])
    return "here" if default < 0 else default


@examples(40)
@given(grown())
def test_each_row_ends_where_a_walk_from_node_to_node_leads(drawn):
    est, X = drawn
    tree = est.tree_
    found, path = est.apply(X), est.decision_path(X).toarray()
    value = est.predict_proba(X) if tree.is_classifier else est.predict(X)[:, None]
    rows = X.astype(object).where(X.notna(), None).to_dict("records")
    for k, row in enumerate(rows):
        ends = list(ends_of_row(tree.root, row))
        np.testing.assert_allclose(sum(part for _, part in ends), 1)
        np.testing.assert_allclose(sum(part * tree.value[end.id] for end, part in ends), value[k], atol=1e-12)
        if len(ends) == 1 and tree.missing != "fractional":
            ((end, _),) = ends
            assert found[k] == end.id
            assert np.flatnonzero(path[k]).tolist() == sorted([*end.ancestors, end.id])
