"""C4.5 beside its peers: numbers, names, and missing values."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd
from cases import Data, cars, continuous, noise, route_missing
from peers import Elsewhere
from sklearn.tree import DecisionTreeClassifier

from dtlib import C45Classifier
from dtlib.tree.descend import walk

ROWS = 10**4
MORE = 3.0  # times the seconds without missing values
WARM = 10  # fits until Java has compiled what it runs often
JAR = Path(os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar"))
SOURCE = Path(__file__).with_name("TimeJ48.java")
SETTINGS = {"textbook": C45Classifier, "J48": partial(C45Classifier.j48, prune=None)}


@dataclass(frozen=True)
class Race:
    """A fit of dtlib, and the fit of another library beside which it is timed."""

    table: str
    settings: str
    other: str
    target: float
    make: Callable[[], tuple[Any, Any]]
    fit: Callable[[Any, Any, ExitStack], Callable[[], Any]]  # makes a call that fits
    nodes: Callable[[Any], int]
    is_installed: Callable[[], bool] = lambda: True


@dataclass(frozen=True)
class Holes:
    """Fits of dtlib to a table, and to the same table with a fifth of its cells missing."""

    table: str
    settings: str
    make: Callable[[int], Data]

    def data(self) -> dict[str, Data]:
        """Make both tables."""
        X, y = self.make(ROWS)
        return {"none missing": (X, y), "a fifth missing": (route_missing(X), y)}


def fit_c45(settings: str, X: Any, y: Any) -> C45Classifier:
    """Fit dtlib's C4.5, textbook or J48's, without keeping the data for `explain`."""
    return SETTINGS[settings](keep_data=False).fit(X, y)


def parts(model: C45Classifier, X: np.ndarray) -> int:
    """Count the rows and parts of rows in all nodes."""
    return sum(len(at.node) for at in walk(model.tree_, X.astype(float), "fractional"))


def one_hot(X: pd.DataFrame, y: pd.Series, stack: ExitStack) -> Callable[[], Any]:
    """Return a fit of scikit-learn's tree that makes a column of 0 and 1 for each name first."""
    return lambda: DecisionTreeClassifier(criterion="entropy", random_state=0).fit(pd.get_dummies(X), y)


def c50py(X: np.ndarray, y: np.ndarray, stack: ExitStack, **options: Any) -> Callable[[], Any]:
    """Return a fit of c50py without pruning."""
    from c50py import C5Classifier

    return lambda: C5Classifier(pruning=False, global_pruning=False, **options).fit(X, y)


def c50py_nodes(model: Any) -> int:
    """Count the nodes of a tree."""
    found = [model.tree_]
    for node in found:
        found.extend(node.children.values())
    return len(found)


@cache
def weka_version() -> str | None:
    """Return the version of Weka, None if there is no Weka, or no Java to compile and run it."""
    if not (JAR.exists() and shutil.which("java") and shutil.which("javac")):
        return None
    call = ["java", "-cp", str(JAR), "weka.core.Version"]
    answer = subprocess.run(call, capture_output=True, text=True)
    return answer.stdout.split()[0] if answer.returncode == 0 else None


class J48:
    """Weka's J48 in a Java process that runs on, so that what was compiled stays so; it times itself."""

    def __init__(self, X: np.ndarray, y: np.ndarray):
        self.folder = tempfile.TemporaryDirectory()
        file = Path(self.folder.name) / "table"
        file.write_bytes(np.column_stack([X, y]).astype(">f8").tobytes())
        size = [*map(str, X.shape), str(len(np.unique(y)))]
        call = ["java", "-XX:+UseSerialGC", "-cp", str(JAR), str(SOURCE), str(file), *size, "-U"]
        self.process = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        for _ in range(WARM):
            self.fit()
        return self

    def __exit__(self, *error: Any) -> None:
        self.process.communicate()
        self.folder.cleanup()

    def fit(self) -> Elsewhere:
        """Fit once more."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        seconds, nodes = self.process.stdout.readline().split()
        return Elsewhere(float(seconds), int(nodes))


def j48(X: np.ndarray, y: np.ndarray, stack: ExitStack) -> Callable[[], Elsewhere]:
    """Return a fit of Weka's J48, warmed up."""
    return stack.enter_context(J48(X, y)).fit


def numbers(holes: bool = False) -> Data:
    """Return a table of numbers, of which a fifth may be missing."""
    X, y = continuous(ROWS)
    return (route_missing(X) if holes else X), y


WEKA = {
    "settings": "J48", "other": "Weka's J48, option -U", "target": 1.0, "fit": j48,
    "nodes": lambda m: m.nodes, "is_installed": lambda: weka_version() is not None,
}  # fmt: skip
C50PY = {
    "target": 0.1,
    "nodes": c50py_nodes,
    "is_installed": lambda: importlib.util.find_spec("c50py") is not None,
}
HOT = {
    "settings": "textbook", "other": "scikit-learn on one-hot columns", "target": 1.0, "fit": one_hot,
    "nodes": lambda m: m.tree_.node_count,
}  # fmt: skip
ANY = {"min_samples_leaf": 1, "numeric_min_split": False, "mdl_penalty": False}
RACES = [
    Race("10,000 x 20 continuous", make=numbers, **WEKA),
    Race("the same, a fifth missing", make=partial(numbers, holes=True), **WEKA),
    Race("10,000 x 20 continuous", "J48", "c50py, no pruning", make=numbers, fit=c50py, **C50PY),
    Race(
        "10,000 x 20 continuous", "textbook", "c50py, no pruning, no minimum, no charge", make=numbers,
        fit=partial(c50py, **ANY), **C50PY,
    ),
    Race("1,728 x 6 names", make=partial(cars, 0.0), **HOT),
    Race("1,728 x 6 names, a twentieth of the classes wrong", make=partial(cars, 0.05), **HOT),
]  # fmt: skip
HOLES = [
    Holes(f"10,000 x 20 continuous, {kind}", settings, make)
    for kind, make in (("signal", continuous), ("noise", noise))
    for settings in ("J48", "textbook")
]
