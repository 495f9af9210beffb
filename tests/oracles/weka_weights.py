"""Record the trees of J48 on tables drawn at random whose rows have weights.

    python tests/oracles/weka_weights.py WEKA36_JAR WEKA39_CLASSPATH

writes weka_weights.json.gz beside this file. It needs a Java compiler and both versions of Weka. Recorded are
the first tables on which J48 grows more than a leaf, and the same tree in both versions; the trees of -R are
those of 3.6.14 alone, as 3.9.7 ends there with an error ("Model selection method not implemented").
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

HERE = Path(__file__).parent
RECORDED, ASKED = 200, 6
WEIGHTS = ("whole", "quarters", "hundredths", "heavy", "far apart")


class Task(NamedTuple):
    """What J48 is given: a table, classes and weights, rows to be told of, options."""

    X: pd.DataFrame
    y: pd.Series
    weight: np.ndarray
    asked: pd.DataFrame
    options: str


def drawn(seed: int) -> Task:
    """Draw a task: numbers and names, of which some are missing and some are only declared."""
    rng = np.random.default_rng(seed)
    n, K = int(rng.integers(8, 61)), int(rng.integers(2, 4))
    columns, signal = {}, rng.normal(size=n) * rng.choice([0.3, 1.0])
    for f in range(rng.integers(1, 5)):
        column, told = drawn_column(rng, n)
        columns[f"x{f + 1}"], signal = column, signal + told
    edges = np.quantile(signal, np.arange(1, K) / K)
    classes = list("abcd")[: K + int(rng.random() < 0.2)]  # a class may have no rows
    y = pd.Series(pd.Categorical.from_codes(np.searchsorted(edges, signal), classes))
    weight = {
        "whole": rng.integers(1, 5, n), "quarters": rng.integers(1, 9, n) / 4,
        "hundredths": rng.integers(1, 301, n) / 100, "heavy": rng.integers(1, 30, n),
        "far apart": rng.choice([0.1, 0.5, 2, 7, 40], n),
    }[rng.choice(WEIGHTS)]  # fmt: skip
    X = pd.DataFrame(columns)
    asked = pd.DataFrame({name: drawn_values(rng, column) for name, column in X.items()})
    return Task(X, y, weight.astype(float), asked, drawn_options(rng))


def drawn_column(rng: np.random.Generator, n: int) -> tuple[pd.Series, np.ndarray]:
    """Draw a column, and what it tells of the class."""
    if rng.random() < 0.5:
        x = rng.integers(0, rng.choice([3, 12, 30, 200]), n) / 4
        column, told = pd.Series(x), np.where(x > np.median(x), 1.5, -1.5) * rng.random()
    else:
        V = int(rng.integers(2, 13))
        code = rng.integers(0, max(1, V - int(rng.integers(0, 3))), n)
        column, told = named(code, [f"v{i}" for i in range(V)]), rng.normal(size=V)[code]
    missing = rng.random(n) < rng.choice([0, 0, 0.1, 0.4])
    missing[0] = False
    return column.mask(missing), told


def drawn_values(rng: np.random.Generator, column: pd.Series) -> pd.Series:
    """Draw values of a column to ask about, names without rows and missing values among them."""
    if column.dtype == float:
        values = pd.Series(rng.choice(column.dropna(), ASKED) + rng.integers(-2, 3, ASKED) / 8)
    else:
        names = list(column.cat.categories)
        values = named(rng.integers(0, len(names), ASKED), names)
    return values.mask(rng.random(ASKED) < 0.25)


def named(code: np.ndarray, names: list[str]) -> pd.Series:
    """Return a column of names."""
    return pd.Series(pd.Categorical.from_codes(code, names))


def drawn_options(rng: np.random.Generator) -> str:
    """Draw options of J48."""
    words = ["-M", str(rng.choice([1, 2, 2, 2, 3, 5]))]
    words += [word for word, share in (("-B", 0.3), ("-A", 0.4)) if rng.random() < share]
    way = rng.choice(["-U", "-C", "-R"], p=[0.3, 0.4, 0.3])
    if way == "-U":
        words.append("-U")
    elif way == "-R" and "-B" not in words:
        words += ["-R", "-N", str(rng.choice([2, 3, 5])), "-Q", str(rng.integers(1, 100))]
    else:
        words += ["-C", str(rng.choice([0.1, 0.25, 0.5]))] + ["-S"] * int(rng.random() < 0.3)
    return " ".join(words)


def in_arff(X: pd.DataFrame, y: pd.Series, weight: np.ndarray) -> str:
    """Return rows as Weka reads them, with what their columns declare."""
    lines = ["@relation rows"]
    for name, column in {**X, "class": y}.items():
        kind = "numeric" if column.dtype == float else "{" + ",".join(column.cat.categories) + "}"
        lines.append(f"@attribute {name} {kind}")
    cells = X.astype(object).assign(y=y.astype(object)).where(lambda x: x.notna(), "?").astype(str)
    rows = [",".join([*row, f"{{{w!r}}}"]) for row, w in zip(cells.to_numpy(), weight.tolist(), strict=True)]
    return "\n".join([*lines, "@data", *rows, ""])


def grown_by_weka(tasks: list[Task], classpath: str) -> list[dict[str, Any]]:
    """Return the trees that a version of Weka grows, and what they say."""
    with tempfile.TemporaryDirectory() as folder:
        at, lines = Path(folder), []
        for i, task in enumerate(tasks):
            nothing = pd.Series(pd.Categorical([None] * ASKED, task.y.cat.categories))
            (at / f"{i}.arff").write_text(in_arff(task.X, task.y, task.weight), encoding="utf-8")
            (at / f"asked{i}.arff").write_text(in_arff(task.asked, nothing, np.ones(ASKED)), encoding="utf-8")
            lines.append(f"{at / f'{i}.arff'} {at / f'asked{i}.arff'} {task.options}")
        (at / "list").write_text("\n".join(lines), encoding="utf-8")
        subprocess.run(["javac", "-cp", classpath, "-d", folder, HERE / "WekaWeights.java"], check=True)
        command = ["java", "-cp", f"{classpath}:{folder}", "weka.classifiers.trees.j48.WekaWeights"]
        done = subprocess.run([*command, at / "list"], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def leaves(tree: list[Any], path: tuple[Any, ...] = ()) -> dict[tuple[Any, ...], list[float]]:
    """Return the class weights of each leaf of a recorded tree, by the answers that lead to it."""
    if not isinstance(tree[0], str):
        return {path: tree}
    feature, *branches = tree
    found = {}
    for side, below in branches:
        sign, value = side.split(" ", 1)
        answer = feature, sign, float(value) if sign in ("<=", ">") else value
        found |= leaves(below, (*path, answer))
    return found


def are_equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Tell whether two versions grow the same tree, and say the same."""
    a, b = leaves(one["tree"]), leaves(other["tree"])
    same = a.keys() == b.keys() and all(np.allclose(a[path], b[path], rtol=0, atol=1e-6) for path in a)
    return same and np.allclose(one["shares"], other["shares"], rtol=0, atol=1e-6)


