"""The homework printout: a node or a tree worked out line by line, and answers checked against it."""

from dtlib.book.homework.answers import CheckedAnswer, Finding
from dtlib.book.homework.printed import Step
from dtlib.book.homework.worked import Worked, WorkedNode

__all__ = ["CheckedAnswer", "Finding", "Step", "Worked", "WorkedNode"]
