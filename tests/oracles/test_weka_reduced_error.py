"""Reduced-error pruning against Weka's J48 with -R: the same rows grow, the same rows held out prune.

Weka lowers thresholds to numbers of all rows, also of those held out; a tie is cut. The preset does both.
"""

import gzip
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_wine

from dtlib import C45Classifier
from dtlib.prune import ReducedError, reduced_error
from dtlib.tree.splits import Threshold

HERE = Path(__file__).parent
RUNS = json.loads(gzip.decompress((HERE / "weka36_reduced_error.json.gz").read_bytes()))["runs"]
LOADERS = {"wine": load_wine, "breast_cancer": load_breast_cancer}


def load(dataset):
    if dataset in LOADERS:
        frame = LOADERS[dataset](as_frame=True).frame
        return frame.iloc[:, :-1], "c" + frame.iloc[:, -1].astype(str)
    path = HERE / "data" / f"{dataset}.csv"
    frame = pd.read_csv(path, na_values="?", keep_default_na=False, dtype={"windy": str})
    return frame.iloc[:, :-1], frame.iloc[:, -1]


def condition(feature, sign, value):
    return feature, sign, value if sign == "=" else round(float(value), 6)


def theirs(text):
    """Read the indented text: each leaf by its path, with class, weight and errors."""
    found, path = {}, []
    for line in text.splitlines():
        depth = line.count("|   ")
        asked, _, leaf = line.replace("|   ", "").partition(": ")
        asked, path = asked.strip(), path[:depth]
        if asked:
            path.append(condition(*re.fullmatch(r"(.+) (=|<=|>) (.+)", asked).groups()))
        if leaf:
            label, n, errors = re.fullmatch(r"(.+) \(([\d.]+)(?:/([\d.]+))?\)", leaf).groups()
            found[tuple(path)] = label, float(n), float(errors or 0)
    return found


def ours(tree):
    found = {}
    for leaf in tree:
        if leaf.is_leaf:
            path = []
            for i in (*leaf.ancestors, leaf.id)[1:]:
                split, place = tree[i].parent.split, i - int(tree.first_child[tree.parent[i]])
                sign = ("<=", ">")[place] if isinstance(split, Threshold) else "="
                value = split.threshold if isinstance(split, Threshold) else split.branches[place]
                path.append(condition(split.feature, sign, value))
            found[tuple(path)] = leaf.prediction, leaf.n, leaf.n - leaf.counts.max()
    return found


def assert_same(tree, text):
    tree, weka = ours(tree), theirs(text)
    assert tree.keys() == weka.keys()
    for path, (label, *weights) in tree.items():
        assert label == weka[path][0]
        assert weights == pytest.approx(weka[path][1:], abs=0.006)


# Version 3.6.14 lowers a threshold to a number that is up to 1e-6 above it, later versions do not. In these
# runs that shows: one midpoint is 9e-16 below 5.7, another one 5e-7 below 0.001706, both numbers of the data.
TOLERANT = {("iris_missing", 10), ("breast_cancer", 5)}


def at_numbers_of(X, tree):
    """Lower each threshold to the largest number of these rows that is not above it by more than 1e-6."""
    threshold = tree.threshold.copy()
    for i in np.flatnonzero(~np.isnan(threshold)):
        x = np.unique(X[tree[int(i)].feature].dropna())
        threshold[i] = x[np.searchsorted(x, threshold[i] + 1e-6, side="right") - 1]
    return replace(tree, threshold=threshold)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: f"{run['dataset']} 1/{run['folds']}")
def test_the_pruned_tree_of_j48(run):
    X, y = load(run["dataset"])
    grown, held = run["grown"], run["held"]
    assert sorted(grown + held) == list(range(len(X)))
    tree = C45Classifier.j48(prune=ReducedError(held, ties="cut")).fit(X, y).tree_
    full = tree.pruned_from
    if (run["dataset"], run["folds"]) in TOLERANT:
        midpoints = C45Classifier.j48(prune=ReducedError(held), threshold="midpoint").fit(X, y).tree_
        full = at_numbers_of(X, midpoints.pruned_from)
        tree = reduced_error(full, X.iloc[held], y.iloc[held], ties="cut")
    assert_same(full, run["full"])
    assert_same(tree, run["pruned"])


def test_most_runs_prune_something_and_not_all():
    sizes = [(len(theirs(run["pruned"])), len(theirs(run["full"]))) for run in RUNS]
    assert sum(1 < pruned < full for pruned, full in sizes) > len(RUNS) / 2
