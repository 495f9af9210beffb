"""Numba, which need not be installed: whether it compiles, and what.

Examples
--------
>>> has_numba() in (True, False)
True
"""

import logging
from functools import cache
from importlib import import_module
from importlib.util import find_spec


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
