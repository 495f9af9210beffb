"""Of equal classes, the presets of rpart and J48 predict the first that a categorical y declares."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dtlib import C45Classifier, CARTClassifier

FILE = Path(__file__).with_name("tied_classes.json.gz")
RUNS = json.loads(gzip.decompress(FILE.read_bytes()))["runs"]
PRESETS = {
    "rpart": CARTClassifier.rpart(min_samples_split=4, min_samples_leaf=2, cp=0, max_depth=2),
    "j48": C45Classifier.j48(prune=None),
}


def fitted(program, run):
    """Return the preset of a program, grown of a recorded table, and the columns."""
    X = pd.DataFrame(run["rows"]).astype({name: float for name in run["rows"] if name != "y"})
    y = pd.Series(pd.Categorical(X.pop("y"), run["classes"]))
    return PRESETS[program].fit(X, y), X


@pytest.mark.parametrize("program", PRESETS)
@pytest.mark.parametrize("run", RUNS, ids=range(len(RUNS)))
def test_each_row_gets_the_class_that_the_program_predicts(program, run) -> None:
    model, X = fitted(program, run)
    assert model.predict(X).tolist() == run[program]


@pytest.mark.parametrize("program", PRESETS)
def test_shares_stand_in_the_order_of_classes_and_a_tie_shows(program) -> None:
    differ = 0
    for run in RUNS:
        model, X = fitted(program, run)
        assert model.classes_.tolist() == sorted(run["classes"])
        shares, said = model.predict_proba(X), model.predict(X)
        place = np.searchsorted(model.classes_, said)
        assert (shares[range(len(X)), place] == shares.max(1)).all()
        differ += (place != shares.argmax(1)).any()
    assert differ >= 15  # so many tables tell the declared order from the alphabet's
