"""Twenty-three measured tables with classes, read by name from packages that bring them.

The rule was made before anything was grown: every table of rows that somebody measured, counted or wrote
down, with classes to tell apart and 50 to 2,000 rows, that comes with scikit-learn, with this book, or with
the Debian packages of Weka (`weka`), of R's mlbench (`r-cran-mlbench`) and of rpart (`r-cran-rpart`). A table
that comes twice is taken once, in that order; texts are no table. Left out are numbers that only name a row,
the speaker of a vowel, and the years after an operation, which are known only later. Nothing of the tables is
stored but what trees say of their rows.
"""

from __future__ import annotations

import io
import re
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.io import arff
from sklearn import datasets

from dtlib.datasets import load_heart, load_titanic, load_votes

WEKA = Path("/usr/share/doc/weka/examples")
UCI = "CC BY 4.0 (UCI Machine Learning Repository)"
R_CODE = {
    "sonar": "library(mlbench); data(Sonar); rows <- Sonar; names(rows)[61] <- 'class'",
    "vehicles": "library(mlbench); data(Vehicle); rows <- Vehicle; names(rows)[19] <- 'class'",
    "vowels": "library(mlbench); data(Vowel); rows <- Vowel[-1]; names(rows)[10] <- 'class'",
    "zoo": "library(mlbench); data(Zoo); rows <- Zoo; names(rows)[17] <- 'class'",
    "cells": "library(mlbench); data(BreastCancer); rows <- BreastCancer[-1]; names(rows)[10] <- 'class'; "
    "for (j in 1:9) rows[[j]] <- as.integer(as.character(rows[[j]]))",
    "spines": "library(rpart); rows <- kyphosis; names(rows)[1] <- 'class'",
    "prostates": "library(rpart); rows <- stagec[-1]; names(rows)[1] <- 'class'; "
    "rows$class <- ifelse(rows$class == 1, 'worse', 'same')",
}


@dataclass(frozen=True)
class Source:
    """Where a table comes from: the package, what it is called there, whose it is, and its license."""

    package: str
    called: str
    author: str
    license: str


SOURCES = {
    "iris": Source("scikit-learn", "iris", "R. A. Fisher (1936)", UCI),
    "wine": Source("scikit-learn", "wine", "M. Forina and others (1988)", UCI),
    "tumors": Source("scikit-learn", "breast_cancer", "W. H. Wolberg and others (1995)", UCI),
    "digits": Source("scikit-learn", "digits", "E. Alpaydin, C. Kaynak (1998)", UCI),
    "votes": Source("this book", "votes.csv", "J. Schlimmer (1987)", UCI),
    "titanic": Source(
        "this book", "titanic.csv", "F. E. Harrell, T. Cason (2002)", "free if the source is named"
    ),
    "hearts": Source("this book", "heart.csv", "A. Janosi and others (1989)", UCI),
    "relapses": Source("Weka", "breast-cancer", "M. Zwitter, M. Soklic (1988)", UCI),
    "credit": Source("Weka", "credit-g", "H. Hofmann (1994)", UCI),
    "diabetes": Source(
        "Weka", "diabetes", "V. Sigillito (1990)", "none stated by its donor; in Weka's GPL package"
    ),
    "glass": Source("Weka", "glass", "B. German (1987)", UCI),
    "ionosphere": Source("Weka", "ionosphere", "V. Sigillito and others (1989)", UCI),
    "labor": Source("Weka", "labor", "Collective Barg. Review (1988)", UCI),
    "segments": Source("Weka", "segment-challenge", "University of Massachusetts (1990)", UCI),
    "soybeans": Source("Weka", "soybean", "R. S. Michalski, R. L. Chilausky (1980)", UCI),
    "molecules": Source(
        "Weka", "unbalanced", "not named in the package", "none stated; in Weka's GPL package"
    ),
    "sonar": Source("mlbench", "Sonar", "R. P. Gorman, T. Sejnowski (1988)", UCI),
    "vehicles": Source("mlbench", "Vehicle", "P. Mowforth, B. Shepherd (1987)", UCI),
    "vowels": Source("mlbench", "Vowel", "D. Deterding (1989)", UCI),
    "zoo": Source("mlbench", "Zoo", "R. Forsyth (1990)", UCI),
    "cells": Source("mlbench", "BreastCancer", "W. H. Wolberg (1992)", UCI),
    "spines": Source("rpart", "kyphosis", "T. J. Hastie, R. J. Tibshirani (1990)", "GPL-2 or GPL-3 (rpart)"),
    "prostates": Source("rpart", "stagec", "Mayo Clinic (1997)", "GPL-2 or GPL-3 (rpart)"),
}


