"""The data of the worked examples, as typed frames with their sources (all chapters).

A nominal column is a pandas `category` whose values stand in the order of the textbook; a column of yes and
no, the class included, has the order ("no", "yes"). Numbers are int64 or float64. What is missing is NaN. The
id column, where there is one, is the index.
"""

import json
from dataclasses import dataclass, field, replace
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

Orders = dict[str, tuple[str, ...]]  # nominal columns and their values

NO_YES: tuple[str, ...] = ("no", "yes")

LOAN = {
    "age": ("young", "middle-aged", "old"),
    "has_job": NO_YES,
    "owns_house": NO_YES,
    "credit": ("fair", "good", "excellent"),
    "approved": NO_YES,
}
WATERMELON = {
    "color": ("green", "dark", "pale"),
    "stem": ("curled", "slightly curled", "stiff"),
    "knock": ("muffled", "dull", "crisp"),
    "texture": ("clear", "slightly blurry", "blurry"),
    "navel": ("sunken", "slightly sunken", "flat"),
    "touch": ("hard and smooth", "soft and sticky"),
    "good": NO_YES,
}
CUSTOMERS = {
    "gender": ("M", "F"),
    "car_type": ("family", "sports", "luxury"),
    "shirt_size": ("small", "medium", "large", "extra large"),
    "class": ("C0", "C1"),
}
GOLF = {
    "outlook": ("sunny", "overcast", "rainy"),
    "windy": ("false", "true"),
    "play": NO_YES,
}

TOPICS = (
    "infants", "water", "budget", "fee_freeze", "el_salvador", "religion", "satellite_ban", "contras",
    "missile", "immigration", "synfuels", "education", "superfund", "crime", "duty_free", "south_africa",
)  # fmt: skip
VOTES: Orders = dict.fromkeys(TOPICS, NO_YES) | {"party": ("democrat", "republican")}
HEART = {
    "hospital": ("Cleveland", "Budapest", "Switzerland", "Long Beach"),
    "sex": ("female", "male"),
    "pain": ("typical angina", "atypical angina", "other pain", "no pain"),
    "sugar": NO_YES,
    "ecg": ("normal", "ST-T", "hypertrophy"),
    "exercise_pain": NO_YES,
    "slope": ("up", "flat", "down"),
    "thallium": ("normal", "fixed", "reversible"),
}
TITANIC = {
    "ticket": ("first", "second", "third"),
    "sex": ("female", "male"),
    "survived": NO_YES,
}

FACTS, CC_BY = "facts, free to use; the wording here CC BY 4.0", "CC BY 4.0; the wording here CC BY 4.0"
LI = "Li Hang, Statistical Learning Methods (2nd edition, 2019), table"
ZHOU = "Zhou Zhihua, Machine Learning (2016), table"
UCI = "UCI Machine Learning Repository"
VANDERBILT = "free to use, with the name of the source; the wording here CC BY 4.0"
#: File -> nominal columns and their values, target, description, source, licence.
TABLES: dict[str, tuple[Orders, str, str, str, str]] = {
    "loan": (
        LOAN, "approved", "15 applicants for a loan: four facts about each and whether it was approved",
        f"{LI} 5.1", FACTS,
    ),
    "watermelon_2": (
        WATERMELON, "good", "17 watermelons: six features and whether the melon is good",
        f"{ZHOU} 4.1", FACTS,
    ),
    "watermelon_2_missing": (
        WATERMELON, "good", "the 17 watermelons of version 2.0, some values unknown",
        f"{ZHOU} 4.4", FACTS,
    ),
    "watermelon_3": (
        WATERMELON, "good", "the 17 watermelons of version 2.0, with density and sugar content",
        f"{ZHOU} 4.3", FACTS,
    ),
    "customers": (
        CUSTOMERS, "class",
        "20 customers: gender, car type, shirt size and which of two classes they belong to",
        "Tan, Steinbach & Kumar, Introduction to Data Mining (2006), table 4.7", FACTS,
    ),
    "golf": (
        GOLF, "play", "14 days: the weather and whether golf was played",
        "Quinlan, C4.5: Programs for Machine Learning (1993), chapter 2", FACTS,
    ),
    "regression_points": ({}, "y", "ten points (x, y) for least squares", f"{LI} 5.2", FACTS),
    "titanic": (
        TITANIC, "survived",
        "1309 passengers of the Titanic: ticket, sex, age and relatives aboard, and who survived",
        "F. E. Harrell & T. Cason, titanic3 (2002), Vanderbilt University Department of Biostatistics",
        VANDERBILT,
    ),
    "votes": (
        VOTES, "party",
        "435 members of the U.S. House of Representatives: sixteen votes of 1984 and the party",
        f"Jeff Schlimmer, Congressional Voting Records (1987), {UCI}", CC_BY,
    ),
    "heart": (
        HEART, "disease",
        "920 patients: thirteen findings and what the picture of their coronary vessels showed",
        f"Janosi, Steinbrunn, Pfisterer & Detrano, Heart Disease (1989), {UCI}", CC_BY,
    ),
}  # fmt: skip
#: Data set -> the palette names of its classes, where newspapers expect other colors than those of the order.
COLORS = {"votes": {"democrat": "class-1", "republican": "class-0"}}
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
    licence: str = field(default=FACTS, repr=False)
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
    >>> list_datasets()[["load", "rows", "features", "target"]]
                           load  rows  features    target
    0               load_loan()    15         4  approved
    1   load_watermelon("2.0")    17         6      good
    2  load_watermelon("2.0a")    17         6      good
    3   load_watermelon("3.0")    17         8      good
    4          load_customers()    20         3     class
    5               load_golf()    14         4      play
    6  load_regression_points()    10         1         y
    7            load_titanic()  1309         5  survived
    8              load_votes()   435        16     party
    9              load_heart()   920        14   disease
    """
    sets = {
        "load_loan()": load_loan(),
        **{f'load_watermelon("{version}")': load_watermelon(version) for version in WATERMELON_VERSIONS},
        "load_customers()": load_customers(),
        "load_golf()": load_golf(),
        "load_regression_points()": load_regression_points(),
        "load_titanic()": load_titanic(),
        "load_votes()": load_votes(),
        "load_heart()": load_heart(),
    }
    rows = [(load, *data.X.shape, data.target, data.description, data.source) for load, data in sets.items()]
    return pd.DataFrame(rows, columns=["load", "rows", "features", "target", "description", "source"])


def _load(name: str) -> Dataset:
    """Read a file of the data folder."""
    orders, target, description, source, licence = TABLES[name]
    types = {column: pd.CategoricalDtype(list(values)) for column, values in orders.items()}
    frame = pd.read_csv(_folder() / f"{name}.csv", dtype=types, keep_default_na=False, na_values=[""])
    ids = [column for column in frame.columns if column in ("id", "customer_id")]
    if ids:
        frame = frame.set_index(ids[0]).rename_axis(index="id")
    labels = json.loads((_folder() / "labels_zh.json").read_text(encoding="utf-8"))
    chinese = labels["watermelon" if orders is WATERMELON else name]
    return Dataset(name, frame, target, description, source, licence, chinese, COLORS.get(name, {}))


def _folder() -> Path:
    """Return the folder of the data files: inside the installed package, or at the top of a checkout."""
    package = Path(__file__).resolve().parent
    return package / "data" if (package / "data").is_dir() else package.parent / "data"
