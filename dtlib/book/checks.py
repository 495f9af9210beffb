"""Worked numbers, checked where they are computed and collected into one table (chapters 2 to 26).

`check` compares a number with the one its source prints, to the digits printed, and prints one line::

    loan.H = 0.97095 bit, printed 0.971: agrees (H(D); note 2, section 2)
    watermelon.IV.id = 4.08746 bit, printed 4.088: wrong, 4.087 is right: log2 17 (IV(id); note 4)

`parse` reads such a line back and `collect` gathers those of a folder of notebooks. Where a text contains the
very mark that would end it, a backslash stands before it: a semicolon or comma and the space after it, in a
formula, a source or a unit; a bracket and the space before it, in a reason.
"""

import json
import math
import re
from decimal import Decimal
from numbers import Integral, Real
from os import PathLike
from pathlib import Path

import pandas as pd

from dtlib import numbers

__all__ = ["check", "collect", "parse", "wrong_prints"]

_ID = r"[A-Za-z0-9_.-]+"
_NUMBER = r"-?\d+(?:\.\d+)?"


def _text(stop: str) -> str:
    """Return the pattern of a text that ends before its first unescaped `stop`."""
    return rf"(?:\\.|(?!{re.escape(stop)})[^\\])+?"


_LINE = re.compile(
    rf"(?P<id>{_ID}) = (?P<value>{_NUMBER})(?: (?P<unit>{_text(', ')}))?, printed (?P<printed>{_NUMBER}): "
    rf"(?:agrees|wrong, (?P<right>{_NUMBER}) is right: (?P<why>{_text(' (')})) "
    rf"\((?:(?P<formula>{_text('; ')}); )?(?P<source>{_text('; ')})\)",
    re.ASCII,
)
_STOPS = {"unit": ", ", "why": " (", "formula": "; ", "source": "; "}

_COLUMNS = ["id", "formula", "value", "unit", "printed", "verdict", "source", "chapter", "cell"]


def check(
    id: str,
    got: float,
    printed: str | float,
    *,
    source: str,
    unit: str = "",
    formula: str = "",
    errs: tuple[str | float, str] | None = None,
) -> None:
    """Print one line that says whether a number agrees with the printed one, and insist that it does.

    A number agrees when it is at most half a unit of the last printed digit away from the printed one; so a
    number exactly half-way between two agrees with both.

    Parameters
    ----------
    id : str
        The number's name, unique in the book: letters, digits, `.`, `_` and `-`.
    got : float
        The number computed. A float is rounded to 12 significant digits, as the others may differ between
        machines: print no more of it. An int keeps all its digits.
    printed : str or float
        The right number, as printed. A str keeps trailing zeros: ``"1.000"`` is checked to three places.
    source : str
        Where it is printed.
    unit, formula : str, optional
        The number's unit (``"bit"``) and how it is computed (``"H(D)"``).
    errs : (str or float, str), optional
        For a source that is wrong: the number it prints, and why that is wrong. Then `printed` is the right
        number, and `got` must differ from what the source prints.

    Raises
    ------
    AssertionError
        If `got` does not agree with `printed`, or agrees with the number said to be wrong.
    TypeError, ValueError
        If an argument cannot be read.

    Examples
    --------
    >>> check("loan.H", 0.97095, "0.971", source="note 2", unit="bit", formula="H(D)")
    loan.H = 0.97095 bit, printed 0.971: agrees (H(D); note 2)
    >>> check("melon.IV", 4.08746, "4.087", source="note 4", errs=("4.088", "log2 17 = 4.0875"))
    melon.IV = 4.08746, printed 4.088: wrong, 4.087 is right: log2 17 = 4.0875 (note 4)
    """
    if not isinstance(id, str) or not re.fullmatch(_ID, id):
        raise ValueError(f"id is {id!r}; wanted letters, digits, '.', '_' and '-' only")
    texts = {"unit": unit, "formula": formula, "source": source}
    _need_text(id, **texts)
    if not source.strip():
        raise ValueError(f"{id}: source is empty; say where the number is printed")
    value, right = _computed(id, got), _printed(id, printed)
    if not _agree(value, right):
        raise AssertionError(f"{id}: got {_show(value, right)}, which does not round to {right} ({source})")
    if errs is None:
        print(_line(id=id, value=_show(value, right), printed=right, **texts))
        return
    if not isinstance(errs, tuple | list) or len(errs) != 2:
        raise TypeError(f"{id}: errs is {errs!r}; wanted (the number printed, why it is wrong)")
    wrong, why = _printed(id, errs[0]), errs[1]
    _need_text(id, **{"reason in errs": why})
    if not why.strip():
        raise ValueError(f"{id}: errs gives no reason; say why {wrong} is wrong")
    if _agree(value, wrong):
        raise AssertionError(
            f"{id}: {source} prints {wrong}, called wrong, but {_show(value, wrong)} agrees with it"
        )
    shown = _show(value, max(right, wrong, key=_places))
    print(_line(id=id, value=shown, printed=wrong, right=right, why=why, **texts))


