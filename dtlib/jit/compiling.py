"""Numba, if it compiles; else its functions are plain Python, which tests run on small tables.

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

from dtlib.jit import has_numba

if has_numba():
    from numba import njit
    from numba.core import event
else:
    njit = event = None

WAIT = "Numba compiles what dtlib needs, once for this installation: this may take a minute."
Function = TypeVar("Function", bound=Callable[..., Any])
inner_functions = set[Callable[..., Any]]()  # nobody waits for one of them alone


def compiled(function: Function) -> Function:
    """Return a function that is compiled when it is first called, and kept on disk where that can be.

    It may make arrays. Without Numba it stays as it is, but that whole numbers may wrap as in compiled ones.
    """
    if njit is None:
        return np.errstate(over="ignore")(function)
    try:
        return njit(nogil=True, cache=True, _nrt=True)(function)  # type: ignore[no-any-return]
    except RuntimeError:  # there is no place for a cache
        return njit(nogil=True, _nrt=True)(function)  # type: ignore[no-any-return]


def inner(function: Function) -> Function:
    """Return a function for compiled ones, with which it is kept. It makes no array.

    So it need not count who holds the arrays it is given (Numba's NRT), which takes longer than a small node.
    """
    inner_functions.add(function)
    return compiled(function) if njit is None else njit(nogil=True, _nrt=False)(function)


def inlined(function: Function) -> Function:
    """Return a function that is compiled into each that calls it: what it is given is not passed on."""
    return compiled(function) if njit is None else njit(inline="always")(function)


def waiting(listener: Any) -> Any:
    """Return what says once that something is compiled, so that who waits knows for what.

    Parameters
    ----------
    listener : type
        Numba's class of those that listen.
    """

    class Waiting(listener):  # type: ignore[misc]  # Numba says nothing of its types
        said = False

        def on_start(self, event: Any) -> None:
            """Say it, if nothing was said before, and the function is one of these."""
            what = event.data.get("dispatcher")
            is_ours = getattr(what, "__module__", "").startswith("dtlib.")
            if is_ours and getattr(what, "py_func", None) not in inner_functions and not self.said:
                logging.getLogger("dtlib").warning(WAIT)
                self.said = True

        def on_end(self, event: Any) -> None:
            """Say nothing."""

    return Waiting()


if event is not None:
    event.register("numba:compile", waiting(event.Listener))
