"""Every nominal and numeric candidate of a root, against tables computed by brute force."""

import gzip
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dtlib import measures
from dtlib.counts import contingency

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
    if known == 1:
        assert measures.gain_ratio(table) == pytest.approx(row["gain_ratio_c45"], **EXACT)
    assert measures.gini_index(table) == pytest.approx(row["gini_multiway"], **EXACT)
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
        gains[t] = table, measures.information_gain(table), measures.gini_index(table)
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
