"""The first answer: seconds to the first, second and hundredth fit, with nothing compiled and with all.

Each row is a process of its own. Cold, its folder for compiled code is new and empty; warm, all is compiled.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from report import number, table

STEPS = """
import sys, time
import numpy as np
start = time.perf_counter()
import dtlib
loaded = time.perf_counter() - start
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
print(loaded, seconds[0], seconds[1], seconds[-1], max(seconds))
"""
CASES = (
    ("iris, 150 x 4", 150, 100),
    ("100,000 x 20, depth 8", 10**5, 100),
    ("1,000,000 x 20, depth 8", 10**6, 12),
)
WARM, COLD, NUMPY, SKLEARN = "warm", "cold", "NumPy alone", "scikit-learn"


def timed(case: tuple[int, int], how: str, folder: str) -> list[float]:
    """Return the seconds of the import, of three fits, and of the longest, in a new process."""
    known = os.environ | {"NUMBA_CACHE_DIR": folder} | ({"NUMBA_DISABLE_JIT": "1"} if how == NUMPY else {})
    call = [sys.executable, "-c", STEPS, *map(str, case), "sklearn" if how == SKLEARN else "dtlib"]
    done = subprocess.run(call, env=known, check=True, stdout=subprocess.PIPE, text=True)
    while any(Path(folder).glob("*/compiling")):  # the process in the background would slow the next one down
        time.sleep(0.5)
    return [float(x) for x in done.stdout.split()]


def first_answers(rows: int) -> str:
    """Time the first fits of tables of at most so many rows; return the table."""
    lines = []
    with tempfile.TemporaryDirectory() as filled:
        call = [sys.executable, "-m", "dtlib", "--compile"]
        subprocess.run(
            call, env=os.environ | {"NUMBA_CACHE_DIR": filled}, check=True, stdout=subprocess.DEVNULL
        )
        for name, size, fits in CASES:
            if size > rows:
                continue
            by_numpy = timed((size, fits), NUMPY, filled)
            for how in (COLD, WARM, NUMPY, SKLEARN):
                with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as empty:
                    found = (
                        timed((size, fits), how, empty if how == COLD else filled)
                        if how != NUMPY
                        else by_numpy
                    )
                _, first, second, last, longest = found
                ratio = number(first / by_numpy[1])
                cells = [f"{x:.4f}" for x in (first, second, last, longest)]
                lines.append([name, how, *cells, ratio])
                print(*lines[-1], flush=True)
    last = f"last of {', '.join(str(fits) for *_, fits in CASES)}"
    return table(["seconds", "", "first fit", "second", last, "longest", "first, by NumPy's"], lines)


if __name__ == "__main__":
    print(first_answers(int(sys.argv[1]) if len(sys.argv) > 1 else 10**6))
