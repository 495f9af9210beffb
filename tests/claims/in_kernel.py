"""The values of a cell's claims, computed in the kernel that has run the chapter down to that cell.

This file is executed there by path (`tests/claims/plugin.py`), so it imports nothing of the tests. As far as
the chapter can tell, nothing is assigned, printed or drawn from a random generator.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd


def values_as_json(chapter: dict[str, Any], expressions: str) -> str:
    """Evaluate expressions, a list in JSON, among the chapter's names; return their values in JSON.

    Examples
    --------
    >>> values_as_json({"table": [9, 5]}, '["entropy(table)", "max(table) == 9", "tables"]')
    '[0.9402859586706311, true, {"error": "NameError: name \\'tables\\' is not defined"}]'
    """
    with left_alone(chapter):
        return json.dumps([value(expression, chapter) for expression in json.loads(expressions)])


def value(expression: str, chapter: dict[str, Any]) -> Any:
    """Evaluate one expression; an error is a value, as the test says which claim it belongs to."""
    try:
        return plain(eval(expression, fallback() | chapter))
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def fallback() -> dict[str, Any]:
    """Return the names that a claim may use without an import in its chapter."""
    names: dict[str, Any] = {"np": np, "pd": pd, "math": math, "log2": math.log2}
    names["dtlib"] = import_module("dtlib")
    for place in ("measures", "plain", "prune"):
        names[place] = import_module(f"dtlib.{place}")
    public = (names["measures"], names["dtlib"])
    return names | {name: getattr(module, name) for module in public for name in module.__all__}


@contextmanager
def left_alone(chapter: dict[str, Any]) -> Iterator[None]:
    """Give the random generators back the state they had."""
    own = [drawer for drawer in chapter.values() if isinstance(drawer, np.random.Generator)]
    states = [drawer.bit_generator.state for drawer in own]
    of_numpy, of_python = np.random.get_state(), random.getstate()  # noqa: NPY002
    try:
        yield
    finally:
        for drawer, state in zip(own, states, strict=True):
            drawer.bit_generator.state = state
        np.random.set_state(of_numpy)  # noqa: NPY002
        random.setstate(of_python)


def plain(x: Any) -> Any:
    """Return a value in what JSON has: truth, numbers, words, lists of them, a table as its parts.

    Examples
    --------
    >>> plain(np.array([1.5, 2])), plain(np.bool_(True)), plain(pd.Series([3], index=["a"])), plain(None)
    ([1.5, 2.0], True, [3], None)
    >>> plain(pd.DataFrame({"n": [3]}, index=pd.Index(["a"], name="who")))
    {'names': ['who'], 'labels': [['a']], 'columns': ['n'], 'rows': [[3]]}
    >>> plain(plain)
    {'error': 'a function is neither true nor a number, words, a list or a table'}
    """
    if x is None or isinstance(x, (bool, str)):
        return x
    if isinstance(x, np.bool_):
        return bool(x)
    if isinstance(x, (Integral, Real)):
        return int(x) if isinstance(x, Integral) else float(x)
    if isinstance(x, pd.DataFrame):
        labels = [label if isinstance(label, tuple) else (label,) for label in x.index]
        rows = [[plain(v) for v in row] for row in x.itertuples(index=False, name=None)]
        names = ["" if name is None else str(name) for name in x.index.names]
        return {
            "names": names,
            "labels": [[*map(plain, at)] for at in labels],
            "columns": [*map(str, x)],
            "rows": rows,
        }
    if isinstance(x, (list, tuple, set, np.ndarray, pd.Series, pd.Index, type({}.values()), type({}.keys()))):
        return [plain(v) for v in (sorted(x) if isinstance(x, set) else x)]
    return {"error": f"a {type(x).__name__} is neither true nor a number, words, a list or a table"}
