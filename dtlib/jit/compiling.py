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
inner_functions = set[Callable[..., Any]]()  # compiled with their callers, so not logged by themselves


def compiled(function: Function) -> Function:
    """Compile a function at its first call, and cache it on disk where possible; it may allocate arrays.

    Without Numba the function stays plain Python, in which integers may wrap around as in compiled code.
    """
    if njit is None:
        return np.errstate(over="ignore")(function)
    try:
        return njit(nogil=True, cache=True, _nrt=True)(function)  # type: ignore[no-any-return]
    except RuntimeError:  # Numba finds no directory for a cache
        return njit(nogil=True, _nrt=True)(function)  # type: ignore[no-any-return]


def inner(function: Function) -> Function:
    """Decorate a helper of compiled code, which is cached with its caller and must not allocate arrays.

    So it needs no reference counts of its arrays (Numba's NRT), which take longer than a small node.
    """
    inner_functions.add(function)
    return compiled(function) if njit is None else njit(nogil=True, _nrt=False)(function)


def inlined(function: Function) -> Function:
    """Decorate a helper that is inlined into each caller, so that no arguments are passed."""
    return compiled(function) if njit is None else njit(inline="always")(function)


def waiting(listener: Any) -> Any:
    """Return a listener that logs one message when compiling begins.

    Parameters
    ----------
    listener : type
        Numba's class of event listeners.
    """

    class Waiting(listener):  # type: ignore[misc]  # Numba has no type hints
        said = False

        def on_start(self, event: Any) -> None:
            """Log the message, unless it was logged before or the function is not ours."""
            what = event.data.get("dispatcher")
            is_ours = getattr(what, "__module__", "").startswith("dtlib.")
            if is_ours and getattr(what, "py_func", None) not in inner_functions and not self.said:
                logging.getLogger("dtlib").warning(WAIT)
                self.said = True

        def on_end(self, event: Any) -> None:
            """Do nothing."""

    return Waiting()


if event is not None:
    event.register("numba:compile", waiting(event.Listener))