def parse(line: str) -> dict[str, str | float] | None:
    """Read a line that `check` printed.

    Parameters
    ----------
    line : str
        One line of output, without its line break.

    Returns
    -------
    dict or None
        What the line says: `id`, `value` (float), `unit`, `printed`, `verdict` (``"agrees"`` or ``"wrong"``),
        `right` and `why` (empty unless the printed number is wrong), `formula`, `source`. None for any other
        line.

    Examples
    --------
    >>> parse("loan.H = 0.97095 bit, printed 0.971: agrees (H(D); note 2)")["formula"]
    'H(D)'
    >>> parse("loan.H is 0.97095") is None
    True
    """
    if not isinstance(line, str):
        raise TypeError(f"line is {numbers.shown(line)}; wanted text")
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    found = {name: re.sub(r"\\(.)", r"\1", text) for name, text in match.groupdict(default="").items()}
    return found | {"value": float(found["value"]), "verdict": "wrong" if found["right"] else "agrees"}


def collect(folder: str | Path) -> pd.DataFrame:
    """Return all checks among the stored outputs of the notebooks in a folder.

    Parameters
    ----------
    folder : str or Path
        Where the notebooks are; folders inside it are not read.

    Returns
    -------
    DataFrame
        One row per check, by notebook name and then in the order printed: `id`, `formula`, `value`, `unit`,
        `printed`, `verdict` (for a wrong number with the right one and the reason), `source`, `chapter` (the
        name of the notebook), `cell` (the id of the cell in it).

    Raises
    ------
    ValueError
        If there is no such folder, a file in it is no notebook, or an id occurs twice.

    Examples
    --------
    >>> import json, tempfile
    >>> stream = {"name": "stdout", "text": "a = 1.00000, printed 1: agrees (note 4)"}
    >>> cell = {"execution_count": 3, "outputs": [stream]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "02_entropy.ipynb").write_text(json.dumps({"cells": [cell]}))
    ...     collect(folder)[["id", "value", "printed", "verdict", "chapter"]]
      id  value printed verdict     chapter
    0  a    1.0       1  agrees  02_entropy
    """
    if not isinstance(folder, str | PathLike):
        raise TypeError(f"folder is {numbers.shown(folder)}; wanted the folder of the notebooks")
    if not Path(folder).is_dir():
        raise ValueError(f"folder is {str(folder)!r}, which is not there; wanted the folder of the notebooks")
    rows: dict[object, dict[str, str | float]] = {}
    for notebook in sorted(Path(folder).glob("*.ipynb")):
        for cell, place, line in _printed_lines(notebook):
            if (row := parse(line)) is None:
                continue
            if first := rows.get(row["id"]):
                raise ValueError(
                    f"check id {row['id']!r} is used twice: {first['place']} and {place}; rename one"
                )
            if row["verdict"] == "wrong":
                row["verdict"] = f"wrong, {row['right']} is right: {row['why']}"
            rows[row["id"]] = row | {"chapter": notebook.stem, "cell": cell, "place": place}
    return pd.DataFrame(list(rows.values()), columns=_COLUMNS)


