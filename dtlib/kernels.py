"""What Numba compiles of the library, part by part, and how to have all of it compiled at once.

A part is compiled by growing a few small trees, with every type of array that its functions take.

Examples
--------
>>> list(PARTS)[:2]
['rows', 'trees']
"""

import os
import time
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
import pandas as pd

from dtlib.jit import answering, has_numba, kept, may_compile


def say_nothing(_: str) -> None:
    """Take a line, and print nothing."""


def table(rows: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Return a table of three numeric features, and three classes that none of them tells alone."""
    X = np.random.default_rng(0).normal(size=(rows, 3))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int) + (X[:, 2] > 0.5)


def kinds_of(X: np.ndarray) -> Iterator[np.ndarray]:
    """Yield a table in both precisions, row by row and column by column, and in memory that is only read."""
    for kind, ordered in product((np.float64, np.float32), (np.ascontiguousarray, np.asfortranarray)):
        yield ordered(X, kind).copy("K")
        fixed = ordered(X, kind).copy("K")
        fixed.setflags(write=False)
        yield fixed


def send_rows() -> None:
    """Send rows down a tree."""
    from dtlib.cart import CARTClassifier

    X, y = table(2000)
    tree = CARTClassifier(max_depth=1, splitter="random").fit(X[:60], y[:60]).tree_  # grown by NumPy
    for rows in kinds_of(X):
        tree.apply(rows)


def grow_trees() -> None:
    """Grow trees depth first: from uncoded and coded values, with two values, and with missing ones."""
    from dtlib.cart import CARTClassifier, CARTRegressor
    from dtlib.compiled.line_up import two_values
    from dtlib.compiled.lines import fill_presorted

    X, y = table()
    for column in kinds_of(X[:, 0]):
        two_values(column)
    for kind in (np.int32, np.int64):
        two = np.arange(2, dtype=np.int32)
        fill_presorted(two, two, two.astype(kind), np.empty(2, np.int64))
    frame = pd.DataFrame(np.round(X, 1), columns=list("abc")).assign(whole=y, two=X[:, 0] > 0)
    incomplete = frame.mask(np.abs(frame) < 0.2).astype(float)
    for make in (CARTClassifier, CARTClassifier.sklearn):
        for values in kinds_of(X):
            make(max_features=2, random_state=0).fit(values, y)
        make(max_depth=2).fit(frame, y)
        make(max_depth=2).fit(np.asfortranarray(np.round(X)), y > 0)
        make(missing="majority", max_depth=2).fit(incomplete, y)
        make(criterion="entropy").fit(X, y, np.arange(len(y)) % 3)
        make().fit(X, np.stack([y, 1 - y], axis=1))
    for criterion in ("squared_error", "absolute_error", "poisson"):
        CARTRegressor(criterion=criterion, max_depth=2).fit(X, y + 1.0, y + 0.5)


def grow_by_ratio() -> None:
    """Grow and prune trees of C4.5."""
    from dtlib.c45 import C45Classifier
    from dtlib.prune import Pessimistic

    X, y = table()
    incomplete = np.where(np.random.default_rng(1).random(X.shape) < 0.1, np.nan, X)
    for make in (C45Classifier, C45Classifier.release8, C45Classifier.j48):
        for values in (X, X.astype(np.float32), incomplete):
            make(prune=Pessimistic()).fit(values, y)


def grow_oblique() -> None:
    """Grow a tree of oblique splits."""
    from dtlib.oblique.estimator import ObliqueTreeClassifier

    X, y = table()
    ObliqueTreeClassifier(max_depth=1, random_state=0).fit(X, y)


def grow_optimal() -> None:
    """Grow an optimal tree."""
    from dtlib.optimal.estimator import OptimalTreeClassifier

    X, y = table()
    OptimalTreeClassifier(max_depth=2).fit(np.round(X), y)


def count_rows() -> None:
    """Grow a tree from rows that are counted in passes."""
    from dtlib.cart import CARTClassifier
    from dtlib.out_of_core import Batches, grow_from
    from dtlib.out_of_core.tally import place_one_by_one

    X, y = table(300)
    frame = pd.DataFrame(np.round(X, 1)).rename(columns=str).assign(whole=y, y=y % 2)
    for kind in ("float64", "float32"):
        narrow = frame.astype(dict.fromkeys("012", kind))
        one, first = np.ones(1, kind), np.array([0, 1])
        place_one_by_one(one, first, one[0], one[0], one, np.empty(1, np.intp))
        grow_from(Batches([narrow], "y"), CARTClassifier(max_depth=2))


#: The parts, the smallest useful one first; each is a task that needs all its functions.
PARTS: dict[str, Callable[[], None]] = {
    "rows": send_rows, "trees": grow_trees, "ratio": grow_by_ratio, "counts": count_rows,
    "optimal": grow_optimal, "oblique": grow_oblique,
}  # fmt: skip


def compile(tell: Callable[[str], object] = say_nothing) -> None:  # as Python's own, of other code
    """Compile all that Numba compiles of the library, and wait for it; what is kept on disk is loaded.

    Nobody has to: in the background it is done by itself, while NumPy answers. It is for the image of a
    container, and for a process that cannot keep compiled code on disk. From then on this process compiles
    what is still missing when it is called.

    Parameters
    ----------
    tell : callable, optional
        Takes a line of text about each part.

    Raises
    ------
    ImportError
        If Numba is not installed, or told to compile nothing.

    Examples
    --------
    >>> import dtlib
    >>> dtlib.compile()  # doctest: +SKIP
    """
    if not may_compile() or not has_numba():
        raise ImportError(
            "there is nothing to compile with: wanted Numba, as pip install '.[fast]' brings it"
        )
    answering.at_once, folder = True, kept.home()
    for part, task in PARTS.items():
        start = time.perf_counter()
        task()
        if folder is not None and kept.can_write(folder):
            (folder / part).touch()
        tell(f"{part}: {time.perf_counter() - start:.1f} s")


def compile_aside() -> None:
    """Compile everything with a low priority, unless another process is at it."""
    folder = kept.home()
    if folder is None:
        return
    with kept.locked(folder) as is_mine:
        if is_mine:
            if hasattr(os, "nice"):
                os.nice(19)
            compile(lambda line: (folder / kept.LOCK).touch())


def state() -> list[str]:
    """Say what is compiled, where, and since when.

    Examples
    --------
    >>> len(state()) > 0
    True
    """
    if not may_compile():
        return ["compiled: nothing, as Numba is not installed, or told to compile nothing; NumPy answers"]
    folder = kept.home()
    if folder is None:
        return [
            "compiled: nothing, as no folder can be written; NumPy answers, unless dtlib.compile() is called"
        ]
    done = {part: (folder / part).stat().st_mtime for part in PARTS if (folder / part).exists()}
    lines = [f"compiled code is kept in {folder}"]
    for part in PARTS:
        ago = (
            f"compiled {(time.time() - done[part]) / 60:.0f} minutes ago" if part in done else "not compiled"
        )
        lines.append(f"  {part}: {ago}")
    return lines
