"""Every nominal and numeric candidate of a root, against tables computed by brute force."""

import gzip
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dtlib import CARTClassifier, ID3Classifier, measures
from dtlib.counting.tables import contingency
from dtlib.tree.splits import Subset

HERE = Path(__file__).parent
EXACT = {"rel": 1e-12, "abs": 1e-12}
with gzip.open(HERE / "root_gain_tables.json.gz", "rt") as file:
    RUNS = {run["dataset"]: run for run in json.load(file)["runs"]}
CASES = [
    (name, row["feature"])
    for name, run in RUNS.items()
    if (HERE / "data" / f"{name}.csv").exists()
    for row in run["features"]
]


def candidate(dataset, feature):
    run = RUNS[dataset]
    frame = pd.read_csv(HERE / "data" / f"{dataset}.csv", na_values="?", dtype={"windy": str})
    target = frame.columns[-1]
    row = next(row for row in run["features"] if row["feature"] == feature)
    return run, row, frame, target


def test_all_data_sets_but_one_are_covered():
    assert {name for name, _ in CASES} == set(RUNS) - {"glass"}
    assert len(CASES) == 36


@pytest.mark.parametrize(("dataset", "feature"), CASES)
def test_root(dataset, feature):
    run, row, frame, target = candidate(dataset, feature)
    counts = pd.Series(run["class_counts"])
    assert measures.entropy(counts) == pytest.approx(run["entropy"], **EXACT)
    assert measures.gini(counts) == pytest.approx(run["gini"], **EXACT)
    if row["type"] == "categorical":
        compare_nominal(row, contingency(frame, feature, target), len(frame))
    else:
        compare_numeric(row, frame, feature, target)


def compare_nominal(row, table, n):
    known = table.to_numpy().sum() / n
    assert known == pytest.approx(row["known_fraction"], **EXACT)
    gain = measures.information_gain(table)
    assert measures.entropy(table.sum()) == pytest.approx(row["entropy_before"], **EXACT)
    assert gain == pytest.approx(row["info_gain_known"], **EXACT)
    assert gain * known == pytest.approx(row["info_gain_c45"], **EXACT)
    assert measures.split_information(table) == pytest.approx(row["split_info_known_only"], **EXACT)
    with_missing = measures.entropy([*table.sum(axis=1), n - table.to_numpy().sum()])
    assert with_missing == pytest.approx(row["split_info"], **EXACT)
    assert gain * known / with_missing == pytest.approx(row["gain_ratio_c45"], **EXACT)
    if known == 1:
        assert measures.gain_ratio(table) == pytest.approx(row["gain_ratio_c45"], **EXACT)
    assert measures.conditional_gini(table) == pytest.approx(row["gini_multiway"], **EXACT)
    for i, value in enumerate(table.index):
        assert measures.gini_split(table, i) == pytest.approx(row["gini_one_vs_rest"][str(value)], **EXACT)


def compare_numeric(row, frame, feature, target):
    values = np.unique(frame[feature])
    cuts = (values[1:] + values[:-1]) / 2
    assert len(cuts) == row["n_candidates"]
    gains = {}
    for t in cuts:
        sides = frame.assign(side=np.where(frame[feature] <= t, "low", "high"))
        table = contingency(sides, "side", target)
        gains[t] = table, measures.information_gain(table), measures.conditional_gini(table)
    best = max(gain for _, gain, _ in gains.values())
    assert best == pytest.approx(row["best_info_gain"], **EXACT)
    assert min(gini for _, _, gini in gains.values()) == pytest.approx(row["best_gini"], **EXACT)
    assert [t for t, (_, gain, _) in gains.items() if np.isclose(gain, best, rtol=1e-12)] == pytest.approx(
        row["best_info_gain_thresholds"]
    )
    for wanted, (t, (table, gain, gini)) in zip(row["candidates"], gains.items(), strict=True):
        assert t == pytest.approx(wanted["threshold"])
        assert gain == pytest.approx(wanted["info_gain"], **EXACT)
        assert gini == pytest.approx(wanted["gini"], **EXACT)
        assert measures.split_information(table) == pytest.approx(wanted["split_info"], **EXACT)


# The same through the candidates that a grown tree lists


def known_rows(dataset, feature):
    """Return the row of the table, and the feature and the class where the feature is known."""
    _, row, frame, target = candidate(dataset, feature)
    frame = frame[[feature, target]].dropna()
    return row, frame[[feature]], frame[target]


