"""The best two groups of many categories against rpart, which tries all of them for more than two classes."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dtlib import CARTClassifier, measures

RUNS = json.loads((Path(__file__).parent / "rpart_two_groups.json").read_text())["runs"]
NATS = np.log(2)  # in a bit
NAMES = [f"{run['split']}, {len(set(run['categories']))} of {len(run['categories'])}" for run in RUNS]


@pytest.mark.parametrize("run", RUNS, ids=NAMES)
def test_the_same_groups_or_others_that_are_as_good(run):
    X, y = pd.DataFrame({"x": list(run["categories"])}), np.array(list(run["classes"]))
    is_gini = run["split"] == "gini"
    tree = CARTClassifier(criterion="gini" if is_gini else "entropy", max_depth=1).fit(X, y).tree_
    improve = tree.gain[0] * len(y) * (1 if is_gini else NATS)
    assert improve == pytest.approx(run["improve"], rel=1e-8)
    parts = [y[X["x"].isin(list(run["group"])) == side] for side in (True, False)]
    table = [[np.count_nonzero(part == k) for k in tree.classes] for part in parts]
    gain = measures.impurity_decrease(table, measures.gini if is_gini else measures.entropy)
    assert tree.gain[0] == pytest.approx(gain, rel=1e-10)
    assert tree.heuristic_features == ()


def test_there_are_many_categories_and_more_than_two_classes():
    assert {len(set(run["categories"])) for run in RUNS} == {11, 12, 13, 14}
    assert min(len(set(run["classes"])) for run in RUNS) > 2
    assert len(RUNS) == 48
