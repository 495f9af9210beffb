"""Twenty-three tables, thirteen methods, the same folds for all (chapter 23).

    python -m experiments.twenty_tables

writes `experiments/results/twenty_tables.csv` and `experiments/results/twenty_tables_sources.csv`. It needs
requirements/all.txt, experiments/requirements.txt and the Debian packages named there; on two busy cores it
took half an hour. What is done is kept in `_build/twenty_tables/`, so a run that was stopped goes on where it
was; `python -m experiments.twenty_tables iris wine` does these two tables only, beside another process.

The folds are those of five times five-fold cross-validation, stratified, with the seeds 0 to 4. A line of
the first file is a method on a table: for each of the 25 folds, in order, how many held-out rows it has
right, and the mean number of leaves. The method `held out` counts the rows of each fold. Oblique trees, which
are slow, have the ten folds of seeds 0 and 1; `j48 of dtlib` and `rpart of dtlib`, to be compared with the
programs, the five of seed 0.

Everything a method learns, it learns from the training rows of a fold: thirds, the price per leaf, gaps to be
filled. scikit-learn is given a column of 0 and 1 for each name. Its trees, and C4.5's, know what to do with
gaps of numbers. `C4.5 Release 8` is `C45Classifier.release8()`, pruned.

The rule for the tables was made before the run: every measured table with classes and 50 to 2000 rows that
comes with scikit-learn, this book, Weka, or R's mlbench and rpart; once, if several have it. Some were known
by then, such as the votes, irises, wines and tumors.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from dtlib import C45Classifier, CARTClassifier, ID3Classifier, ObliqueTreeClassifier
from dtlib.prune import CrossValidated
from experiments.tables import SOURCES, about, load
from tests.oracles.side_by_side import gathered, write_arff

ROOT = Path(__file__).resolve().parents[1]
ORACLES, KEPT = ROOT / "tests" / "oracles", ROOT / "experiments" / "results"
BUILD = ROOT / "_build" / "twenty_tables"
WEKA = "/usr/share/java/weka.jar"
FOLDS, REPEATS = 5, 5
FEWER = {"oblique": 2, "j48 of dtlib": 1, "rpart of dtlib": 1}  # seeds
Rows = pd.DataFrame
Answers = tuple[Any, float]  # what is said of each held-out row, and the leaves
Method = Callable[[Rows, pd.Series, Rows, int], Answers]


def fitted(model: Any, A: Rows, c: pd.Series, T: Rows) -> Answers:
    """Fit a tree, and ask it."""
    model.fit(A, c)
    leaves = model.get_n_leaves() if hasattr(model, "get_n_leaves") else np.nan
    return model.predict(T), leaves


def in_thirds(A: Rows, T: Rows) -> tuple[Rows, Rows]:
    """Return both with numbers grouped at the thirds of the first, and gaps as a name of their own."""
    both = [A.copy(), T.copy()]
    for name in A:
        if pd.api.types.is_numeric_dtype(A[name]):
            edges = np.unique(A[name].quantile([1 / 3, 2 / 3]).dropna())
            for X in both:
                group = pd.Series(np.searchsorted(edges, X[name]), X.index).map(
                    {0: "low", 1: "middle", 2: "high"}
                )
                X[name] = group.where(X[name].notna(), "unknown")
        else:
            for X in both:
                X[name] = X[name].astype(object).fillna("unknown")
    return both[0], both[1]


def as_numbers(A: Rows, T: Rows) -> tuple[Rows, Rows]:
    """Return both with a column of 0 and 1 for each name, a gap among them; numbers keep their gaps."""
    dummies = pd.get_dummies(pd.concat([A, T]), dummy_na=True, dtype=float)
    return dummies.iloc[: len(A)], dummies.iloc[len(A) :]


def id3(A: Rows, c: pd.Series, T: Rows, seed: int) -> Answers:
    """ID3 of numbers in thirds."""
    A, T = in_thirds(A, T)
    return fitted(ID3Classifier(), A, c, T)


def pruned_sklearn(A: Rows, c: pd.Series, T: Rows, seed: int) -> Answers:
    """scikit-learn, with the best of ten prices per leaf in five folds of the training rows."""
    A, T = as_numbers(A, T)
    tree = DecisionTreeClassifier(random_state=seed)
    alphas = tree.cost_complexity_pruning_path(A, c).ccp_alphas
    most, least = alphas.max(initial=1e-9), alphas[alphas > 1e-9].min(initial=alphas.max(initial=1e-9))
    some = [*np.geomspace(most, least, 9), 0.0]
    inner = StratifiedKFold(5, shuffle=True, random_state=seed)
    search = GridSearchCV(tree, {"ccp_alpha": some}, cv=inner).fit(A.to_numpy(), c)
    return search.predict(T.to_numpy()), search.best_estimator_.get_n_leaves()


def ydf_cart(A: Rows, c: pd.Series, T: Rows, seed: int) -> Answers:
    """CART of ydf with its own options: 5 rows in a leaf, at most 15 deep, pruned on a tenth held out."""
    import ydf

    ydf.verbose(0)
    columns = {A_: A[A_].astype(object) if A[A_].dtype == "category" else A[A_] for A_ in A}
    train = pd.DataFrame(columns).assign(classes=c.to_numpy())
    test = pd.DataFrame({A_: T[A_].astype(object) if T[A_].dtype == "category" else T[A_] for A_ in T})
    model = ydf.CartLearner(label="classes", num_threads=1, random_seed=seed).train(train)
    shares, classes = model.predict(test), model.label_classes()
    said = (
        np.where(shares > 0.5, classes[1], classes[0])
        if shares.ndim == 1
        else np.take(classes, shares.argmax(1))
    )
    return said, (model.num_nodes() + 1) / 2


METHODS: dict[str, Method] = {
    "commonest class": lambda A, c, T, seed: fitted(DummyClassifier(), A, c, T),
    "ID3, thirds": id3,
    "C4.5, full": lambda A, c, T, seed: fitted(C45Classifier(), A, c, T),
    "C4.5 Release 8": lambda A, c, T, seed: fitted(C45Classifier.release8(), A, c, T),
    "CART, full": lambda A, c, T, seed: fitted(CARTClassifier(missing="surrogate"), A, c, T),
    "CART, 1-SE": lambda A, c, T, seed: fitted(
        CARTClassifier(missing="surrogate", prune=CrossValidated(folds=5, se=1), random_state=seed), A, c, T),
    "oblique": lambda A, c, T, seed: fitted(ObliqueTreeClassifier(random_state=seed), A, c, T),
    "scikit-learn": lambda A, c, T, seed: (
        fitted(DecisionTreeClassifier(random_state=seed), *(lambda n: (n[0], c, n[1]))(as_numbers(A, T)))),
    "scikit-learn, pruned": pruned_sklearn,
    "ydf": ydf_cart,
    "random forest": lambda A, c, T, seed: (
        fitted(RandomForestClassifier(random_state=seed), *(lambda n: (n[0], c, n[1]))(as_numbers(A, T)))),
    "j48 of dtlib": lambda A, c, T, seed: fitted(C45Classifier.j48(), A, c, T),
    "rpart of dtlib": lambda A, c, T, seed: fitted(CARTClassifier.rpart(), A, c, T),
}  # fmt: skip


def folds_of(y: pd.Series) -> pd.DataFrame:
    """Return the fold of each row, a column for each seed."""
    fold = pd.DataFrame(0, y.index, [f"seed{r}" for r in range(REPEATS)])
    for r in range(REPEATS):
        splitter = StratifiedKFold(FOLDS, shuffle=True, random_state=r)
        for k, (_, out) in enumerate(splitter.split(np.zeros(len(y)), y)):
            fold.iloc[out, r] = k
    return fold


def can(method: str, X: pd.DataFrame) -> bool:
    """Tell whether a method takes a table: slanted questions want numbers without gaps."""
    return method != "oblique" or (X.dtypes.eq(float).all() and not X.isna().any(axis=None))


def judged(method: Method, X: pd.DataFrame, y: pd.Series, fold: pd.Series, seed: int) -> list[list[float]]:
    """Return for each fold how many held-out rows are right, and the leaves."""
    found = []
    for k in range(FOLDS):
        out = (fold == k).to_numpy()
        said, leaves = method(X[~out], y[~out], X[out], seed)
        found.append([int((np.asarray(said) == y[out].to_numpy()).sum()), float(leaves)])
    return found


def by_programs(X: pd.DataFrame, y: pd.Series, fold: pd.DataFrame) -> dict[str, list[list[float]]]:
    """Return the same of J48 in Weka and of rpart in R, for all seeds."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        subprocess.run(["javac", "-cp", WEKA, "-d", folder, ORACLES / "SideBySide.java"], check=True)
        X.assign(**{"class": y}).to_csv(at / "rows.csv", index=False, na_rep="?")
        fold.to_csv(at / "folds.csv", index=False)
        write_arff(at / "rows.arff", X, y)
        commands: dict[str, list[Any]] = {
            "rpart": ["Rscript", ORACLES / "side_by_side.R", at / "rows.csv", at / "folds.csv"],
            "J48": ["java", "-cp", f"{WEKA}:{folder}", "SideBySide", at / "rows.arff", at / "folds.csv"],
        }
        for program, command in commands.items():
            plain = os.environ | {"LC_ALL": "C"}  # R then orders classes by their letters, as Python does
            done = subprocess.run(command, check=True, capture_output=True, text=True, env=plain)
            kept = gathered(done.stdout, fold, FOLDS)
            said, leaves = np.take(sorted(set(y)), kept["said"]), iter(kept["leaves"])
            right = said == y.to_numpy()
            found[program] = [[int(right[r][fold.iloc[:, r] == k].sum()), next(leaves)]
                              for r in range(REPEATS) for k in range(FOLDS)]  # fmt: skip
    return found


