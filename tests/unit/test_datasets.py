"""The data sets: typed as promised, complete, with sources and Chinese names, and part of the wheel."""

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from dtlib import datasets
from dtlib.datasets import (
    list_datasets,
    load_customers,
    load_golf,
    load_heart,
    load_loan,
    load_votes,
    load_watermelon,
)

ROOT = Path(__file__).parents[2]
DATA = ROOT / "data"

#: Each data set, and the call that loads it.
LOADS = {name: about.get("load", f"load_{name}()") for name, about in datasets.described().items()}


def loaded(name: str) -> datasets.Dataset:
    """Return a data set, by the call that the list says."""
    return eval(LOADS[name], vars(datasets).copy())


@pytest.fixture(params=LOADS)
def data(request):
    return loaded(request.param)


def cells(frame: pd.DataFrame) -> list[list[str]]:
    """Return the cells of a frame as the text a file would hold."""
    return [["" if pd.isna(cell) else str(cell) for cell in row] for row in frame.astype(object).to_numpy()]


def test_every_file_is_described_and_has_a_loader():
    assert sorted(LOADS) == sorted(path.stem for path in DATA.glob("*.csv"))
    assert list(LOADS) == [loaded(name).name for name in LOADS]
    functions = {call.partition("(")[0] for call in LOADS.values()}
    assert functions == {name for name in datasets.__all__ if name.startswith("load_")}


@pytest.mark.parametrize("name", LOADS)
def test_each_category_is_described_and_no_other(name):
    raw = pd.read_csv(DATA / f"{name}.csv", dtype=str, keep_default_na=False)
    for column, said in datasets.columns_of(name).items():
        if "categories" in said:
            other = {*said["categories"]} ^ ({*raw[column]} - {""})
            assert not other, f"{column} in data/{name}.csv and in data/sets.toml: only one has {other}"


def test_each_column_is_described_and_no_other(data):
    names = ["id"] if data.frame.index.name else []
    assert {*datasets.columns_of(data.name)} == {*names, *data.frame.columns}


def test_what_is_said_of_a_set_is_what_the_head_of_the_file_lists(data):
    text = (DATA / "sets.toml").read_text(encoding="utf-8")
    lines = re.findall(r"^# ((?:\w+, )*\w+)  +\w", text, re.MULTILINE)
    known = {key for line in lines for key in line.split(", ")}
    assert {*datasets.described()[data.name]} <= known


def test_typed_frames_hold_what_the_files_hold(data):
    raw = pd.read_csv(DATA / f"{data.name}.csv", dtype=str, keep_default_na=False)
    frame = data.frame.reset_index() if data.frame.index.name else data.frame
    numeric = frame.select_dtypes("number").columns
    raw = raw.rename(columns={"customer_id": "id"})
    for column in numeric:
        kind = float if frame[column].dtype == "float64" else int
        raw[column] = [text and str(kind(text)) for text in raw[column]]
    assert list(frame.columns) == list(raw.columns)
    assert cells(frame) == raw.to_numpy().tolist()


def test_columns_are_nominal_or_numeric(data):
    types = set(data.frame.dtypes.astype(str))
    assert types <= {"category", "int64", "float64"}


def test_yes_and_no_have_one_order_everywhere(data):
    for column in data.frame.select_dtypes("category"):
        values = list(data.frame[column].cat.categories)
        if "yes" in values:
            assert values == ["no", "yes"]


def test_values_stand_in_the_order_of_the_textbook():
    orders = {
        column: list(frame[column].cat.categories)
        for frame in (load_watermelon().frame, load_loan().frame, load_golf().frame, load_customers().frame)
        for column in frame.select_dtypes("category")
    }
    assert orders["color"] == ["green", "dark", "pale"]
    assert orders["stem"] == ["curled", "slightly curled", "stiff"]
    assert orders["touch"] == ["hard and smooth", "soft and sticky"]
    assert orders["credit"] == ["fair", "good", "excellent"]
    assert orders["windy"] == ["false", "true"]
    assert orders["outlook"] == ["sunny", "overcast", "rainy"]
    assert orders["shirt_size"] == ["small", "medium", "large", "extra large"]


def test_ids_are_the_index(data):
    if "index" in datasets.described()[data.name]:
        assert data.frame.index.name == "id"
        assert data.frame.index.tolist() == list(range(1, len(data.frame) + 1))
    else:
        assert data.frame.index.name is None
        assert not {"id", "customer_id"} & {*data.frame}


