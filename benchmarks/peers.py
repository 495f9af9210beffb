"""The libraries that are timed, each set to grow one whole tree from all rows with one thread."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
from cases import Case
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from dtlib import CARTClassifier, CARTRegressor, ID3Classifier
from dtlib.growing import depth_first

R_DEPTH = 30  # rpart's limit


@dataclass(frozen=True)
class Peer:
    """A library: how it fits, how many nodes its tree has, how it predicts, and what it does differently."""

    name: str
    package: str
    note: str
    fit: Callable[[Case, np.ndarray, np.ndarray], Any]
    nodes: Callable[[Any], int]
    predict: Callable[[Any, np.ndarray], Any] | None = None
    most: int = 10**6  # rows of which it grows a full tree; more take it minutes
    most_numeric: int = 10**6  # the same of a regression tree
    once: bool = False  # too slow for several rounds

    def can(self, case: Case) -> bool:
        """Tell whether it is given a case."""
        return case.depth is not None or case.n <= (self.most_numeric if case.numeric else self.most)

    def is_installed(self) -> bool:
        """Tell whether it can be timed here."""
        if self.package == "rpart":
            return rpart_version() is not None
        return importlib.util.find_spec(self.package) is not None


def fit_dtlib(case: Case, X: np.ndarray, y: np.ndarray) -> Any:
    """Fit CART without keeping the data for `explain`."""
    estimator = CARTRegressor if case.numeric else CARTClassifier
    return estimator(max_depth=case.depth, keep_data=False).fit(X, y)


def level_by_level(fit: Callable[[], Any]) -> Any:
    """Fit as if Numba were not installed."""
    with mock.patch.object(depth_first, "is_ready", return_value=False):
        return fit()


def fit_sklearn(case: Case, X: np.ndarray, y: np.ndarray) -> Any:
    """Fit scikit-learn's tree."""
    estimator = DecisionTreeRegressor if case.numeric else DecisionTreeClassifier
    return estimator(max_depth=case.depth, random_state=0).fit(X, y)


def as_columns(X: np.ndarray) -> dict[str, np.ndarray]:
    """Return the columns by name, as ydf reads them."""
    return {f"x{f}": X[:, f] for f in range(X.shape[1])}


def fit_ydf(case: Case, X: np.ndarray, y: np.ndarray) -> Any:
    """Fit ydf's CART; its depth counts nodes, and -1 is no limit."""
    import ydf

    ydf.verbose(0)
    learner = ydf.CartLearner(
        label="y", task=ydf.Task.REGRESSION if case.numeric else ydf.Task.CLASSIFICATION,
        max_depth=-1 if case.depth is None else case.depth + 1,
        min_examples=1, validation_ratio=0.0, num_threads=1,
    )  # fmt: skip
    return learner.train(as_columns(X) | {"y": y})


def fit_lightgbm(case: Case, X: np.ndarray, y: np.ndarray) -> Any:
    """Fit one boosting round of LightGBM. A small histogram pool: a large one takes it seconds to set up."""
    import lightgbm

    classes = 0 if case.numeric else len(np.unique(y))
    objective = "regression" if case.numeric else "binary" if classes == 2 else "multiclass"
    parameters = {
        "objective": objective, "num_class": classes if classes > 2 else 1, "learning_rate": 1.0,
        "num_leaves": min(len(X) + 1, 131072) if case.depth is None else 2**case.depth,
        "max_depth": -1 if case.depth is None else case.depth,
        "min_data_in_leaf": 1, "min_data_in_bin": 1, "min_sum_hessian_in_leaf": 0.0,
        "histogram_pool_size": 64, "num_threads": 1, "verbose": -1,
    }  # fmt: skip
    data = lightgbm.Dataset(X, label=y, params=parameters)
    return lightgbm.train(parameters, data, num_boost_round=1)


def lightgbm_nodes(model: Any) -> int:
    """Count the nodes of all trees."""
    return sum(
        2 * int(leaves) - 1 for leaves in re.findall(r"^num_leaves=(\d+)", model.model_to_string(), re.M)
    )


RPART = """
library(rpart)
args <- commandArgs(TRUE); n <- as.integer(args[2]); d <- as.integer(args[3])
file <- file(args[1], "rb")
data <- as.data.frame(matrix(readBin(file, "double", n * d), n)); data$y <- readBin(file, "double", n)
close(file)
if (args[4] == "class") data$y <- factor(data$y)
control <- rpart.control(minsplit = 2, minbucket = 1, cp = 0, maxdepth = as.integer(args[5]),
                         maxcompete = 0, maxsurrogate = 0, usesurrogate = 0, xval = 0)
seconds <- system.time(fit <- rpart(y ~ ., data, method = args[4], control = control))["elapsed"]
cat(seconds, nrow(fit$frame))
"""


@cache
def rpart_version() -> str | None:
    """Return the version of R's package rpart, None if R or the package is not installed."""
    if not shutil.which("Rscript"):
        return None
    call = ["Rscript", "-e", 'cat(format(packageVersion("rpart")))']
    answer = subprocess.run(call, capture_output=True, text=True)
    return answer.stdout if answer.returncode == 0 else None


