"""What rpart and J48 say of held-out rows, against our trees of the same names (chapter 23)."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from dtlib import C45Classifier, CARTClassifier
from tests.oracles.side_by_side import folds_of, tables

RUNS = json.loads(gzip.decompress((Path(__file__).parent / "side_by_side.json.gz").read_bytes()))
TABLES = tables()
OURS = {"rpart": CARTClassifier.rpart, "j48": C45Classifier.j48}


def said_by(make, X, y, fold):
    """Return the leaves of each tree, and what is said of each row in each repetition, as class numbers."""
    classes, leaves, said = sorted(set(y)), [], np.full(fold.shape, -1)
    for r, out in np.ndindex(fold.shape[1], int(fold.to_numpy().max()) + 1):
        held = fold.iloc[:, r].to_numpy() == out
        tree = make().fit(X[~held], y[~held])
        leaves.append(tree.get_n_leaves())
        said[held, r] = [classes.index(label) for label in tree.predict(X[held])]
    return leaves, said.T


@pytest.mark.parametrize("name", TABLES)
def test_folds_are_those_recorded(name):
    assert folds_of(TABLES[name][1]).T.to_numpy().tolist() == RUNS[name]["folds"]


@pytest.mark.parametrize("program", OURS)
@pytest.mark.parametrize("name", TABLES)
def test_answers_and_leaves(name, program):
    X, y = TABLES[name]
    leaves, said = said_by(OURS[program], X, y, folds_of(y))
    assert leaves == RUNS[name][program]["leaves"]
    assert np.array_equal(said, RUNS[name][program]["said"])