def test_x_and_y_together_are_the_frame(data):
    assert data.y.name == data.target
    pd.testing.assert_frame_equal(data.X.assign(**{data.target: data.y})[data.frame.columns], data.frame)
    assert data.target not in data.X


def test_missing_values_are_the_empty_cells(data):
    raw = pd.read_csv(DATA / f"{data.name}.csv", dtype=str, keep_default_na=False)
    assert int(data.frame.isna().to_numpy().sum()) == int((raw == "").to_numpy().sum())


def test_missing_values_are_as_many_as_the_sources_say():
    expected = {"watermelon_2_missing": 13, "titanic": 263, "votes": 392, "heart": 1759}
    expected |= dict.fromkeys(("loan", "watermelon_2", "watermelon_3", "customers", "golf"), 0)
    assert {name: int(loaded(name).frame.isna().to_numpy().sum()) for name in expected} == expected
    known = load_watermelon("2.0a").frame.notna().sum()
    assert known.to_dict() == {
        "color": 14,
        "stem": 15,
        "knock": 15,
        "texture": 15,
        "navel": 15,
        "touch": 15,
        "good": 17,
    }


def test_the_votes_are_those_of_the_repository():
    """Only the names of the columns are others."""
    file = ROOT / "tests" / "oracles" / "data" / "vote.csv"
    raw = pd.read_csv(file, dtype=str, keep_default_na=False)
    words = {"y": "yes", "n": "no", "?": ""}
    assert cells(load_votes().frame) == raw.map(lambda text: words.get(text, text)).to_numpy().tolist()


# What heart-disease.names of the repository prints: patients without disease, all of one hospital; the values
# 1 to 4 together in Budapest, apart elsewhere.
PATIENTS = {
    "Cleveland": [164, 55, 36, 35, 13],
    "Budapest": [188, 37 + 26 + 28 + 15, 0, 0, 0],
    "Switzerland": [8, 48, 32, 30, 5],
    "Long Beach": [51, 56, 41, 42, 10],
}


def test_the_patients_are_as_many_as_the_repository_says():
    frame = load_heart().frame
    found = pd.crosstab(frame["hospital"], frame["disease"])
    assert {hospital: found.loc[hospital].tolist() for hospital in found.index} == PATIENTS
    assert found.sum(axis=1).to_dict() == {
        "Cleveland": 303,
        "Budapest": 294,
        "Switzerland": 123,
        "Long Beach": 200,
    }


def test_the_patients_are_not_cleaned():
    frame = load_heart().frame
    zeros = (frame["cholesterol"] == 0).groupby(frame["hospital"], observed=True).sum()
    assert zeros.to_dict() == {"Cleveland": 0, "Budapest": 0, "Switzerland": 123, "Long Beach": 49}
    assert int((frame["pressure"] == 0).sum()) == 1
    assert int(frame.duplicated().sum()) == 2
    assert frame["depression"].min() == -2.6
    # attribute 44 of the documentation: 0 to 3; patients have a pulse
    assert set(frame["vessels"].dropna()) == {0, 1, 2, 3}
    assert frame["max_rate"].between(60, 202).sum() + frame["max_rate"].isna().sum() == 920


def test_a_patient_of_each_hospital():
    """The first line of each file."""
    first = load_heart().frame.groupby("hospital", observed=True).head(1).drop(columns="hospital")
    assert cells(first) == [
        line.split(",")
        for line in (
            "63,male,typical angina,145.0,233.0,yes,hypertrophy,150.0,no,2.3,down,0.0,fixed,0",
            "28,male,atypical angina,130.0,132.0,no,hypertrophy,185.0,no,0.0,,,,0",
            "32,male,typical angina,95.0,0.0,,normal,127.0,no,0.7,up,,,1",
            "63,male,no pain,140.0,260.0,no,ST-T,112.0,yes,3.0,flat,,,2",
        )
    ]


def test_the_three_versions_are_the_same_melons():
    full, numeric, gaps = (load_watermelon(version).frame for version in ("2.0", "3.0", "2.0a"))
    pd.testing.assert_frame_equal(numeric[full.columns], full)
    pd.testing.assert_frame_equal(gaps, full.where(gaps.notna()))


def test_a_version_there_is_not_is_refused():
    with pytest.raises(ValueError, match=r"version is '4'; there are '2\.0', '2\.0a', '3\.0'"):
        load_watermelon("4")


