"""How wide the bars of the book's comparisons are, and how wide they would have to be (chapter 12).

    python -m experiments.bars

writes `experiments/results/bars.csv`. It needs what `experiments.tables` needs (the tables of Weka and R). On
one core it takes three quarters of an hour; what is done is kept in `_build/bars/`.

A bar is an error that is stated beside the mean of differences between two learners. Here it is compared
with the true one, in two ways, both on pairs whose true difference is known.

- *Made tables*: 100 tables of 200 rows in each of three worlds. The true difference of two learners in a
  world is the mean over its tables; for the same algorithm on two sets of features that are drawn alike it
  is 0.
- *Real tables*: the 23 of `experiments.tables`. Three times a table is divided into two halves, and the
  learners are compared in each. What the halves differ by has the true mean 0, and an error that both bars
  together should state. For learners that are alike, three times the table gets two sets of columns of noise,
  each as many as its features, one for each learner: their true difference is 0.

A line of the file is a pair of learners in one design, in one world or on one table: the number of `runs`,
the mean difference (`mean`) in accuracy, its true `spread` over the runs, and for each bar what it states
(the root of the mean square over the runs) and how often the difference is `beyond` two of them.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from dtlib import C45Classifier, CARTClassifier
from dtlib.book.chance import corrected_se, rows_se
from dtlib.prune import CrossValidated, ReducedError
from experiments.tables import SOURCES, load

ROOT = Path(__file__).resolve().parents[1]
RESULTS, BUILD = ROOT / "experiments" / "results", ROOT / "_build" / "bars"
TABLES, ROWS = 100, 200  # made tables of each world, and their rows
RUNS = 3  # on each real table
BARS = ("plain", "corrected", "by rows")


@dataclass(frozen=True)
class Design:
    """Divide the rows into `parts`, `times` times, and test each part, or the first `tested` as one."""

    times: int
    parts: int
    tested: int | None = None

    @property
    def ratio(self) -> float:
        """How many rows are tested for each from which a tree grows."""
        m = self.tested or 1
        return m / (self.parts - m)

    def divisions(self, y: np.ndarray, rng: np.random.Generator) -> Iterator[np.ndarray]:
        """Yield which rows are tested, with about the class shares of the table in each part."""
        for _ in range(self.times):
            order = rng.permutation(len(y))
            order = order[np.argsort(y[order], kind="stable")]
            part = np.empty(len(y), int)
            part[order] = (np.arange(len(y)) + rng.integers(self.parts)) % self.parts
            if self.tested:
                yield part < self.tested
            else:
                yield from (part == k for k in range(self.parts))


DESIGNS = {
    "5 x 5 folds": Design(5, 5),
    "10 divisions, 30% tested": Design(10, 10, 3),
    "10 halves": Design(10, 2, 1),
}
Table = tuple[pd.DataFrame, np.ndarray]
Learner = Callable[[pd.DataFrame, np.ndarray, pd.DataFrame], np.ndarray]


def tree(make: Callable[[], Any]) -> Learner:
    """Return a learner that grows a tree, and says what it answers."""
    return lambda X, y, T: make().fit(X, y).predict(T)


def of_set(prefix: str) -> Learner:
    """Return CART of the features of one of two sets, and of those of neither."""
    return lambda X, y, T: (
        CARTClassifier(missing="majority")
        .fit(X[some := [name for name in X if name[0] in ("x", prefix)]], y)
        .predict(T[some])
    )


LEARNERS: dict[str, Learner] = {
    "first set": of_set("u"),
    "second set": of_set("v"),
    "Gini": tree(lambda: CARTClassifier(missing="majority")),
    "entropy": tree(lambda: CARTClassifier(criterion="entropy", missing="majority")),
    "C4.5": tree(C45Classifier),
    "1-SE": tree(
        lambda: CARTClassifier(missing="majority", prune=CrossValidated(folds=5, se=1), random_state=0)
    ),
    "reduced error": tree(lambda: CARTClassifier(missing="majority", prune=ReducedError(), random_state=0)),
}
ALIKE = ("first set", "second set")
PAIRS = (("entropy", "Gini"), ("C4.5", "Gini"), ("1-SE", "reduced error"), ("1-SE", "Gini"))


def corner(rng: np.random.Generator) -> Table:
    """Draw points of two squares; one of them, by a coin, has the corner that decides; a fifth is flipped."""
    X = rng.random((ROWS, 4))
    inside = (X[:, ::2] > 0.4) & (X[:, 1::2] > 0.3)
    yes = np.where(rng.random(ROWS) < 0.5, *inside.T) ^ (rng.random(ROWS) < 0.2)
    return pd.DataFrame(X, columns=["u1", "u2", "v1", "v2"]), np.where(yes, "yes", "no")


def sums(rng: np.random.Generator) -> Table:
    """Draw normal features, whose sum and as much noise again decide between three classes."""
    X = rng.normal(size=(ROWS, 10))
    total = X.sum(axis=1) + rng.normal(size=ROWS) * 10**0.5
    names = [f"{of}{j}" for of in "uv" for j in range(5)]
    return pd.DataFrame(X, columns=names), np.take(["a", "b", "c"], np.digitize(total, (-2, 2)))


def categories(rng: np.random.Generator) -> Table:
    """Draw categories, each of which adds its own amount to the log-odds of yes."""
    code = rng.integers(4, size=(ROWS, 6))
    odds = np.array([-1.5, -0.5, 0.5, 1.5])[code].sum(axis=1) * 0.6
    names = [f"{of}{j}" for of in "uv" for j in range(3)]
    X = pd.DataFrame(
        {A: pd.Categorical(np.take(list("abcd"), c)) for A, c in zip(names, code.T, strict=True)}
    )
    return X, np.where(rng.random(ROWS) < 1 / (1 + np.exp(-odds)), "yes", "no")


WORLDS = {"corner": corner, "sums": sums, "categories": categories}


def right_of(
    learners: tuple[str, ...], table: Table, design: Design, rng: np.random.Generator
) -> Mapping[str, np.ndarray]:
    """Return for each learner an array (divisions, rows): 1 where it is right, NaN where it is not tested."""
    X, y = table
    tests = list(design.divisions(y, rng))
    found = {name: np.full((len(tests), len(y)), np.nan) for name in learners}
    for j, out in enumerate(tests):
        for name in learners:
            said = LEARNERS[name](X[~out], y[~out], X[out])
            found[name][j, out] = said == y[out]
    return found


def measured(right: Mapping[str, np.ndarray], pair: tuple[str, str], design: Design) -> list[float]:
    """Return the mean difference of a pair, and the bars, each computed by its own formula."""
    d = right[pair[0]] - right[pair[1]]
    of_division = np.nanmean(d, axis=1)
    bars = corrected_se(of_division, 0, 1), corrected_se(of_division, design.ratio, 1), rows_se(d)
    return [float(of_division.mean()), *map(float, bars)]


def compared(table: Table, pairs: tuple[tuple[str, str], ...], seed: list[int]) -> dict[str, list[float]]:
    """Return what is measured of each design and pair on a table."""
    rng = np.random.default_rng(seed)
    learners = tuple(dict.fromkeys(name for pair in pairs for name in pair))
    found = {}
    for name, design in DESIGNS.items():
        right = right_of(learners, table, design, rng)
        found |= {f"{name}|{a}|{b}": measured(right, (a, b), design) for a, b in pairs}
    return found


def of_world(world: str) -> list[dict[str, list[float]]]:
    """Compare all pairs on the made tables of a world."""
    number = list(WORLDS).index(world)
    return [
        compared(WORLDS[world](np.random.default_rng([number, i])), (ALIKE, *PAIRS), [number, i, 1])
        for i in range(TABLES)
    ]


def with_noise(table: Table, rng: np.random.Generator) -> Table:
    """Return a table with two sets of columns of noise, each as many as it has features."""
    X, y = table
    noise = rng.random((len(y), 2 * X.shape[1]))
    names = [f"{of}{j}" for of in "uv" for j in range(X.shape[1])]
    return X.join(pd.DataFrame(noise, X.index, names)), y


def of_table(name: str) -> list[dict[str, list[float]]]:
    """Compare learners that are alike on a real table, and all other pairs in both halves of it."""
    X, classes = load(name)
    y, runs = classes.to_numpy(str), []
    for i in range(RUNS):
        rng = np.random.default_rng([list(SOURCES).index(name), i])
        found = compared(with_noise((X, y), rng), (ALIKE,), [i, 1])
        half = next(Design(1, 2, 1).divisions(y, rng))
        one, two = (compared((X[part], y[part]), PAIRS, [i, 2]) for part in (half, ~half))
        for key, (mean, *bars) in one.items():
            found[key] = [mean - two[key][0], *np.hypot(bars, two[key][1:]).tolist()]
        runs.append(found)
    return runs


def line_of(where: str, key: str, runs: np.ndarray) -> dict[str, object]:
    """Return the line of a pair in a design: true spread, and what each bar states."""
    design, a, b = key.split("|")
    known = where in SOURCES or (a, b) == ALIKE  # the true difference is 0
    off = runs[:, 0] - (0 if known else runs[:, 0].mean())
    spread = np.sqrt((off**2).sum() / (len(runs) - (not known)))
    line: dict[str, object] = {
        "where": where, "design": design, "first": a, "second": b, "runs": len(runs),
        "mean": runs[:, 0].mean().round(5), "spread": spread.round(5),
    }  # fmt: skip
    for bar, stated in zip(BARS, runs[:, 1:].T, strict=True):
        line[bar] = np.sqrt(np.mean(stated**2)).round(5)
        line[f"beyond, {bar}"] = int((np.abs(off) > 2 * stated + 1e-12).sum())
    return line


def kept(where: str) -> list[dict[str, list[float]]]:
    """Return the runs of a world or a table, computed once."""
    path = BUILD / f"{where}.json"
    if not path.exists():
        start = time.perf_counter()
        runs = of_world(where) if where in WORLDS else of_table(where)
        path.write_text(json.dumps(runs))
        print(f"{where}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    return list(json.loads(path.read_text()))


def main() -> None:
    """Run everything, or the worlds and tables that are named, and write what the chapter reads."""
    warnings.filterwarnings("ignore")
    BUILD.mkdir(parents=True, exist_ok=True)
    if sys.argv[1:]:  # some, for a process of their own
        for where in sys.argv[1:]:
            kept(where)
        return
    lines = []
    for where in (*WORLDS, *SOURCES):
        runs = kept(where)
        lines += [line_of(where, key, np.array([run[key] for run in runs])) for key in runs[0]]
    pd.DataFrame(lines).to_csv(RESULTS / "bars.csv", index=False)


if __name__ == "__main__":
    main()
