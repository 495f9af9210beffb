"""What a branch must weigh is heeded where rounding decides between equal splits, too."""

import numpy as np
import pandas as pd
import pytest

from dtlib import CARTClassifier, CARTRegressor
from dtlib.dialects import CARTDialect

KINDS = ["numbers", "names"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("classes", [2, 3, None])
def test_each_leaf_weighs_what_is_asked(kind, classes):
    rng, split = np.random.default_rng(4), 0
    for _ in range(40):
        n = int(rng.integers(6, 25))
        table = rng.integers(0, 4, (n, 2))
        X = pd.DataFrame(np.array(list("abcd"))[table] if kind == "names" else table, columns=["u", "v"])
        w = rng.choice([0.01, 0.5, 1.0, 20.0], n)
        settings = {"dialect": CARTDialect(ties="rounding"), "min_weight_fraction_leaf": 0.2}
        model = (CARTRegressor if classes is None else CARTClassifier)(**settings)
        y = rng.standard_normal(n).round() if classes is None else rng.integers(0, classes, n)
        tree = model.fit(X, y, w).tree_
        split += tree.node_count > 1
        if tree.node_count > 1:
            assert tree.n[tree.feature < 0].min() >= 0.2 * w.sum() * (1 - 1e-9)
    assert split > 20
