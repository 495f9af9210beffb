"""Whole ID3 trees and class distributions, against Weka's Id3."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dtlib import ID3Classifier

HERE = Path(__file__).parent
RUNS = json.loads((HERE / "weka36_id3.json").read_text())["runs"]
FILES = {"weather-nominal": "weather.nominal", "contact-lenses": "contact-lenses", "loan": "loan_ascii"}


def load(dataset):
    frame = pd.read_csv(HERE / "data" / f"{FILES[dataset]}.csv", dtype=str)
    return frame.iloc[:, :-1], frame.iloc[:, -1]


def weka_rules(text):
    """Read Weka's indented text as a set of (path, class); 'null' is a branch that no row takes."""
    rules, path = set(), []
    for line in text.splitlines()[3:]:
        depth = line.count("|  ")
        condition, _, label = line[3 * depth :].partition(": ")
        path = [*path[:depth], condition]
        if label:
            rules.add((tuple(path), label))
    return rules


@pytest.mark.parametrize("run", RUNS, ids=[run["dataset"] for run in RUNS])
def test_same_tree(run):
    X, y = load(run["dataset"])
    tree = ID3Classifier().fit(X, y).tree_
    ours = {(tuple(leaf.path), "null" if leaf.n == 0 else leaf.prediction) for leaf in tree if leaf.is_leaf}
    assert ours == weka_rules(run["text"])


@pytest.mark.parametrize("run", RUNS, ids=[run["dataset"] for run in RUNS])
def test_same_distributions(run):
    X, y = load(run["dataset"])
    id3 = ID3Classifier().fit(X, y)
    order = [list(id3.classes_).index(label) for label in run["classes"]]
    np.testing.assert_allclose(id3.predict_proba(X)[:, order], run["dist"], atol=1e-12)
    assert (id3.predict(X) != y).sum() == run["train_errors"]
