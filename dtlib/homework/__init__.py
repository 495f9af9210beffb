"""The homework printout: a node or a tree worked out line by line, and answers checked against it."""

from dtlib.homework.answers import CheckedAnswer, Finding, check_answer
from dtlib.homework.grading import grade_answer, grade_given
from dtlib.homework.printed import Step
from dtlib.homework.worked import Worked, WorkedNode, worked

__all__ = [
    "CheckedAnswer",
    "Finding",
    "Step",
    "Worked",
    "WorkedNode",
    "check_answer",
    "grade_answer",
    "grade_given",
    "worked",
]