def words(column: pd.Series) -> pd.Series:
    """Return names that every program reads as names: letters, digits, underscores; none of digits alone."""
    plain = column.astype(object).map(
        lambda v: "is_" + re.sub(r"\W+", "_", str(v)).strip("_"), na_action="ignore"
    )
    return pd.Series(pd.Categorical(plain), column.index)


def from_sklearn(called: str) -> pd.DataFrame:
    """Return a table of scikit-learn."""
    loaded = getattr(datasets, f"load_{called}")(as_frame=True)
    return loaded.data.assign(**{"class": loaded.target.map(str)})


def from_book(called: str) -> pd.DataFrame:
    """Return a table of the book; the hearts as chapter 24 cleans them, in two classes."""
    if called != "heart.csv":
        dataset = {"votes.csv": load_votes, "titanic.csv": load_titanic}[called]()
        return dataset.X.assign(**{"class": dataset.y})
    frame = load_heart().frame.drop_duplicates().reset_index(drop=True)
    known = {name: frame[name].replace(0, np.nan) for name in ("cholesterol", "pressure")}
    narrowed = np.where(frame["disease"] > 0, "narrowed", "clear")
    return frame.assign(**known, **{"class": narrowed}).drop(columns=["hospital", "disease"])


def from_weka(called: str) -> pd.DataFrame:
    """Return an example of Weka: its last column is the class."""
    text = (WEKA / f"{called}.arff").read_text(encoding="utf-8")
    rows, _ = arff.loadarff(io.StringIO(re.sub(r",[ \t]+", ",", text)))
    frame = pd.DataFrame(rows)
    for name in frame.select_dtypes(object):
        frame[name] = frame[name].str.decode("utf-8").replace("?", np.nan)
    return frame.rename(columns={frame.columns[-1]: "class"})


def from_r(name: str) -> pd.DataFrame:
    """Return a table of a package of R, written and read as text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        code = f"{R_CODE[name]}; write.csv(rows, '{path}', row.names = FALSE, na = '')"
        subprocess.run(["Rscript", "-e", code], check=True, capture_output=True)
        return pd.read_csv(path)


def load(name: str) -> tuple[pd.DataFrame, pd.Series]:
    """Return the features of a table, named x1, x2 and so on, and its classes, for every program to read."""
    source = SOURCES[name]
    readers: dict[str, Callable[[str], Any]] = {
        "scikit-learn": from_sklearn, "this book": from_book, "Weka": from_weka,
    }  # fmt: skip
    frame = readers[source.package](source.called) if source.package in readers else from_r(name)
    y = words(frame["class"]).astype(str).astype(object)
    X = frame.drop(columns="class").reset_index(drop=True)
    X.columns = [f"x{j + 1}" for j in range(X.shape[1])]
    numeric = {A: pd.api.types.is_numeric_dtype(X[A]) and not pd.api.types.is_bool_dtype(X[A]) for A in X}
    return X.assign(**{A: X[A].astype(float) if numeric[A] else words(X[A]) for A in X}), y.reset_index(
        drop=True
    )


def about(name: str, X: pd.DataFrame, y: pd.Series) -> dict[str, object]:
    """Return what is to be known of a table."""
    source = SOURCES[name]
    names = X.select_dtypes("category").shape[1]
    return {
        "table": name, "rows": len(X), "numbers": X.shape[1] - names, "names": names,
        "classes": y.nunique(), "rows with gaps": int(X.isna().any(axis=1).sum()),
        "package": source.package, "called": source.called, "author": source.author,
        "license": source.license,
    }  # fmt: skip