def listed(frame: pd.DataFrame) -> dict[str, list[Any]]:
    """Return the columns as lists, None where a value is missing."""
    return {
        name: [None if pd.isna(value) else value for value in column.tolist()]
        for name, column in frame.items()
    }


def as_recorded(seed: int, task: Task, found: dict[str, Any]) -> dict[str, Any]:
    """Return what is kept of a task and its tree."""
    declared = {name: list(x.cat.categories) for name, x in task.X.items() if x.dtype != float}
    return {
        "seed": seed, "options": task.options, "columns": listed(task.X), "declared": declared,
        "y": task.y.tolist(), "classes": list(task.y.cat.categories), "weight": task.weight.tolist(),
        "asked": listed(task.asked), **found,
    }  # fmt: skip


def record(weka36: str, weka39: str, seeds: range = range(300)) -> list[dict[str, Any]]:
    """Run both versions on drawn tables; return the first on which they grow the same tree, and no leaf."""
    tasks = {seed: drawn(seed) for seed in seeds}
    both = [seed for seed, task in tasks.items() if "-R" not in task.options]
    old = dict(zip(seeds, grown_by_weka(list(tasks.values()), weka36), strict=True))
    new = dict(zip(both, grown_by_weka([tasks[seed] for seed in both], weka39), strict=True))
    differ = [seed for seed in both if not are_equal(old[seed], new[seed])]
    print(f"on {len(differ)} of {len(both)} tables the versions differ")
    kept = [seed for seed in seeds if seed not in differ and len(leaves(old[seed]["tree"])) > 1]
    return [as_recorded(seed, tasks[seed], old[seed]) for seed in kept[:RECORDED]]


if __name__ == "__main__":
    text = json.dumps({"runs": record(*sys.argv[1:])}, separators=(",", ":"))
    (HERE / "weka_weights.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