def wrong_prints(checked: pd.DataFrame) -> pd.DataFrame:
    """Return the first check of each number that a source prints wrong.

    Several cells may compare the same wrong number; it is one wrong print.

    Parameters
    ----------
    checked : DataFrame
        What `collect` returns.

    Returns
    -------
    DataFrame
        Some of its rows.

    Examples
    --------
    >>> verdict = ["agrees", "wrong, 2 is right: a slip", "wrong, 2 is right: a slip"]
    >>> checked = pd.DataFrame({"id": list("abc"), "source": "note 1", "printed": "1", "verdict": verdict})
    >>> wrong_prints(checked)["id"].tolist()
    ['b']
    """
    wrong = checked[checked["verdict"].str.startswith("wrong")]
    return wrong.drop_duplicates(["source", "printed"])


def _printed_lines(notebook: Path) -> list[tuple[str, str, str]]:
    """Return every line printed by a notebook, with the id of its cell and its place in words."""
    lines = []
    try:
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
            outputs = cell.get("outputs", [])
            text = "".join("".join(out["text"]) for out in outputs if out.get("name") == "stdout")
            place = f"{notebook.name}, cell [{cell.get('execution_count')}]"
            lines += [(cell.get("id", ""), place, line) for line in text.split("\n")]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{notebook.name} is no notebook: {error!r}; store it again from Jupyter") from error
    return lines


def _need_text(id: str, **arguments: object) -> None:
    """Refuse an argument that is no str."""
    for name, value in arguments.items():
        if not isinstance(value, str):
            raise TypeError(f"{id}: {name} is {value!r}, of type {type(value).__name__}; wanted a str")


def _line(**found: str) -> str:
    """Return the line that `parse` reads back."""
    text = {name: " ".join(words.split()) for name, words in found.items()}
    for name, stop in _STOPS.items():
        text[name] = text.get(name, "").replace("\\", "\\\\").replace(stop, "\\" + stop)
    unit = " " + text["unit"] if text["unit"] else ""
    verdict = f"wrong, {text['right']} is right: {text['why']}" if "right" in text else "agrees"
    where = "; ".join(filter(None, [text["formula"], text["source"]]))
    return f"{text['id']} = {text['value']}{unit}, printed {text['printed']}: {verdict} ({where})"


def _computed(id: str, got: float) -> Decimal:
    """Return a computed number to 12 digits: the others are rounding, and may differ between machines."""
    if isinstance(got, bool) or not isinstance(got, Real):
        raise TypeError(f"{id}: got is {got!r}, a {type(got).__name__}; wanted one number")
    if not math.isfinite(got):
        raise ValueError(f"{id}: got is {got}; wanted a finite number")
    return Decimal(int(got)) if isinstance(got, Integral) else Decimal(f"{float(got):.12g}")


def _printed(id: str, number: str | float) -> str:
    """Return a printed number as text, digit by digit."""
    text = number
    if isinstance(number, Real) and not isinstance(number, bool):
        text = str(int(number)) if isinstance(number, Integral) else f"{Decimal(repr(float(number))):f}"
    if not isinstance(text, str) or not re.fullmatch(_NUMBER, text, re.ASCII):
        raise ValueError(
            f"{id}: printed is {number!r}; wanted a number as its source prints it, such as '0.971'"
        )
    return text


def _places(printed: str) -> int:
    """Return the number of digits behind the point."""
    return len(printed.partition(".")[2])


def _agree(value: Decimal, printed: str) -> bool:
    """Say whether a number is within half a unit of the last printed digit."""
    return abs(value - Decimal(printed)) <= Decimal(5).scaleb(-_places(printed) - 1)


def _show(value: Decimal, printed: str) -> str:
    """Return a number with five digits behind the point, or as many as are printed; minus zero as zero."""
    return f"{value:z.{max(5, _places(printed))}f}"
