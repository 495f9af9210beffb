"""Threads: how many joblib is told to use, and what they share out among themselves.

Compiled code runs in several threads at once. One says how many as for any scikit-learn estimator that is
not told by a parameter: `with joblib.parallel_config(n_jobs=2): tree.fit(X, y)`.

Examples
--------
>>> share_out(abs, [-3, 1], threads=2)
[3, 1]
"""

import math
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from joblib import effective_n_jobs

WORTH_SHARING = 1 << 17  # of a table from which on more than one thread pays
Item = TypeVar("Item")
Done = TypeVar("Done")


def threads_for(shape: tuple[int, ...]) -> int:
    """Return how many threads are to work on a table: one if it is small, or if nobody asked for more.

    Examples
    --------
    >>> from joblib import parallel_config
    >>> with parallel_config(n_jobs=2):
    ...     threads_for((10, 3)), threads_for((100_000, 20))
    (1, 2)
    >>> threads_for((100_000, 20))
    1
    """
    return int(effective_n_jobs(None)) if math.prod(shape) >= WORTH_SHARING else 1


def share_out(function: Callable[[Item], Done], tasks: Iterable[Item], threads: int) -> list[Done]:
    """Return what a function gives for each task, in the order of these; free threads take the next one."""
    if threads == 1:
        return [function(task) for task in tasks]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(function, tasks))