def kept(name: str, compute: Callable[[], Any]) -> Any:
    """Return what was computed under a name before, or compute and keep it."""
    path = BUILD / f"{name}.json"
    if not path.exists():
        start = time.perf_counter()
        found = compute()
        path.write_text(json.dumps(found))
        print(f"{name}: {time.perf_counter() - start:.1f} s", file=sys.stderr, flush=True)
    return json.loads(path.read_text())


def lines_of(table: str) -> list[dict[str, object]]:
    """Run all methods on a table, and return its lines."""
    X, y = load(table)
    fold = folds_of(y)
    lines: list[dict[str, object]] = [
        {"table": table, "method": "held out",
         "right": " ".join(str((fold.iloc[:, r] == k).sum()) for r in range(REPEATS) for k in range(FOLDS))},
    ]  # fmt: skip
    runs = kept(f"{table} programs {REPEATS}", lambda: by_programs(X, y, fold))
    for method in METHODS:
        seeds = FEWER.get(method, REPEATS)
        if can(method, X):
            again = partial(judged, METHODS[method], X, y)
            runs[method] = [
                line
                for r in range(seeds)
                for line in kept(f"{table} {method} {r}", partial(again, fold.iloc[:, r], r))
            ]
    for method, run in runs.items():
        rights, leaves = zip(*run, strict=True)
        lines.append({"table": table, "method": method, "right": " ".join(map(str, rights)),
                      "leaves": round(float(np.mean(leaves)), 1)})  # fmt: skip
    return lines


def main() -> None:
    """Run everything, and write what the chapter reads."""
    warnings.filterwarnings("ignore")
    BUILD.mkdir(parents=True, exist_ok=True)
    if sys.argv[1:]:  # some tables, for a process of their own
        for name in sys.argv[1:]:
            lines_of(name)
        return
    sources = pd.DataFrame([about(name, *load(name)) for name in SOURCES])
    sources.to_csv(KEPT / "twenty_tables_sources.csv", index=False)
    lines = pd.DataFrame([line for name in SOURCES for line in lines_of(name)])
    lines.to_csv(KEPT / "twenty_tables.csv", index=False)


if __name__ == "__main__":
    main()
