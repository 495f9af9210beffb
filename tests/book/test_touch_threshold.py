"""The widget *drag the threshold* holds the numbers that the chapters print, and those of the measures."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from touchable.threshold import TABLES, data, tables_of_cuts

from dtlib import C45Classifier, CARTClassifier
from dtlib.datasets import load_watermelon
from dtlib.measures import gain_ratio, impurity_decrease, information_gain, split_information
from dtlib.measures import gini as gini_of
from tests.book.notebooks import CHAPTERS, load

TAG = "touch:threshold:"
CUT = re.compile(r"≤ ([\d.]+): (\d\.\d{3}) bits( \(chosen\))?(, boundary)?")  # as a picture says it
LINE = re.compile(
    r"≤ ([\d.]+)\?\s+yes: no (\d+), yes (\d+); no: no (\d+), yes (\d+)\s+(\d\.\d+)"
)  # as `explain`
TAGGED = [
    (tag.removeprefix(TAG), cell.shown)
    for path in CHAPTERS
    for cell in load(path).code
    for tag in cell.tags
    if tag.startswith(TAG)
]


def of(tag: str) -> dict[str, Any]:
    """Return the data of the widget that a tag asks for."""
    return data(*tag.split(":"))


def count_tables(found: dict[str, Any]) -> np.ndarray:
    """Return the count table of each cut: a row for each branch."""
    return np.array([[cut["below"], cut["above"]] for cut in found["cuts"]])


def test_five_places_have_the_widget() -> None:
    assert len(TAGGED) == 5


@pytest.mark.parametrize(("tag", "shown"), [each for each in TAGGED if "Gain of each cut" in each[1]])
def test_it_begins_with_what_the_picture_shows(tag: str, shown: str) -> None:
    found = of(tag)
    [judged] = found["measures"]
    said = [(at, gain, bool(edge), bool(chosen)) for at, gain, chosen, edge in CUT.findall(shown)]
    assert said == [
        (cut["at"], f"{value:.3f}", cut["boundary"], i == judged["best"])
        for i, (cut, value) in enumerate(zip(found["cuts"], judged["values"], strict=True))
    ]


def test_both_pictures_of_cuts_are_compared() -> None:
    assert sum("Gain of each cut" in shown for _, shown in TAGGED) == 2


def test_it_has_the_counts_that_explain_gives() -> None:
    melons = load_watermelon("3.0")
    cuts = C45Classifier().fit(melons.X, melons.y).tree_.explain(0, "density")
    shown = cuts[["split", "children", "gain"]].round(3).to_string()
    found = data("density")
    printed = {float(line[0]): tuple(map(float, line)) for line in LINE.findall(shown)}
    assert len(printed) == len(found["cuts"]) == 16
    for cut, value in zip(found["cuts"], found["measures"][0]["values"], strict=True):
        assert printed[float(cut["at"])] == (
            float(cut["at"]),
            *cut["below"],
            *cut["above"],
            pytest.approx(value, abs=6e-4),
        )


@pytest.mark.parametrize("tag", [tag for tag, _ in TAGGED])
def test_every_value_is_that_of_its_measure(tag: str) -> None:
    found = of(tag)
    tables, n = count_tables(found), len(found["points"])
    charge = np.log2(len(tables)) / n
    measured = {
        "gain": information_gain(tables),
        "ratio": gain_ratio(tables),
        "charge": np.asarray(information_gain(tables)) - charge,
        "gini": impurity_decrease(tables, gini_of),
    }
    assert (tables.sum(axis=(1, 2)) == n).all()
    for judged in found["measures"]:
        assert judged["values"] == pytest.approx(measured[judged["key"]], abs=1e-8)
        assert judged["best"] == int(np.argmax(np.round(measured[judged["key"]], 10)))
        assert judged.get("charge", charge) == pytest.approx(charge, abs=1e-8)
        assert judged.get("gain", measured["gain"]) == pytest.approx(measured["gain"], abs=1e-8)
        if judged["key"] == "ratio":
            assert judged["by"] == pytest.approx(split_information(tables), abs=1e-8)


@pytest.mark.parametrize("tag", [tag for tag, _ in TAGGED])
def test_the_sums_with_the_numbers_put_in_give_the_value(tag: str) -> None:
    found = of(tag)
    size = count_tables(found).sum(axis=2)
    share = size / size.sum(axis=1, keepdims=True)
    for judged in found["measures"]:
        name = {"gain": "entropy", "gini": "gini"}.get(judged["key"])
        if name:
            parts = found["impurities"][name]
            left = share[:, 0] * parts["below"] + share[:, 1] * parts["above"]
            assert judged["values"] == pytest.approx(parts["all"] - left, abs=1e-8)


def test_points_are_the_rows_of_the_table() -> None:
    for feature, table in TABLES.items():
        found, rows = data(feature), table()
        drawn = sorted((x, found["classes"][k]) for x, k in found["points"])
        assert drawn == sorted(zip(rows.X[feature], rows.y, strict=True))


def test_the_best_thresholds_are_those_of_the_chapters_trees() -> None:
    melons = TABLES["sugar"]()
    pair = melons.X[["density", "sugar"]]
    found = data("sugar", "gini", "gain")
    best = [found["cuts"][judged["best"]]["at"] for judged in found["measures"]]
    roots = [model.fit(pair, melons.y).tree_.root.split for model in (CARTClassifier(), C45Classifier())]
    assert [f"sugar ≤ {at}?" for at in best] == list(map(str, roots))


def test_cuts_have_as_many_digits_as_tell_them_from_the_values() -> None:
    counts = pd.DataFrame({"no": [1, 0, 0], "yes": [0, 1, 1]}, index=[1.7e12, 1.7e12 + 20, 1.7e12 + 40])
    assert [cut["at"] for cut in tables_of_cuts(counts)] == ["1700000000010", "1700000000030"]
