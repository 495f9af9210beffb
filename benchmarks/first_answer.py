"""The first answer: seconds to the first, second and hundredth fit, with nothing compiled and with all.

Each row is a process of its own. Cold, its folder for compiled code is new and empty; warm, all is compiled.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from report import number, table

STEPS = """
import sys, time
import numpy as np
import dtlib
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier
rows, fits, name = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
if rows == 150:
    X, y = load_iris(return_X_y=True)
else:
    X = np.random.default_rng(0).normal(size=(rows, 20)).astype(np.float32)
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
model = dtlib.CARTClassifier.sklearn(max_depth=8)
if name == "sklearn":
    model = DecisionTreeClassifier(max_depth=8)
seconds = []
for _ in range(fits):
    begin = time.perf_counter()
    model.fit(X, y)
    seconds.append(time.perf_counter() - begin)
print(seconds[0], seconds[1], seconds[-1], max(seconds))
"""
CASES = (
    ("iris, 150 x 4", 150, 100),
    ("100,000 x 20, depth 8", 10**5, 100),
    ("1,000,000 x 20, depth 8", 10**6, 12),
)
PAGE = Path(__file__).parents[1] / "experiments" / "results" / "first_answer.csv"  # for "Why it is fast"
WHOLE = 10**6  # rows of a full run
COLD, WARM, NUMPY, SKLEARN = "cold", "warm", "NumPy alone", "scikit-learn"
ROUNDS = 3


def timed(rows: int, fits: int, how: str, folder: str) -> list[float]:
    """Return the seconds of the first, the second, the last and the longest fit, in a new process."""
    known = os.environ | {"NUMBA_CACHE_DIR": folder} | ({"NUMBA_DISABLE_JIT": "1"} if how == NUMPY else {})
    fits = fits if how in (COLD, WARM) else 2  # the others do not get faster
    call = [sys.executable, "-c", STEPS, str(rows), str(fits), "sklearn" if how == SKLEARN else "dtlib"]
    done = subprocess.run(call, env=known, check=True, stdout=subprocess.PIPE, text=True)
    if how == COLD:
        time.sleep(3)  # for the process that compiles to begin: it would slow the next one down
    while any(Path(folder).glob("*/compiling")):
        time.sleep(0.5)
    return [float(x) for x in done.stdout.split()]


def first_answers(rows: int) -> str:
    """Time the first fits of tables of at most so many rows; return a table of medians over the rounds."""
    lines, head = [], ["table", "how", "first fit", "second", "last", "longest", "first, by NumPy's"]
    with tempfile.TemporaryDirectory() as filled:
        call = [sys.executable, "-m", "dtlib", "--compile"]
        known = os.environ | {"NUMBA_CACHE_DIR": filled}
        subprocess.run(call, env=known, check=True, stdout=subprocess.DEVNULL)
        for name, size, fits in CASES:
            if size > rows:
                continue
            found: dict[str, list[list[float]]] = {how: [] for how in (COLD, WARM, NUMPY, SKLEARN)}
            for how in [*found] * ROUNDS:
                with tempfile.TemporaryDirectory() as empty:
                    found[how].append(timed(size, fits, how, empty if how == COLD else filled))
            medians = {how: [median(x) for x in zip(*each, strict=True)] for how, each in found.items()}
            for how, times in medians.items():
                ratio = number(times[0] / medians[NUMPY][0])
                lines.append([name, how, *(f"{x:.4f}" for x in times), ratio])
                print(*lines[-1], flush=True)
    if rows >= WHOLE:
        with PAGE.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([head, *lines])
    said = (
        f"Seconds, each process new. Cold, nothing is compiled; warm, all is. Medians of {ROUNDS} rounds; "
        "dtlib's *last* fit is the 100th, of the largest table the 12th."
    )
    return f"{said}\n\n{table(head, lines)}"


if __name__ == "__main__":
    print(first_answers(int(sys.argv[1]) if len(sys.argv) > 1 else WHOLE))
