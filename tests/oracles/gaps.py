"""Record what programs do with missing values and unseen categories: where such rows go, and if they count.

    python tests/oracles/gaps.py RSCRIPT WEKA_JAR

writes experiments/results/gaps.json: of each program that is installed, its version, and for each question
below the share of class b that one split predicts, or what the program says if it refuses. A program that is
not installed keeps its lines. ``python tests/oracles/gaps.py`` asks scikit-learn alone for the faults of its
issues; it needs nothing but scikit-learn, so that old versions can be asked. LightGBM has the MIT licence,
XGBoost and ydf have Apache-2.0, scikit-learn BSD-3, rpart GPL-2 or GPL-3, Weka GPL-2; only their answers are
kept.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
FILE = HERE.parents[1] / "experiments" / "results" / "gaps.json"
NAN, FAR = float("nan"), 10_000.0
#: A column, the class of each of its rows, and the values that are asked.
Question = tuple[list[Any], str, list[Any]]


def steps(low: int, high: int, shift: float = 0.0) -> list[float]:
    """Return numbers of two sides, of which the shorter has one far out, so that their mean lies on it."""
    x = [float(k) for k in range(1, low + high + 1)]
    x[0 if low < high else -1] += -FAR if low < high else FAR
    return [value + shift for value in x]


def questions() -> dict[str, Question]:
    """Return the tables: below is class a, above is class b, and one side is three times as heavy."""
    none, far = [NAN] * 10, 2 * FAR
    asked: dict[str, Question] = {
        "gaps alone tell the class": ([NAN] * 20 + steps(10, 10), "a" * 20 + "b" * 20, [NAN, 5.0]),
        "gaps of class a": (steps(10, 30) + none, "a" * 10 + "b" * 30 + "a" * 10, [NAN]),
        "gaps of class b": (steps(10, 30) + none, "a" * 10 + "b" * 30 + "b" * 10, [NAN]),
    }
    for sign, shift in (("above 0", far), ("below 0", -far)):
        asked[f"no gap, upper side heavier, {sign}"] = (steps(10, 30, shift), "a" * 10 + "b" * 30, [NAN])
        asked[f"no gap, lower side heavier, {sign}"] = (steps(30, 10, shift), "a" * 30 + "b" * 10, [NAN])
    names = ["p", "q"] * 10
    asked["gaps of categories alone tell"] = ([None] * 20 + names, "a" * 20 + "b" * 20, [None, "p"])
    for low, high in ((10, 30), (30, 10)):
        heavier = "b" if low < high else "a"
        table = ["p"] * low + ["q"] * high, "a" * low + "b" * high
        asked[f"no gap of categories, {heavier} heavier"] = (*table, [None])
        asked[f"unseen category, {heavier} heavier"] = (*table, ["new"])
    return asked


def by_scikit_learn(x: Any, y: Any, asked: Any) -> Any:
    """Ask a tree of scikit-learn, which takes numbers only."""
    from sklearn.tree import DecisionTreeRegressor

    return DecisionTreeRegressor(max_depth=1, random_state=0).fit(x, y).predict(asked)


def by_histograms(x: Any, y: Any, asked: Any) -> Any:
    """Ask one tree of scikit-learn's histogram boosting."""
    from sklearn.ensemble import HistGradientBoostingRegressor

    settings = {"max_iter": 1, "learning_rate": 1.0, "max_leaf_nodes": 2, "min_samples_leaf": 1}
    return HistGradientBoostingRegressor(**settings).fit(x, y).predict(asked)


def by_lightgbm(x: Any, y: Any, asked: Any) -> Any:
    """Ask one tree of LightGBM."""
    from lightgbm import LGBMRegressor

    settings = {"n_estimators": 1, "learning_rate": 1.0, "num_leaves": 2, "min_child_samples": 1,
                "min_data_in_bin": 1, "cat_smooth": 0.0, "cat_l2": 0.0, "min_data_per_group": 1}  # fmt: skip
    return LGBMRegressor(**settings, verbose=-1, n_jobs=1).fit(x, y).predict(asked)


def by_xgboost(x: Any, y: Any, asked: Any) -> Any:
    """Ask one tree of XGBoost."""
    from xgboost import XGBRegressor

    settings = {"n_estimators": 1, "learning_rate": 1.0, "max_depth": 1, "reg_lambda": 0.0, "base_score": 0.0}
    return XGBRegressor(**settings, enable_categorical=True, n_jobs=1).fit(x, y).predict(asked)


def by_ydf(x: Any, y: Any, asked: Any) -> Any:
    """Ask one tree of ydf."""
    import ydf

    ydf.verbose(0)
    settings = {"max_depth": 2, "min_examples": 1, "validation_ratio": 0.0, "min_vocab_frequency": 1}
    learner = ydf.CartLearner(label="y", task=ydf.Task.REGRESSION, **settings)
    texts = {"x": asked["x"].astype(object)} if asked["x"].dtype == "category" else {}
    train = x.assign(y=y, **({"x": x["x"].astype(object)} if texts else {}))
    return learner.train(train).predict(asked.assign(**texts))