def test_loading_again_gives_a_frame_of_its_own():
    frame = load_golf().frame
    frame.loc[0, "play"] = "yes"
    assert load_golf().frame.loc[0, "play"] == "no"


def test_sources_and_licences_are_named(data):
    assert data.description
    assert "(" in data.source
    assert "CC BY 4.0" in data.licence
    in_markdown = datasets.described()[data.name]["taken_from"].replace("*", "")
    assert data.source.rpartition(", ")[2] in in_markdown


def test_representation_is_short_and_stable():
    assert repr(load_golf()) == (
        "Dataset(name='golf', target='play', description='14 days: the weather and whether golf was played', "
        "source='Quinlan, C4.5: Programs for Machine Learning (1993), chapter 2')"
    )


def test_list_of_data_sets():
    table = list_datasets()
    rows = dict(zip(table["load"], table["rows"], strict=True))
    assert list(rows) == list(LOADS.values())
    assert rows == {call: len(loaded(name).frame) for name, call in LOADS.items()}
    assert table["rows"].tolist()[:3] == [15, 17, 17]


# Chinese names


def test_everything_has_a_chinese_name(data):
    names = [data.frame.index.name] if data.frame.index.name else []
    assert set(data.chinese["columns"]) == {*names, *data.frame.columns}
    assert set(data.chinese["values"]) == set(data.frame.select_dtypes("category").columns)
    for column, names in data.chinese["values"].items():
        assert list(names) == list(data.frame[column].cat.categories)
    said = [data.chinese["columns"], *data.chinese["values"].values()]
    other = [new for names in said for old, new in names.items() if new != old]  # x, y, C0 and C1 stay
    assert not any("a" <= letter <= "z" for letter in "".join(other))


def test_chinese_names_change_nothing_else(data):
    chinese = data.in_chinese()
    columns, values = data.chinese["columns"], data.chinese["values"]
    assert chinese.target == columns[data.target] == chinese.y.name
    assert chinese.frame.shape == data.frame.shape
    for column in data.frame:
        was, now = data.frame[column], chinese.frame[columns[column]]
        if column in values:
            assert now.cat.codes.tolist() == was.cat.codes.tolist()
            assert now.cat.categories.tolist() == [values[column][value] for value in was.cat.categories]
        else:
            pd.testing.assert_series_equal(now, was, check_names=False)


def test_chinese_melons():
    chinese = load_watermelon().in_chinese()
    assert chinese.target == "好瓜"
    assert chinese.frame.index.name == "编号"
    assert chinese.frame.loc[1].to_dict() == {
        "色泽": "青绿",
        "根蒂": "蜷缩",
        "敲声": "浊响",
        "纹理": "清晰",
        "脐部": "凹陷",
        "触感": "硬滑",
        "好瓜": "是",
    }
    assert load_watermelon().frame.columns[0] == "color"


def test_names_without_translation_stay():
    data = load_golf()
    data.chinese["columns"].pop("windy")
    data.chinese["values"]["outlook"].pop("rainy")
    chinese = data.in_chinese().frame
    assert chinese.columns.tolist() == ["天气", "温度", "湿度", "windy", "打球"]
    assert chinese["天气"].cat.categories.tolist() == ["晴", "多云", "rainy"]
    again = data.in_chinese().in_chinese()
    pd.testing.assert_frame_equal(again.frame, chinese)


# The wheel


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Build the wheel and unpack it, as an installation would."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return (folder / "site").resolve()


@pytest.mark.long
def test_the_wheel_brings_its_data(installed):
    assert (installed / "dtlib" / "py.typed").is_file()
    files = {path.name for path in (installed / "dtlib" / "data").iterdir()}
    assert files == {path.name for path in DATA.iterdir()}
    script = f"""
import sys
sys.path.insert(0, {str(installed)!r})
import json
from dtlib import datasets
assert datasets.__file__.startswith({str(installed)!r}), datasets.__file__
assert str(datasets._folder()).startswith({str(installed)!r}), datasets._folder()
loads = datasets.list_datasets()["load"]
print(json.dumps([eval(load, vars(datasets).copy()).in_chinese().frame.shape for load in loads]))
"""
    run = subprocess.run(
        [sys.executable, "-I", "-c", script], cwd=installed, check=True, capture_output=True, text=True
    )
    assert json.loads(run.stdout) == [list(loaded(name).frame.shape) for name in LOADS]
