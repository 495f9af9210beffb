"""What the notes describe and say, and what became of each statement (chapter 26, and the page of the notes).

The file `reference/statements.toml` lists both, and its first lines say what each field means.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

Tried = tuple[str, str, bool | None]  # what was tried, what came out, whether the claim holds (None: open)
HERE = "26_"  # the chapter that decides claims itself
_HOLDS = {True: "yes", False: "no", None: "open"}


@dataclass(frozen=True, kw_only=True)
class Topic:
    """Something that the notes describe, and where it is explained, computed and tested.

    Parameters
    ----------
    part : str
        The table in which it stands.
    says : str
        What it is.
    notes : tuple of int
        The notes, 0 to 4.
    shown : tuple of str
        Sections, each a notebook of `chapters` with an anchor.
    code : tuple of str
        What computes it, without `dtlib.`.
    tests : tuple of str
        Node ids of pytest, without parameters.
    """

    part: str
    says: str
    notes: tuple[int, ...]
    shown: tuple[str, ...]
    code: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Statement(Topic):
    """One thing that a note says, and the verdict on it.

    Parameters
    ----------
    id, kind : str
        Its name, and what it is: a definition, formula, step, claim, slip or history.
    verdict, condition, why : str
        `verdict` is right, right if, wrong or not decidable; `condition` says if what, and `why` the reason.
    claim : int, optional
        Its number in chapter 26, if the verdict is not "right".
    slip : str
        The kind of slip, or "".
    sources : tuple of str
        Keys of the bibliography that support the verdict.

    The others are as in `Topic`.
    """

    id: str
    kind: str
    verdict: str
    why: str
    condition: str = ""
    claim: int | None = None
    slip: str = ""
    sources: tuple[str, ...] = ()

    @property
    def judged(self) -> str:
        """The verdict with its condition."""
        return f"{self.verdict} {self.condition}".rstrip()


def read(path: str | PathLike[str]) -> tuple[tuple[Topic, ...], tuple[Statement, ...]]:
    """Read the topics and the statements of a file.

    Parameters
    ----------
    path : str or path
        As `reference/statements.toml` is.

    Returns
    -------
    topics : tuple of Topic
    statements : tuple of Statement

    Raises
    ------
    TypeError
        If a field is missing, or one has a name that there is not.
    """
    tables = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    topics = tuple(Topic(**_frozen(table)) for table in tables["topic"])
    return topics, tuple(Statement(**_frozen(table)) for table in tables["statement"])


def _frozen(table: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a table, with tuples for lists."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


def follows(outcomes: Iterable[bool | None]) -> str:
    """Return the verdict that follows from the outcomes of tests; `None` is an open one.

    Returns
    -------
    str
        "right" if all hold, "right if" if only some do (what they tested differs by a condition), "wrong" if
        one fails and none holds, and "not decidable" if all are open.

    Examples
    --------
    >>> follows([True, False]), follows([False, None]), follows([True, None])
    ('right if', 'wrong', 'right if')
    """
    outcomes = list(outcomes)
    if True in outcomes:
        return "right" if all(outcomes) else "right if"
    return "wrong" if False in outcomes else "not decidable"


def verdicts(
    statements: Iterable[Statement],
    slip: str,
    tried: Mapping[int, Sequence[Tried]],
    instead: Mapping[int, Sequence[bool]],
) -> pd.DataFrame:
    """Return a table of the claims of one kind of slip that chapter 26 decides.

    Parameters
    ----------
    statements : iterable of Statement
    slip : str
        The kind of slip.
    tried : mapping of int to sequence of (str, str, bool or None)
        For each claim, of any kind: what was tried, what came out, and whether the claim holds there (`None`:
        it cannot be told).
    instead : mapping of int to sequence of bool
        For the same claims, whether the tests of the correction hold.

    Returns
    -------
    DataFrame
        A row for each test, with the result, and whether the claim holds there. Its index has the number of
        the claim, what it says, the verdict, and what was tried.

    Raises
    ------
    ValueError
        If nothing was tried for a claim, its verdict is not the one that follows from what was tried, or its
        correction fails or has no test.

    Examples
    --------
    >>> one = Statement(part="numbers", says="All are even", notes=(0,), shown=("26_errata.ipynb#x",),
    ...                 id="even", kind="claim", verdict="wrong", why="3 is odd.", claim=1, slip="all")
    >>> table = verdicts([one], "all", {1: [("three", "odd", False)]}, {1: [3 % 2 == 1]})
    >>> table.reset_index("claim", drop=True).reset_index().loc[0].tolist()
    ['All are even', 'wrong', 'three', 'odd', 'no']
    """
    claims = {s.claim: s for s in statements if s.claim and s.slip == slip and s.shown[0].startswith(HERE)}
    rows = []
    for number, s in sorted(claims.items()):
        tests = tried.get(number, ())
        _insist(s, [holds for *_, holds in tests], instead.get(number, ()))
        rows += [(number, s.says, s.judged, what, came, _HOLDS[holds]) for what, came, holds in tests]
    index = ["claim", "it says", "verdict", "tried"]
    return pd.DataFrame(rows, columns=[*index, "result", "holds"]).set_index(index)


def _insist(s: Statement, holds: Sequence[bool | None], instead: Sequence[bool]) -> None:
    """Raise if a verdict does not follow from what was tried, or its correction fails."""
    if not holds:
        raise ValueError(f"claim {s.claim} is decided here, and nothing was tried: pass it in tried")
    if (verdict := follows(holds)) != s.verdict:
        raise ValueError(f"claim {s.claim} is {verdict!r} by what was tried, and {s.verdict!r} in the file")
    if not instead or not all(instead):
        raise ValueError(f"the correction of claim {s.claim} fails, or nothing tests it: {list(instead)}")