def in_frames(ask: Callable[[Any, Any, Any], Any], question: Question) -> list[float]:
    """Return the shares of class b that a program of Python predicts; a second column never changes."""
    import pandas as pd

    column, classes, asked = question
    is_text = any(isinstance(value, str) for value in column)
    names = sorted({value for value in (*column, *asked) if isinstance(value, str)})
    train, new = (
        pd.DataFrame({"x": pd.Categorical(values, names) if is_text else values, "z": 1.0})
        for values in (column, asked)
    )
    train["x"] = train["x"].cat.remove_unused_categories() if is_text else train["x"]
    said = ask(train, np.array([float(label == "b") for label in classes]), new)
    return [abs(round(float(share), 3)) for share in said]


def in_r(rscript: str, question: Question) -> list[float]:
    """Return the shares of class b that rpart predicts."""
    column, classes, asked = question
    with tempfile.TemporaryDirectory() as folder:
        for name, values in (("train", column), ("asked", asked)):
            cells = ["" if value is None or value != value else value for value in values]
            lines = [f"{cell},1,{label}" for cell, label in zip(cells, classes, strict=False)]
            Path(folder, f"{name}.csv").write_text("\n".join(["x,z,y", *lines, ""]), encoding="utf-8")
        done = subprocess.run([rscript, HERE / "gaps.R", folder], check=False, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.partition("\n")[2].strip().partition("\n")[0])
    return [round(float(share), 3) for share in done.stdout.split()]


def in_weka(jar: str, question: Question) -> list[float]:
    """Return the shares of class b that J48 predicts; the file declares the unseen category."""
    column, classes, asked = question
    kind = "{p,q,new}" if any(isinstance(value, str) for value in column) else "numeric"
    head = ["@relation gaps", f"@attribute x {kind}", "@attribute z numeric", "@attribute y {a,b}", "@data"]
    with tempfile.TemporaryDirectory() as folder:
        for name, values in (("train", column), ("asked", asked)):
            cells = ["?" if value is None or value != value else value for value in values]
            lines = [f"{cell},1,{label}" for cell, label in zip(cells, classes, strict=False)]
            Path(folder, f"{name}.arff").write_text("\n".join([*head, *lines, ""]), encoding="utf-8")
        options = ["-U", "-M", "1", "-p", "0", "-distribution", "-t", "train.arff", "-T", "asked.arff"]
        command = ["java", "-cp", jar, "weka.classifiers.trees.J48", *options]
        done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder)
    rows = [line.split()[-1] for line in done.stdout.splitlines() if "," in line]
    return [float(row.replace("*", "").split(",")[1]) for row in rows]


IN_PYTHON = {
    "scikit-learn's tree": ("scikit-learn", by_scikit_learn),
    "its histogram boosting": ("scikit-learn", by_histograms),
    "LightGBM": ("lightgbm", by_lightgbm),
    "XGBoost": ("xgboost", by_xgboost),
    "ydf": ("ydf", by_ydf),
}


def said_by(*command: str) -> str:
    """Return what a program prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def answers(ask: Callable[[Question], list[float]]) -> dict[str, Any]:
    """Return what a program says to each question."""
    said: dict[str, Any] = {}
    for name, question in questions().items():
        try:
            said[name] = ask(question)
        except Exception as error:  # what it says is the answer
            said[name] = f"{type(error).__name__}: {error}".partition("\n")[0]
    return said


def version_of(package: str) -> str:
    """Return the version of a package, or "" if it is not installed."""
    names = (package, f"{package}-cpu")  # XGBoost without a GPU has another name
    return next((x.version for name in names for x in metadata.distributions(name=name)), "")


def words(said: dict[str, Any]) -> dict[str, str]:
    """Return what the answers of a program mean."""

    def shares(*names: str) -> tuple[float, ...]:
        found = [said[name] for name in names]
        return () if any(isinstance(one, str) for one in found) else tuple(x for one in found for x in one)

    signs, halves, heavier = ("above", "below"), ("upper", "lower"), ("b heavier", "a heavier")
    sides = [f"no gap, {half} side heavier, {sign} 0" for sign in signs for half in halves]
    return {
        "missing in training": CHOSEN[shares("gaps alone tell the class")],
        "then in prediction": SENT[shares("gaps of class a", "gaps of class b")],
        "none was in training": NEVER[shares(*sides)],
        "missing category": CHOSEN[shares("gaps of categories alone tell")],
        "unseen category": UNSEEN[shares(*(f"unseen category, {side}" for side in heavier))],
    }


UNLISTED = "the branch of the rest"
#: What was seen of rows without a value, and of others: the words.
CHOSEN = {
    (0.0, 1.0): "tried on both sides", (0.5, 0.5): "left out of the choice",
    (0.048, 1.0): "the mean is filled in", (0.333, 1.0): UNLISTED, (): "refused",
}  # fmt: skip
SENT = {
    (0.0, 1.0): "the side that was better", (0.75, 1.0): "the heavier branch", (0.6, 0.8): "both, in parts",
    (0.0, 0.5): "where the mean goes",
}  # fmt: skip
NEVER = {
    (1.0, 0.0, 1.0, 0.0): "the heavier branch", (0.75, 0.25, 0.75, 0.25): "both, in parts",
    (0.0, 0.0, 1.0, 1.0): "where 0 goes", (1.0, 1.0, 1.0, 1.0): "the right branch",
    (0.0, 1.0, 0.0, 1.0): "where the mean goes",
}  # fmt: skip
UNSEEN = {
    (1.0, 0.0): "the heavier branch", (0.75, 0.25): "both, in parts",
    (0.0, 0.0): UNLISTED, (0.0, 1.0): UNLISTED, (): "refused",
}  # fmt: skip


def rows_below(tree: Any, leaf: Any, node: int) -> Any:
    """Tell which rows end below a node of scikit-learn's, given their leaves."""
    todo, found = [node], np.zeros(len(leaf), bool)
    while todo:
        i = todo.pop()
        found |= leaf == i
        todo += [child[i] for child in (tree.children_left, tree.children_right) if child[i] >= 0]
    return found