@dataclass(frozen=True)
class Elsewhere:
    """A tree that was grown by another program: how long that took, and its nodes."""

    seconds: float
    nodes: int


def fit_rpart(case: Case, X: np.ndarray, y: np.ndarray) -> Elsewhere:
    """Fit rpart in a process of its own, which times itself."""
    depth = R_DEPTH if case.depth is None else case.depth
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table"
        table.write_bytes(X.T.astype(float).tobytes() + y.astype(float).tobytes())
        method = "anova" if case.numeric else "class"
        call = ["Rscript", "-e", RPART, str(table), *map(str, X.shape), method, str(depth)]
        out = subprocess.run(call, capture_output=True, text=True, check=True).stdout.split()
    return Elsewhere(float(out[-2]), int(out[-1]))


SKLEARN = Peer(
    name="scikit-learn", package="sklearn",
    note="sorts the rows of each node; of equal splits it takes one by chance, so its trees differ a little.",
    fit=fit_sklearn, nodes=lambda m: m.tree_.node_count, predict=lambda m, X: m.predict(X),
)  # fmt: skip
DTLIB = Peer(
    name="dtlib", package="dtlib",
    note="sorts each column once, grows depth first, compiled by Numba; names and missing values by NumPy.",
    fit=fit_dtlib, nodes=lambda m: len(m.tree_), predict=lambda m, X: m.predict(X),
)  # fmt: skip
YDF = Peer(
    name="ydf", package="ydf",
    note="C++; fits and predictions include copying the columns into a table of its own.",
    fit=fit_ydf, nodes=lambda m: m.num_nodes(), predict=lambda m, X: m.predict(as_columns(X)),
)  # fmt: skip
LIGHTGBM = Peer(
    name="LightGBM", package="lightgbm",
    note="C++; another task: it puts each column into 255 bins (in its time here) and fits the gradients of "
    "one boosting round, with a tree for each class of more than two.",
    fit=fit_lightgbm, nodes=lightgbm_nodes, predict=lambda m, X: m.predict(X, num_threads=1),
    most=10**4, most_numeric=10**4,
)  # fmt: skip
RPART_IN_R = Peer(
    name="rpart", package="rpart",
    note=f"R and C; in a process of its own that times `rpart()` alone, once; at most {R_DEPTH} deep; no "
    "surrogates, competitors or cross-validation.",
    fit=fit_rpart, nodes=lambda m: m.nodes, most=10**5, most_numeric=10**4, once=True,
)  # fmt: skip
BY_NUMPY = Peer(  # in the picture alone
    name="dtlib, NumPy", package="dtlib", note="dtlib without Numba.",
    fit=lambda case, X, y: level_by_level(partial(fit_dtlib, case, X, y)), nodes=DTLIB.nodes,
)  # fmt: skip
PEERS = [SKLEARN, DTLIB, YDF, LIGHTGBM, RPART_IN_R]


@dataclass(frozen=True)
class NominalPeer:
    """A library that grows multiway trees from names: how many rows it gets, and what it does differently."""

    name: str
    package: str
    rows: int
    note: str
    fit: Callable[[pd.DataFrame, pd.Series], Any]

    def is_installed(self) -> bool:
        """Tell whether it can be timed here."""
        return importlib.util.find_spec(self.package) is not None


def fit_id3(X: pd.DataFrame, y: pd.Series) -> Any:
    """Fit dtlib's ID3."""
    return ID3Classifier().fit(X, y)


def fit_id3classifier(X: pd.DataFrame, y: pd.Series) -> Any:
    """Fit ID3 of the package ID3classifier."""
    from ID3classifier import ID3

    return ID3().fit(X, y)


def fit_easyid3(X: pd.DataFrame, y: pd.Series) -> Any:
    """Fit ID3 of the package easyID3."""
    from easyID3 import ID3DecisionTreeClassifier

    return ID3DecisionTreeClassifier().fit(X, y)


def fit_c45(X: pd.DataFrame, y: pd.Series) -> Any:
    """Fit C4.5 of the package c45-decision-tree."""
    from C45 import C45Classifier

    return C45Classifier().fit(X, y)


def fit_chaid(X: pd.DataFrame, y: pd.Series) -> Any:
    """Fit CHAID as deep as it goes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that it cannot draw
        from CHAID import Tree
    limits = {"max_depth": 100, "min_parent_node_size": 2, "min_child_node_size": 1}
    tree = Tree.from_pandas_df(X.assign(y=y), dict.fromkeys(X, "nominal"), "y", **limits)
    tree.build_tree()
    return tree


NOMINAL_PEERS = [
    NominalPeer(
        "ID3classifier", "ID3classifier", 10**5, "ID3; also asks what tells nothing", fit_id3classifier
    ),
    NominalPeer("easyID3", "easyID3", 1000, "ID3, a frame for each node", fit_easyid3),
    NominalPeer("c45-decision-tree", "C45", 10**5, "C4.5, by gain ratio", fit_c45),
    NominalPeer("CHAID", "CHAID", 3000, "merges values by tests, stops where none is significant", fit_chaid),
]
