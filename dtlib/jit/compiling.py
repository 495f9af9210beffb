"""Numba, if it is installed; else its functions are plain Python, which tests run on small tables.

Examples
--------
>>> @compiled
... def twice(x):
...     return 2 * x
>>> twice(21)
42
"""

import logging
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

WAIT = "Numba compiles what dtlib needs, once for this installation: up to 20 seconds."
Function = TypeVar("Function", bound=Callable[..., Any])

try:
    from numba import njit
    from numba.core import event
except ImportError:

    def compiled(function: Function) -> Function:
        """Return a function as it is, but that whole numbers may wrap as they do in compiled ones."""
        return np.errstate(over="ignore")(function)

    inner = inlined = compiled

else:

    class Waiting(event.Listener):  # type: ignore[misc]  # Numba says nothing of its types
        """Says once that something is compiled, so that who waits knows for what."""

        said = False

        def on_start(self, event: Any) -> None:
            """Say it, if nothing was said before, and the function is one of these."""
            what = getattr(event.data.get("dispatcher"), "__module__", "")
            if what.startswith("dtlib.") and not Waiting.said:
                logging.getLogger("dtlib").warning(WAIT)
                Waiting.said = True

        def on_end(self, event: Any) -> None:
            """Say nothing."""

    def compiled(function: Function) -> Function:
        """Return a function that is compiled when it is first called, and kept on disk where that can be."""
        try:
            return njit(nogil=True, cache=True)(function)  # type: ignore[no-any-return]
        except RuntimeError:  # there is no place for a cache
            return njit(nogil=True)(function)  # type: ignore[no-any-return]

    def inner(function: Function) -> Function:
        """Return a function for compiled ones, with which it is kept."""
        return njit(nogil=True)(function)  # type: ignore[no-any-return]

    def inlined(function: Function) -> Function:
        """Return a function that is compiled into each that calls it: what it is given is not passed on."""
        return njit(inline="always")(function)  # type: ignore[no-any-return]

    event.register("numba:compile", Waiting())
