"""Numba, which need not be installed: whether it is there, and what it compiles.

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
    """Tell whether Numba is installed, and can be loaded; what keeps it from that is said once."""
    if find_spec("numba") is None:
        return False
    try:
        import_module("numba")
    except ImportError as error:  # it asks for another version of NumPy, say
        text = "Numba is installed, but cannot be loaded (%s): NumPy is used, which is slower."
        logging.getLogger("dtlib").warning(text, error)
        return False
    return True
