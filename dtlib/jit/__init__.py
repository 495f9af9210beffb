"""Numba, which need not be installed: whether it compiles, and whether what it compiled is there.

Nobody waits for the compiler: as long as a part is not compiled, NumPy answers, with the same tree. A process
of its own compiles (`dtlib.jit.kept`), and begins when the first answer is there, as it would take half
of the memory's speed from a large table.

Examples
--------
>>> has_numba() in (True, False)
True
>>> is_ready("trees", 0.0) in (True, False)
True
"""

import atexit
import logging
import os
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from dtlib.jit import kept

NOT_READY = "compiled code is not at hand"
PER_CALL = 2e5  # steps that a call costs NumPy, however small its table is
TO_COMPILE, TO_LOAD = 1e7, 5e7  # steps in NumPy, some 10 ns each, after which it pays to compile, and to load


class Answering:
    """What this process knows of compiled code.

    Attributes
    ----------
    steps : float
        What NumPy has done so far for want of compiled code, in rows times features times levels.
    loaded : set of str
        The parts that are compiled, and used from now on.
    missed : bool
        Whether compiled code would have been of use, and was not there.
    at_once : bool
        Whether all that is needed is compiled when it is called, and the caller waits.
    """

    def __init__(self) -> None:
        self.steps, self.loaded, self.missed, self.at_once = 0.0, set[str](), False, False


answering = Answering()


def may_compile() -> bool:
    """Tell whether Numba is installed and not told to compile nothing, without loading it."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0") and find_spec("numba") is not None


def is_ready(part: str, steps: float) -> bool:
    """Tell whether compiled code is to answer: it is there, and worth the time that it takes to load.

    To load Numba takes longer than many a fit, so small tables are left to NumPy until it has worked as long
    as loading takes. If there is work enough but nothing compiled, it is compiled in the background: from the
    next call on, or when this process ends.

    Parameters
    ----------
    part : str
        One of `dtlib.kernels.PARTS`.
    steps : float
        How much there is to do: rows times features times levels.
    """
    if part in answering.loaded or answering.at_once:
        return has_numba()
    answering.steps += steps + PER_CALL
    if answering.steps < TO_COMPILE or not may_compile():
        return False
    if not kept.is_there(part):
        if answering.missed:
            kept.compile_aside()
        else:
            answering.missed = True
            atexit.register(kept.compile_aside)
        return False
    if answering.steps < TO_LOAD or not has_numba():
        return False
    answering.loaded.add(part)
    return True


@cache
def has_numba() -> bool:
    """Tell whether Numba compiles: it is installed, can be loaded, and is not told to compile nothing.

    What keeps it from being loaded is said once. With ``NUMBA_DISABLE_JIT=1`` its functions would run as
    plain Python, which takes far longer than NumPy.
    """
    if find_spec("numba") is None:
        return False
    try:
        numba = import_module("numba")
    except ImportError as error:  # it asks for another version of NumPy, say
        text = "Numba is installed, but cannot be loaded (%s): NumPy is used, which is slower."
        logging.getLogger("dtlib").warning(text, error)
        return False
    return not numba.config.DISABLE_JIT
