"""Each data file and each recorded result is, byte by byte, the one that was compared with its source.

`data/sets.toml` says of each table of the book where it comes from, how it was compared, and when;
`tests/checksums.csv` of each recorded result. What can be compared with a package that is installed, or with
another file, is compared here.
"""

from __future__ import annotations

import csv
import hashlib
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from dtlib.datasets import described

ROOT = Path(__file__).parents[2]
ORACLES = ROOT / "tests" / "oracles" / "data"
NO_DATA = {".md", ".toml", ".py", ".R", ".java", ".pyc"}
IRIS = ["setosa", "versicolor", "virginica"]


def recorded() -> list[dict[str, str]]:
    """Return what is recorded of each file, with its checksum."""
    keys = "source", "licence", "compared", "on", "sha256"
    tables = [
        {"file": f"data/{name}.csv", "list": "data/sets.toml"}
        | {key: str(about.get(key, "")) for key in keys}
        for name, about in sorted(described().items())
    ]
    with (ROOT / "tests" / "checksums.csv").open(encoding="utf-8", newline="") as file:
        return tables + [row | {"list": "tests/checksums.csv"} for row in csv.DictReader(file)]


def data_files() -> set[str]:
    """Return the paths of all data files and recorded results."""
    folders = (ROOT / "data", ROOT / "tests" / "oracles")
    found = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(ROOT).as_posix() for path in found if path.suffix not in NO_DATA}


def text(path: Path, *missing: str) -> pd.DataFrame:
    """Read a file as text; what is missing is empty."""
    return pd.read_csv(path, dtype=str, keep_default_na=False).replace(list(missing), "")


def cells(frame: pd.DataFrame) -> list[list[str]]:
    return frame.to_numpy().tolist()


@pytest.mark.parametrize("row", recorded(), ids=lambda row: row["file"])
def test_the_file_is_the_one_that_was_compared(row: dict[str, str]) -> None:
    found = hashlib.sha256((ROOT / row["file"]).read_bytes()).hexdigest()
    assert found == row["sha256"], (
        f"{row['file']} is not the file that was compared with {row['source']}. If the change is "
        f"meant, compare it again, and write into {row['list']} how, the day, and {found}"
    )


def test_a_changed_cell_is_another_file() -> None:
    row = next(row for row in recorded() if row["file"] == "data/heart.csv")
    changed = (ROOT / row["file"]).read_bytes().replace(b",233,", b",234,", 1)
    assert hashlib.sha256(changed).hexdigest() != row["sha256"]


def test_every_file_is_recorded_with_its_source() -> None:
    rows = recorded()
    assert [row["file"] for row in rows] == sorted(data_files())
    assert [row["file"] for row in rows if not row["source"] or not row["licence"]] == []
    compared = [row for row in rows if not row["source"].startswith("written for these tests")]
    assert [row["file"] for row in compared if not row["compared"]] == []
    # a comparison that no test repeats has a day
    assert [row["file"] for row in rows if "none differs" in row["compared"] and not row["on"]] == []
    assert all(date.fromisoformat(row["on"]) for row in rows if row["on"])


def test_the_flowers_are_those_of_scikit_learn() -> None:
    flowers = load_iris()
    by_r = pd.read_csv(ORACLES / "r_iris.csv")
    assert (by_r.iloc[:, :4].to_numpy() == flowers.data).all()
    assert by_r["Species"].tolist() == [IRIS[k] for k in flowers.target]


def test_the_flowers_of_the_repository_have_its_three_slips() -> None:
    """Fisher (1936) prints 0.2, 3.6 and 1.4 there; so does scikit-learn, whose description says so."""
    flowers, by_uci = load_iris(), pd.read_csv(ORACLES / "iris.csv")
    assert by_uci["class"].tolist() == [f"Iris-{IRIS[k]}" for k in flowers.target]
    x = by_uci.iloc[:, :4].to_numpy()
    differ = np.argwhere(x != flowers.data)
    found = [(*place, x[tuple(place)], flowers.data[tuple(place)]) for place in differ.tolist()]
    assert found == [(34, 3, 0.1, 0.2), (37, 1, 3.1, 3.6), (37, 2, 1.5, 1.4)]


def test_the_flowers_with_gaps_are_the_same_flowers() -> None:
    gaps, whole = text(ORACLES / "iris_missing.csv", "?"), text(ORACLES / "r_iris.csv")
    known = (gaps != "").to_numpy()
    assert (gaps == whole).to_numpy()[known].all()
    assert (~known).sum(0).tolist() == [30, 30, 30, 30, 0]


def test_the_tables_of_the_book_are_those_of_the_oracles() -> None:
    points = pd.read_csv(ROOT / "data" / "regression_points.csv").to_numpy()
    assert (points == pd.read_csv(ORACLES / "lihang52.csv").to_numpy()).all()
    loan = text(ROOT / "data" / "loan.csv").drop(columns="id")
    assert cells(loan.replace({"middle-aged": "middle"})) == cells(text(ORACLES / "loan_ascii.csv"))
    golf, weather = text(ROOT / "data" / "golf.csv"), text(ORACLES / "weather.numeric.csv")
    assert cells(golf) == cells(weather.replace({"TRUE": "true", "FALSE": "false"}))


@pytest.mark.parametrize("name", ["watermelon_2_missing", "watermelon_3"])
def test_the_melons_are_the_same_in_all_tables(name: str) -> None:
    plain, other = text(ROOT / "data" / "watermelon_2.csv"), text(ROOT / "data" / f"{name}.csv")
    shared = other[plain.columns]
    known = (shared != "").to_numpy()
    assert (shared == plain).to_numpy()[known].all()
    assert known.all() == (name == "watermelon_3")
