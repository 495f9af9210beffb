"""The table of a pruning path as R's rpart prints it (chapter 14)."""

from typing import Any

import numpy as np

from dtlib.counting.criteria import criterion_of
from dtlib.prune.cost_complexity import PruningPath
from dtlib.prune.cross_validation import cp_table
from dtlib.prune.loss import risk, unit_of_risk

WIDTH = 80  # of R's lines


def printcp(model: Any, digits: int = 5) -> str:
    """Return the text of rpart's `printcp`.

    Parameters
    ----------
    model : CARTClassifier or CARTRegressor fitted with ``prune="cv"`` or "validation", or PruningPath
    digits : int
        Significant digits.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If the model has no `cptable_`: it is not fitted, or not with such a `prune`.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_watermelon
    >>> from dtlib.prune import pruning_path
    >>> melons = load_watermelon("3.0")
    >>> print(printcp(pruning_path(CARTClassifier().fit(melons.X, melons.y).tree_)))
    <BLANKLINE>
    Classification tree:
    Variables actually used in tree construction:
    [1] color   density knock   texture
    <BLANKLINE>
    Root node error: 8/17 = 0.47059
    <BLANKLINE>
    n= 17
    <BLANKLINE>
          CP nsplit rel error
    1 0.6250      0     1.000
    2 0.2500      1     0.375
    3 0.0625      2     0.125
    4 0.0000      4     0.000
    """
    is_path = isinstance(model, PruningPath)
    if not is_path and not hasattr(model, "cptable_"):
        raise ValueError(
            f"{type(model).__name__} has no table of subtrees: wanted a model fitted with prune='cv' or "
            f"'validation', or pruning_path(tree)"
        )
    path = model if is_path else model.pruning_path_
    tree, table = path.full, cp_table(path) if is_path else model.cptable_
    least = float(table["CP"].iloc[-1]) * float(path.risk[0])
    shown = path.tree(least)  # what `cp` left of the tree
    rows = tree.n[0].item() if tree.training is None else tree.training.shape[1]
    error = float(risk(tree)[0]) * unit_of_risk(tree)  # in that of rpart
    of_rates = criterion_of(tree.criterion).measured == "rates"
    error *= 2 if of_rates else 1  # rpart's deviance is not halved
    kind = "Classification" if tree.is_classifier else "Rates regression" if of_rates else "Regression"
    text = ["", f"{kind} tree:"]
    names = sorted({tree.features[f].name for f in shown.feature[shown.feature >= 0]})
    text += ["Variables actually used in tree construction:", *r_vector(names), ""]
    said, share = formatted([error], digits)[0], formatted([error / rows], digits)[0]
    text += [f"Root node error: {said}/{rows:g} = {share}", "", f"n= {rows:g}", ""]
    columns = [[name, *formatted(column.tolist(), digits)] for name, column in table.items()]
    padded = [[cell.rjust(max(map(len, column))) for cell in column] for column in columns]
    numbers = ["", *map(str, table.index)]
    wide = max(map(len, numbers))
    text += [" ".join([number.ljust(wide), *cells]) for number, *cells in zip(numbers, *padded, strict=True)]
    return "\n".join(text)


def r_vector(names: list[str]) -> list[str]:
    """Return names as R prints a vector of them.

    Examples
    --------
    >>> r_vector(["Age", "Start"])
    ['[1] Age   Start']
    """
    if not names:
        return ["character(0)"]
    wide, mark = max(map(len, names)), len(str(len(names))) + 2
    per_line = max(1, (WIDTH - mark) // (wide + 1))
    lines = []
    for first in range(0, len(names), per_line):
        some = " ".join(name.ljust(wide) for name in names[first : first + per_line])
        lines.append(f"{f'[{first + 1}]'.rjust(mark)} {some}".rstrip())
    return lines


def formatted(numbers: list[float], digits: int) -> list[str]:
    """Return numbers as R writes a column: with enough decimals for the significant digits of each.

    Examples
    --------
    >>> formatted([1.0, 0.25, 0.0123456], 3)
    ['1.0000', '0.2500', '0.0123']
    >>> formatted([0.0, 1e-9], 3)
    ['0e+00', '1e-09']
    >>> formatted([0.5, float("inf"), float("nan")], 3)
    ['0.5', 'Inf', 'NaN']
    """
    if (known := np.isfinite(numbers)).any() and not known.all():
        finite = iter(formatted([x for x in numbers if np.isfinite(x)], digits))
        return [next(finite) if np.isfinite(x) else "NaN" if np.isnan(x) else "Inf" for x in numbers]
    parts = [f"{x:.{digits - 1}e}".split("e") for x in numbers]
    sign = [len(m.replace("-", "").replace(".", "").rstrip("0")) or 1 for m, _ in parts]
    powers = [int(e) for _, e in parts]
    minus = int(min(numbers) < 0)
    decimals = max(0, *(s - 1 - e for s, e in zip(sign, powers, strict=True)), 0)
    fixed = minus + max(1, *(e + 1 for e in powers), 1) + (decimals + 1 if decimals else 0)
    most = max(sign)
    if fixed > minus + most + (most > 1) + (5 if max(map(abs, powers)) > 99 else 4):
        return [f"{x:.{most - 1}e}" for x in numbers]
    return [f"{np.round(x, 15) + 0:.{decimals}f}" for x in numbers]