NOMINAL = [case for case in CASES if known_rows(*case)[0]["type"] == "categorical"]
NUMERIC = [case for case in CASES if case not in NOMINAL]


@pytest.mark.parametrize(("dataset", "feature"), NOMINAL)
def test_explained_branches(dataset, feature):
    row, X, y = known_rows(dataset, feature)
    line = ID3Classifier().fit(X, y).tree_.explain(0).iloc[0]
    assert line["gain"] == pytest.approx(row["info_gain_known"], **EXACT)
    assert line["impurity"] == pytest.approx(row["entropy_before"] - row["info_gain_known"], **EXACT)
    assert line["split_information"] == pytest.approx(row["split_info_known_only"], **EXACT)
    ratio = row["info_gain_known"] / row["split_info_known_only"]
    assert line["gain_ratio"] == pytest.approx(ratio, **EXACT)


@pytest.mark.parametrize(("dataset", "feature"), NOMINAL)
def test_explained_groups(dataset, feature):
    row, X, y = known_rows(dataset, feature)
    names = X[feature].unique()
    apart = CARTClassifier(nominal="one_vs_rest").fit(X, y).tree_.explain(0, feature)
    twice = 2 if len(names) == 2 else 1  # one of two names against the other: the same split for both
    for name, split in zip(sorted(names), [*apart["impurity"]] * twice, strict=True):
        assert split == pytest.approx(row["gini_one_vs_rest"][str(name)], **EXACT)
    tree = CARTClassifier().fit(X, y).tree_
    groups = tree.explain(0, feature)
    assert len(groups) == 2 ** (len(names) - 1) - 1
    assert groups["impurity"].min() == pytest.approx(row["gini_best_subset"], **EXACT)
    best = [set(group) for group in row["gini_best_subset_sets"]]
    split = tree.root.split
    left = set(split.groups[0] if isinstance(split, Subset) else split.values[:1])
    assert left in best or set(names) - left in best
    assert tree.explain(0)["impurity"][0] == pytest.approx(row["gini_best_subset"], **EXACT)


@pytest.mark.parametrize(("dataset", "feature"), NUMERIC)
def test_explained_cuts(dataset, feature):
    row, X, y = known_rows(dataset, feature)
    bits = CARTClassifier(criterion="entropy").fit(X, y).tree_
    gini = CARTClassifier().fit(X, y).tree_
    for wanted, one, other in zip(
        row["candidates"],
        bits.explain(0, feature).to_dict("records"),
        gini.explain(0, feature).to_dict("records"),
        strict=True,
    ):
        assert one["split"] == other["split"] == f"{feature} ≤ {wanted['threshold']:.10g}?"
        assert one["gain"] == pytest.approx(wanted["info_gain"], **EXACT)
        assert one["split_information"] == pytest.approx(wanted["split_info"], **EXACT)
        assert other["impurity"] == pytest.approx(wanted["gini"], **EXACT)
    for tree, what in ((bits, "info_gain"), (gini, "gini")):
        assert tree.threshold[0] == pytest.approx(row[f"best_{what}_thresholds"][0], **EXACT)
    assert bits.gain[0] == pytest.approx(row["best_info_gain"], **EXACT)
    assert gini.impurity[0] - gini.gain[0] == pytest.approx(row["best_gini"], **EXACT)


def test_the_whole_table_of_a_root_is_explained():
    for dataset, run in RUNS.items():
        if dataset not in ("loan_ascii", "weather.nominal", "contact-lenses", "weather.numeric", "iris"):
            continue
        frame = candidate(dataset, run["features"][0]["feature"])[2]
        tree = (
            CARTClassifier(criterion="entropy", nominal="subset")
            .fit(frame.iloc[:, :-1], frame.iloc[:, -1])
            .tree_
        )
        table = tree.explain(0).set_index("feature")
        assert list(table.index) == [row["feature"] for row in run["features"]]
        for row in run["features"]:
            if row["type"] == "numeric":
                assert table["gain"][row["feature"]] == pytest.approx(row["best_info_gain"], **EXACT)
        assert table["chosen"].sum() == 1
        assert table["gain"].max() == pytest.approx(table["gain"][table["chosen"]].item(), **EXACT)