def is_right(issue: str) -> bool:
    """Tell whether the installed scikit-learn does right what an issue of its repository says is wrong."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    if issue == "28254":  # gaps counted again for each split: variances of -112 and NaN
        X, y = np.array([[NAN, NAN, 3.0, 4, 5, 6]]).T, np.arange(6.0)
        return bool((DecisionTreeRegressor(random_state=0).fit(X, y).tree_.impurity >= 0).all())
    if issue == "28298":  # nodes of one class are split
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
        X[rng.random(X.shape) < 0.3] = NAN
        for seed in range(50):
            model = DecisionTreeClassifier(max_features=1, random_state=seed).fit(X, y)
            tree, leaf = model.tree_, model.apply(X)
            inner = np.flatnonzero(tree.feature >= 0)
            if any(len(set(y[rows_below(tree, leaf, i)])) == 1 for i in inner):
                return False
        return True
    if issue == "32119":  # no gaps with absolute error
        X, y = np.array([[NAN, NAN, 3.0, 4, 5, 6]]).T, np.array([0.0, 0, 5, 5, 9, 9])
        try:
            return bool((DecisionTreeRegressor(criterion="absolute_error").fit(X, y).predict(X) == y).all())
        except ValueError:
            return False
    if issue == "32178":  # the decrease is too small where the gaps go left
        X, y = np.array([[NAN] * 4 + [1.0, 2, 3, 4], [1.0, 2] * 4]).T, np.array([0.0] * 4 + [1.0] * 4)
        settings = {"max_depth": 1, "min_impurity_decrease": 0.25}
        found = [DecisionTreeRegressor(random_state=seed, **settings).fit(X, y) for seed in range(50)]
        return all(tree.get_n_leaves() == 2 for tree in found)
    if issue == "32272":  # one value and gaps count as constant
        X = np.array([[0.0, 0, 0, NAN, NAN]]).T
        return bool(DecisionTreeClassifier().fit(X, [0, 0, 0, 1, 1]).get_n_leaves() == 2)
    X, y = np.array([[0, NAN, NAN, 2.0, 3]]).T, [0, 0, 0, 1, 1]  # 32284: decision_path sends gaps right
    tree = DecisionTreeClassifier().fit(X, y)
    return bool(tree.decision_path(X).toarray()[np.arange(5), tree.apply(X)].all())


ISSUES = ("28254", "28298", "32119", "32178", "32272", "32284")


def main(rscript: str = "", jar: str = "") -> None:
    """Ask all programs, or scikit-learn alone for its issues, and write the file."""
    kept = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {"programs": {}, "issues": {}}
    kept["issues"][version_of("scikit-learn")] = {issue: is_right(issue) for issue in ISSUES}
    asked: dict[str, tuple[str, Callable[[Question], list[float]]]] = {}
    for name, (package, ask) in IN_PYTHON.items() if rscript else ():
        if version := version_of(package):
            asked[name] = version, lambda question, ask=ask: in_frames(ask, question)
    if rscript:
        version = said_by(rscript, "-e", 'cat(format(packageVersion("rpart")))')
        asked["rpart"] = version, lambda question: in_r(rscript, question)
        version = said_by("java", "-cp", jar, "weka.core.Version").split()[0]
        asked["J48 of Weka"] = version, lambda question: in_weka(jar, question)
    for name, (version, ask) in asked.items():
        said = answers(ask)
        kept["programs"][name] = {"version": version, "says": words(said), "answers": said}
    FILE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
