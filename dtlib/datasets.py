"""The data of the worked examples, as typed frames with their sources (all chapters).

What is known of each table is in `data/sets.toml`, beside the file of its rows.

A nominal column is a pandas `category` whose values stand in the order of the textbook; a column of yes and
no, the class included, has the order ("no", "yes"). Numbers are int64 or float64. What is missing is NaN. The
id column, where there is one, is the index.
"""

import tomllib
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

__all__ = [
    "Dataset",
    "list_datasets",
    "load_customers",
    "load_golf",
    "load_heart",
    "load_loan",
    "load_regression_points",
    "load_titanic",
    "load_votes",
    "load_watermelon",
]

#: Version -> data set.
WATERMELON_VERSIONS = {"2.0": "watermelon_2", "2.0a": "watermelon_2_missing", "3.0": "watermelon_3"}


@dataclass(frozen=True, eq=False)
class Dataset:
    """A data set and what is known about it.

    Attributes
    ----------
    name : str
        The name of its file.
    frame : DataFrame
        One row per sample, target included.
    target : str
        The column to predict.
    description, source, licence : str
        What it is, which book prints it, and what may be done with it.
    chinese : dict
        Chinese names: ``{"columns": {English: Chinese}, "values": {column: {English: Chinese}}}``.
    colors : dict
        The palette name of a class that has not the color of its place, for `dtlib.draw.tree`.

    Examples
    --------
    >>> load_golf().X.columns.tolist()
    ['outlook', 'temperature', 'humidity', 'windy']
    >>> load_golf().y.value_counts().to_dict()
    {'yes': 9, 'no': 5}
    """

    name: str
    frame: pd.DataFrame = field(repr=False)
    target: str
    description: str
    source: str
    licence: str = field(default="", repr=False)
    chinese: dict[str, dict[str, Any]] = field(default_factory=dict, repr=False)
    colors: dict[str, str] = field(default_factory=dict, repr=False)

    @property
    def X(self) -> pd.DataFrame:
        """All columns but the target."""
        return self.frame.drop(columns=self.target)

    @property
    def y(self) -> pd.Series:
        """The target."""
        return self.frame[self.target]

    def in_chinese(self) -> "Dataset":
        """Return the same data with Chinese names of columns and values.

        Returns
        -------
        Dataset
            A name without translation stays as it is.

        Examples
        --------
        >>> load_golf().in_chinese().frame.loc[0].to_dict()
        {'天气': '晴', '温度': 85, '湿度': 85, '有风': '否', '打球': '否'}
        """
        columns, values = self.chinese.get("columns", {}), self.chinese.get("values", {})
        frame = self.frame.copy()
        for column, names in values.items():
            frame[column] = frame[column].cat.rename_categories(names)
        frame = frame.rename(columns=columns).rename_axis(
            index=columns.get(frame.index.name, frame.index.name)
        )
        return replace(self, frame=frame, target=columns.get(self.target, self.target), chinese={})


def load_loan() -> Dataset:
    """Load the 15 loan applicants.

    Returns
    -------
    Dataset
        Four nominal features; the target is `approved`.

    References
    ----------
    Li (2019), table 5.1.

    Examples
    --------
    >>> load_loan().frame.loc[4].tolist()
    ['young', 'yes', 'yes', 'fair', 'yes']
    """
    return _load("loan")


def load_watermelon(version: str = "2.0") -> Dataset:
    """Load the 17 watermelons.

    Parameters
    ----------
    version : {"2.0", "2.0a", "3.0"}
        The plain table; the one with missing values; the one with density and sugar content besides.

    Returns
    -------
    Dataset
        Six nominal features, in version 3.0 two numeric ones more; the target is `good`.

    Raises
    ------
    ValueError
        If there is no such version.

    References
    ----------
    Zhou (2016), tables 4.1, 4.3 and 4.4.

    Examples
    --------
    >>> load_watermelon().frame.loc[1, "color"]
    'green'
    >>> int(load_watermelon("2.0a").frame["color"].notna().sum())
    14
    >>> float(load_watermelon("3.0").frame["density"].max())
    0.774
    """
    if not isinstance(version, str) or version not in WATERMELON_VERSIONS:
        raise ValueError(f"version is {version!r}; there are {', '.join(map(repr, WATERMELON_VERSIONS))}")
    return _load(WATERMELON_VERSIONS[version])


def load_customers() -> Dataset:
    """Load the 20 customers of two classes.

    Returns
    -------
    Dataset
        Three nominal features; the target is `class`. The customer's id is the index: `frame.reset_index()`
        makes a column of it.

    References
    ----------
    Tan, Steinbach & Kumar (2006), table 4.7.

    Examples
    --------
    >>> load_customers().frame.groupby("class", observed=True).size().to_dict()
    {'C0': 10, 'C1': 10}
    """
    return _load("customers")


def load_golf() -> Dataset:
    """Load the 14 days on which golf was or was not played.

    Returns
    -------
    Dataset
        Two nominal and two numeric features (temperature in degrees Fahrenheit, humidity in percent); the
        target is `play`.

    References
    ----------
    Quinlan (1993), chapter 2.

    Examples
    --------
    >>> load_golf().frame.dtypes.astype(str).tolist()
    ['category', 'int64', 'int64', 'category', 'category']
    """
    return _load("golf")


