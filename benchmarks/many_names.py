"""Names with a thousand values beside LightGBM, which too puts them into two groups."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from statistics import median
from typing import Any

import numpy as np
import pandas as pd
from report import number, ratios, table, verdict

from dtlib import CARTClassifier

COLUMNS, VALUES, DEPTH, AT_MOST = 20, 1000, 8, 1.0
OURS, LIGHTGBM = "dtlib", "LightGBM"


def many_names(n: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Return names, and two classes to which five columns contribute."""
    rng = np.random.default_rng(0)
    codes, worth = rng.integers(0, VALUES, (COLUMNS, n)), rng.standard_normal((5, VALUES))
    values = [f"v{k}" for k in range(VALUES)]
    frame = pd.DataFrame({f"x{f}": pd.Categorical.from_codes(code, values) for f, code in enumerate(codes)})
    total = sum(worth[f][codes[f]] for f in range(5)) + rng.standard_normal(n)
    return frame, (total > 0).astype(int)


def lightgbm_tree() -> Any:
    """Return one tree of LightGBM that may take any group of values."""
    from lightgbm import LGBMClassifier

    return LGBMClassifier(
        n_estimators=1, learning_rate=1.0, num_leaves=2**DEPTH, max_depth=DEPTH, min_child_samples=1,
        min_child_weight=0, max_cat_threshold=VALUES, cat_smooth=0, cat_l2=0, max_cat_to_onehot=1,
        max_bin=VALUES + 24, verbose=-1, n_jobs=1,
    )  # fmt: skip


def names_section(take_turns: Callable[[dict[str, Callable[[], Any]]], tuple], rows: int) -> str:
    """Time both, and write their section."""
    if find_spec("lightgbm") is None:
        return "LightGBM is not installed."
    n = min(10**5, rows)
    X, y = many_names(n)
    ours = CARTClassifier(max_depth=DEPTH, keep_data=False)
    timings, _ = take_turns({LIGHTGBM: partial(lightgbm_tree().fit, X, y), OURS: partial(ours.fit, X, y)})
    ratio, seconds = median(ratios(timings, OURS, LIGHTGBM)), median(timings[LIGHTGBM].seconds)
    cells = [f"{n:,} x {COLUMNS}, depth {DEPTH}", f"{AT_MOST:.2f}", f"**{number(ratio)}**"]
    row = [*cells, verdict(ratio, AT_MOST), str(len(timings[OURS].seconds)), number(seconds)]
    said = (
        f"Columns of {VALUES:,} names, two classes; time divided by that of one tree of LightGBM. "
        "One thread. Both put the names into two groups, in the order of the shares of a class: dtlib by "
        "exact counts, LightGBM by sums in bins."
    )
    head = ["", "at most", "dtlib / LightGBM", "", "rounds", "LightGBM, seconds"]
    return f"{said}\n\n{table(head, [row])}"
