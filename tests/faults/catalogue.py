"""The faults: one small slip each, of the kind that a hurried author or a careless edit makes."""

from tests.faults.chapters import BOOK_FAULTS
from tests.faults.library import LIBRARY

FAULTS = [*LIBRARY, *BOOK_FAULTS]