def load_regression_points() -> Dataset:
    """Load the ten points of the regression example.

    Returns
    -------
    Dataset
        One numeric feature, `x`; the target is the number `y`.

    References
    ----------
    Li (2019), table 5.2.

    Examples
    --------
    >>> load_regression_points().y.tolist()
    [4.5, 4.75, 4.91, 5.34, 5.8, 7.05, 7.9, 8.23, 8.7, 9.0]
    """
    return _load("regression_points")


def load_titanic() -> Dataset:
    """Load the 1309 passengers of the Titanic, which sank in 1912.

    Returns
    -------
    Dataset
        Two nominal features, the class of the `ticket` and the sex; three numeric ones, the age in years
        (missing for 263) and how many siblings and spouses, parents and children were aboard. The target is
        `survived`.

    References
    ----------
    Harrell & Cason (2002), "titanic3", Vanderbilt University Department of Biostatistics, https://hbiostat.org/data.

    Examples
    --------
    >>> titanic = load_titanic()
    >>> titanic.y.value_counts().to_dict(), int(titanic.X["age"].isna().sum())
    ({'no': 809, 'yes': 500}, 263)
    """
    return _load("titanic")


def load_votes() -> Dataset:
    """Load the 435 members of the U.S. House of Representatives in 1984.

    Returns
    -------
    Dataset
        Sixteen votes, each yes or no; missing means that neither is known. The target is `party`.

    References
    ----------
    Schlimmer (1987), "Congressional Voting Records", UCI Machine Learning Repository.

    Examples
    --------
    >>> votes = load_votes()
    >>> votes.y.value_counts().to_dict(), int(votes.X.isna().to_numpy().sum())
    ({'democrat': 267, 'republican': 168}, 392)
    """
    return _load("votes")


def load_heart() -> Dataset:
    """Load the 920 patients of four hospitals whose coronary vessels were examined.

    The file is as it was given away, and not clean: a cholesterol or a blood pressure of 0 is a missing one.

    Returns
    -------
    Dataset
        The hospital; seven nominal and six numeric features. The target is `disease`: 0 if no large vessel
        is narrowed by half or more, else 1 to 4 (in Budapest always 1).

    References
    ----------
    Janosi, Steinbrunn, Pfisterer & Detrano (1989), "Heart Disease", UCI Machine Learning Repository.

    Examples
    --------
    >>> heart = load_heart()
    >>> heart.frame["hospital"].value_counts().to_dict()
    {'Cleveland': 303, 'Budapest': 294, 'Long Beach': 200, 'Switzerland': 123}
    >>> int((heart.y > 0).sum()), int((heart.X["cholesterol"] == 0).sum())
    (509, 172)
    """
    return _load("heart")


def list_datasets() -> pd.DataFrame:
    """Return what data sets there are.

    Returns
    -------
    DataFrame
        One row per data set: how to load it, rows, number of features, target, description, source.

    Examples
    --------
    >>> list_datasets()[["load", "rows", "features", "target"]].head(4)
                         load  rows  features    target
    0             load_loan()    15         4  approved
    1  load_watermelon("2.0")    17         6      good
    2 load_watermelon("2.0a")    17         6      good
    3  load_watermelon("3.0")    17         8      good
    """
    sets = [(about.get("load", f"load_{name}()"), _load(name)) for name, about in described().items()]
    rows = [(load, *data.X.shape, data.target, data.description, data.source) for load, data in sets]
    return pd.DataFrame(rows, columns=["load", "rows", "features", "target", "description", "source"])


@cache
def described() -> dict[str, dict[str, Any]]:
    """Return what `data/sets.toml` says of each data set, by its name.

    Examples
    --------
    >>> described()["golf"]["target"]
    'play'
    """
    return tomllib.loads((_folder() / "sets.toml").read_text(encoding="utf-8"))


def columns_of(name: str) -> dict[str, dict[str, Any]]:
    """Return what is said of the columns of a data set: the Chinese name, and of categories the order.

    Examples
    --------
    >>> columns_of("golf")["outlook"]
    {'zh': '天气', 'categories': {'sunny': '晴', 'overcast': '多云', 'rainy': '雨'}}
    """
    about = described()[name]
    inherited = columns_of(about["like"]) if "like" in about else {}
    return inherited | about.get("columns", {})


def _load(name: str) -> Dataset:
    """Read a file of the data folder."""
    about, columns = described()[name], columns_of(name)
    categories = {column: said["categories"] for column, said in columns.items() if "categories" in said}
    types = {column: pd.CategoricalDtype(list(values)) for column, values in categories.items()}
    frame = pd.read_csv(_folder() / f"{name}.csv", dtype=types, keep_default_na=False, na_values=[""])
    if "index" in about:
        frame = frame.set_index(about["index"]).rename_axis(index="id")
    chinese = {
        "columns": {column: said["zh"] for column, said in columns.items()},
        "values": {column: dict(values) for column, values in categories.items()},
    }
    colors = dict(about.get("colors", {}))
    return Dataset(
        name, frame, about["target"], about["description"], about["source"], about["licence"], chinese, colors
    )


def _folder() -> Path:
    """Return the folder of the data files: inside the installed package, or at the top of a checkout."""
    package = Path(__file__).resolve().parent
    return package / "data" if (package / "data").is_dir() else package.parent / "data"
