"""What each measure says a feature is worth where the truth is known: noise, one feature of five, Friedman's.

    python -m experiments.feature_worth

writes `experiments/results/feature_worth.csv`, in some ten minutes: a line for each world, table, model and
measure, with what the model gets right (`score`) and what each feature is worth. The worlds:

- noise: the five features of Strobl et al. (2007), a normal number and names of 2, 4, 10 and 20 values, and a
  class that is the throw of a coin. 120 tables of 120 samples to grow from, and as many held out;
- two names: the same, but where the feature of two values has its first one, the class is yes with
  probability 0.7, else with 0.3;
- friedman: Friedman's function of ten numbers of which five matter, noise 1. 40 tables of 200 samples to grow
  from, and 1,000 held out.

Table t has the seed (number of the world, t), which is that of the forest and of the shuffles as well. Each
column is shuffled five times. A score is the share of right answers, or R²; trees ask names as names, forests
of scikit-learn their codes. Without each feature everything is grown again, but for the forests of names.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.datasets import make_friedman1
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.inspection import permutation_importance

from dtlib import CARTClassifier, CARTRegressor

KEPT = Path(__file__).resolve().parent / "results" / "feature_worth.csv"
VALUES = (2, 4, 10, 20)  # of the features of names
REPEATS = 5  # shuffles of each column


class Task(NamedTuple):
    """Samples to grow from, and others to test on."""

    X: pd.DataFrame
    y: np.ndarray
    fresh: pd.DataFrame
    truth: np.ndarray


def names_and_noise(rng: np.random.Generator, lift: float, n: int = 120) -> Task:
    """Draw a normal number, names, and a class that the feature of two values lifts by some probability."""
    X = pd.DataFrame({"normal": rng.normal(size=2 * n)})
    for V in VALUES:
        X[f"{V} names"] = pd.Categorical.from_codes(rng.integers(V, size=2 * n), list(range(V)))
    p = np.where(X["2 names"].cat.codes == 0, 0.5 + lift, 0.5 - lift)
    y = np.where(rng.random(2 * n) < p, "yes", "no")
    return Task(X[:n], y[:n], X[n:], y[n:])


def friedman(seed: int, n: int = 200, fresh: int = 1000) -> Task:
    """Draw a table of Friedman's function."""
    X, y = make_friedman1(n + fresh, noise=1, random_state=seed)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(1, 11)])
    return Task(frame[:n], y[:n], frame[n:], y[n:])


def coded(X: pd.DataFrame) -> pd.DataFrame:
    """Return names as numbers, for scikit-learn."""
    return X.apply(lambda column: column.cat.codes if column.dtype == "category" else column)


def worth(model: Any, task: Task, seed: int) -> Iterator[tuple[str, np.ndarray]]:
    """Yield each measure of a fitted model; but for a forest of names it is grown again without features."""
    yield "decrease", model.feature_importances_
    for name, X, y in ("own samples", task.X, task.y), ("held out", task.fresh, task.truth):
        shuffled = permutation_importance(model, X, y, n_repeats=REPEATS, random_state=seed)
        yield f"shuffled, {name}", shuffled.importances_mean
    if isinstance(model, RandomForestClassifier):
        return
    score = model.score(task.fresh, task.truth)
    without = []
    for name in task.X:
        fewer = clone(model).fit(task.X.drop(columns=name), task.y)
        without.append(score - fewer.score(task.fresh.drop(columns=name), task.truth))
    yield "left out", np.array(without)


def lines_of(world: str, table: int, task: Task, models: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a line for each model and measure."""
    for name, model in models.items():
        own = task._replace(X=coded(task.X), fresh=coded(task.fresh)) if name == "forest" else task
        model.fit(own.X, own.y)
        score = model.score(own.fresh, own.truth)
        for measure, found in worth(model, own, table):
            line = {"world": world, "table": table, "model": name, "score": score, "measure": measure}
            yield line | {f"x{j}": value for j, value in enumerate(found, 1)}


def all_lines(say: Callable[[str], Any]) -> Iterator[dict[str, Any]]:
    """Yield the lines of all worlds."""
    for number, (world, lift) in enumerate({"noise": 0.0, "two names": 0.2}.items()):
        say(f"\n{world}, tables:")
        for t in range(120):
            task = names_and_noise(np.random.default_rng((number, t)), lift)
            forest = RandomForestClassifier(50, random_state=t)
            yield from lines_of(world, t, task, {"tree": CARTClassifier(), "forest": forest})
            say(f" {t + 1}")
    say("\nfriedman, tables:")
    for t in range(40):
        forest = RandomForestRegressor(100, max_features=1 / 3, random_state=t)
        tree = CARTRegressor(min_samples_leaf=5)
        yield from lines_of("friedman", t, friedman(t), {"tree": tree, "forest": forest})
        say(f" {t + 1}")


def main() -> None:
    """Grow everything, and write the file."""
    pd.DataFrame(all_lines(sys.stderr.write)).round(4).to_csv(KEPT, index=False)


if __name__ == "__main__":
    main()
