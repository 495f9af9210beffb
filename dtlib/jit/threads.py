"""Threads: how many joblib allows, and how tasks are shared out among them.

Compiled code may run in several threads. Their number is set as for scikit-learn estimators without a
parameter for it: `with joblib.parallel_config(n_jobs=2): tree.fit(X, y)`.

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

WORTH_SHARING = 1 << 17  # cells of a table from which on more than one thread pays
Item = TypeVar("Item")
Done = TypeVar("Done")


def threads_for(shape: tuple[int, ...]) -> int:
    """Return the number of threads for a table: one if it is small, or unless more were set.

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
    """Return the results of a function for all tasks, in their order; free threads take the next task."""
    if threads == 1:
        return [function(task) for task in tasks]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(function, tasks))
