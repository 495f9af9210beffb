"""Numba, if it compiles; else its functions are plain Python, which tests run on small tables.

Examples
--------
>>> @compiled
... def twice(x):
...     return 2 * x
>>> twice(21)
42
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from dtlib.jit import has_numba, kept

if has_numba():
    from numba import njit
    from numba.core import caching
else:
    njit = caching = None

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function at its first call, and keep it on disk where possible; it may allocate arrays.

    Without Numba the function stays plain Python, in which integers may wrap around as in compiled code.
    """
    if njit is None:
        return np.errstate(over="ignore")(function)
    dispatcher = njit(nogil=True, _nrt=True)(function)
    if (folder := kept.home()) is not None:
        dispatcher._cache = kept_cache(function, folder)
    return dispatcher  # type: ignore[no-any-return]


def kept_cache(function: Callable[..., Any], folder: Path) -> Any:
    """Return Numba's cache of a function in the folder of `dtlib.jit.kept`.

    Numba's own choice of a folder passes over one that it cannot write, and so over what an image brings.
    """

    class Place(caching.UserProvidedCacheLocator):  # type: ignore[misc]  # Numba has no type hints
        def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
            super().__init__(py_func, py_file)
            self._cache_path = str(folder)

        @classmethod
        def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "Place":
            return cls(py_func, py_file)

        def get_source_stamp(self) -> str:
            """Return a constant: the folder is one of these sources."""
            return kept.digest()

    class Choice(caching.CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = [Place]  # noqa: RUF012

    class Cache(caching.FunctionCache):  # type: ignore[misc]
        _impl_class = Choice

        def save_overload(self, sig: Any, data: Any) -> None:
            """Keep compiled code, unless the folder can only be read."""
            if kept.can_write(folder):
                super().save_overload(sig, data)

    return Cache(function)


def inner(function: Function) -> Function:
    """Decorate a helper of compiled code, which is cached with its caller and must not allocate arrays.

    So it needs no reference counts of its arrays (Numba's NRT), which take longer than a small node.
    """
    return compiled(function) if njit is None else njit(nogil=True, _nrt=False)(function)


def inlined(function: Function) -> Function:
    """Decorate a helper that is inlined into each caller, so that no arguments are passed."""
    return compiled(function) if njit is None else njit(inline="always")(function)
