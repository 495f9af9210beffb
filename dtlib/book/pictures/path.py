"""A pruning path as one picture, and the curve by which one of its trees is chosen (chapter 13)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from dtlib.draw.plots import STYLES, _annotate, _plain, figure
from dtlib.draw.svg import (
    LIGHT,
    SMALL,
    WIDTH,
    Picture,
    apart,
    class_color,
    number,
    picture,
    style,
    tag,
    text,
    text_width,
)
from dtlib.draw.tree import _visible, layout
from dtlib.messages import say
from dtlib.prune.cross_validation import one_se_rule

MOST, MOST_LEAVES = 8, 32  # trees, and leaves of the first one, that can be told apart
LEFT, TOP, STAIRS, FEET = 44, 34, 120, 52  # left edge of the axis; heights of its parts
NODE, LEVEL, GAP = 10, 24, 4  # px of a node, from one level to the next, between two nodes
GONE = 0.22  # opacity of what is no longer there
LOWER = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def path(nested: Any, *, title: str = "") -> Picture:
    """Draw the nested trees of a pruning path: the axis of alpha, the number of leaves on it, and the trees.

    A full dot belongs to its step, an empty one does not. Under each interval stands its tree, in the layout
    of the first one: what was cut is faint, a node that has just become a leaf has an accented rim.

    Parameters
    ----------
    nested : PruningPath
        With at most 8 trees, of at most 32 leaves.
    title : str
        What the picture is; by default the number of the trees.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there are more trees, or more leaves.

    Examples
    --------
    >>> from dtlib import CARTClassifier, load_loan
    >>> from dtlib.prune import pruning_path
    >>> loan = load_loan()
    >>> path(pruning_path(CARTClassifier().fit(loan.X, loan.y).tree_)).description
    'T₀ for alpha from 0 to 3: leaves 3, risk 0. T₁ for alpha from 3 on: leaves 1, risk 6, cut at 0.'
    """
    alphas, leaves, count = nested.alphas, nested.leaves, len(nested.alphas)
    if count > MOST or nested.full.n_leaves > MOST_LEAVES:
        raise ValueError(
            f"the path has {count} trees, the first of {nested.full.n_leaves} leaves; wanted at most {MOST}, "
            f"and {MOST_LEAVES} leaves: draw its leaves with draw.lines, or some of its trees with draw.tree"
        )
    small, wide, high = _thumbnails(nested)
    slot = max(wide, *(text_width(line, SMALL) for line in _captions(leaves, nested.risks))) + 14
    width = max(WIDTH, LEFT + slot * count + 12)
    slot = (width - LEFT - 12) / count
    middles = [LEFT + slot * (k + 0.5) for k in range(count)]
    scale = (width - LEFT - 24) / (1.25 * alphas[-1] if alphas[-1] > 0 else 1.0)
    body, step = _staircase(alphas, leaves, LEFT + scale * alphas, width - 12)
    top = TOP + STAIRS + FEET
    for k, (x, from_) in enumerate(zip(middles, step, strict=True)):
        d = f"M{from_:.2f} {TOP + STAIRS + 26}L{x:.2f} {top}"
        body.append(tag("path", d=d, style=style(stroke="line", fill="none", stroke_dasharray="2 3")))
        body.append(text(x, top + 16, f"T{str(k).translate(LOWER)}", font_weight="bold"))
        body.append(tag("g", *small[k], transform=f"translate({x - wide / 2:.2f} {top + 28})"))
        words = say("leaves {n}", n=leaves[k]), say("risk {risk:.4g}", risk=nested.risks[k])
        for i, line in enumerate(words):
            body.append(text(x, top + high + 46 + 17 * i, line, font_size=f"{SMALL}px"))
    title = title or say("Nested trees, {n} of them, and their prices", n=count)
    return picture(title, _said(nested), width, top + high + 74, *body)


def _captions(leaves: np.ndarray, risks: np.ndarray) -> list[str]:
    """List what may be written under the trees."""
    return [say("leaves {n}", n=n) for n in leaves] + [say("risk {risk:.4g}", risk=r) for r in risks]


def _said(nested: Any) -> str:
    """Say the intervals, the sizes of the trees, and where they were cut."""
    words = []
    for k, ((low, high), line) in enumerate(zip(nested.intervals, nested.table().itertuples(), strict=True)):
        named = {"name": f"T{str(k).translate(LOWER)}", "low": low, "high": high}
        if np.isfinite(high):
            where = say("{name} for alpha from {low:.4g} to {high:.4g}", **named)
        else:
            where = say("{name} for alpha from {low:.4g} on", **named)
        said = [say("{where}: leaves {leaves}", where=where, leaves=line.leaves)]
        said.append(say("risk {risk:.4g}", risk=line.risk))
        if line.cut:
            said.append(say("cut at {nodes}", nodes=say(", ").join(map(str, line.cut))))
        words.append(say("{list}.", list=say(", ").join(said)))
    return say(" ").join(words)


def _staircase(
    alphas: np.ndarray, leaves: np.ndarray, x: np.ndarray, end: float
) -> tuple[list[str], list[float]]:
    """Draw both axes and the steps; return also where each step has its middle."""
    base = TOP + STAIRS
    y = base - (STAIRS - 8) * leaves / leaves[0]
    ends = np.append(x[1:], end)
    axis = style(stroke="line", fill="none", stroke_width=1.5)
    body = [tag("path", d=f"M{LEFT} {TOP - 6}V{base}H{end:.2f}", style=axis)]
    body += [text(8, TOP - 16, say("leaves"), text_anchor="start", font_size=f"{SMALL}px")]
    body += [text(end, base + 20, say("alpha →"), text_anchor="end", font_size=f"{SMALL}px")]
    for height, n in zip(apart(y.tolist(), [SMALL] * len(y), 1), leaves, strict=True):
        body.append(text(LEFT - 8, height + 5, str(n), text_anchor="end", font_size=f"{SMALL}px"))
    labels = [f"{alpha:.4g}" for alpha in alphas]
    places = apart(x.tolist(), [text_width(label, SMALL) for label in labels], 6)
    for at, place, label in zip(x, places, labels, strict=True):
        body.append(tag("path", d=f"M{at:.2f} {base}v6", style=axis))
        body.append(text(place, base + 20, label, font_size=f"{SMALL}px"))
    heavy, open_ = style(stroke="accent", stroke_width=3.5), style(fill="paper", stroke="accent")
    for k, (start, stop, height) in enumerate(zip(x, ends, y, strict=True)):
        body.append(tag("path", d=f"M{start:.2f} {height:.2f}H{stop:.2f}", style=heavy))
        body.append(tag("circle", cx=start, cy=height, r=4.5, style=style(fill="accent")))
        if k + 1 < len(x):
            body.append(tag("circle", cx=stop, cy=height, r=4.5, style=open_))
            drop = style(stroke="line", stroke_dasharray="3 4")
            body.append(tag("path", d=f"M{stop:.2f} {height + 5:.2f}V{base}", style=drop))
    return body, ((x + ends) / 2).tolist()


def _thumbnails(nested: Any) -> tuple[list[list[str]], float, float]:
    """Draw all trees small; return also how wide and how high they are."""
    _, level, children = _visible(nested.full, None)
    x = layout(children, [NODE] * len(children), GAP)
    at = [(a, NODE / 2 + LEVEL * b) for a, b in zip(x, level, strict=True)]
    drawn = [_thumbnail(nested, k, at, children) for k in range(len(nested.alphas))]
    return drawn, max(x) + NODE, NODE + LEVEL * max(level)


def _thumbnail(nested: Any, k: int, at: list[tuple[float, float]], children: list[range]) -> list[str]:
    """Draw one of the trees: edges, then nodes; what is gone is faint."""
    tree, alpha = nested.full, nested.alphas[k]
    leaf, gone = nested.leaf_from <= alpha, nested.gone_from <= alpha
    new = set(nested.table()["cut"][k])
    body = []
    for i, kids in enumerate(children):
        for kid in kids:
            d = f"M{at[i][0]:.2f} {at[i][1]:.2f}L{at[kid][0]:.2f} {at[kid][1]:.2f}"
            css = style(stroke="line", stroke_width=1.5)
            body.append(tag("path", d=d, style=css, opacity=number(GONE if gone[kid] else 1)))
    for i, (x, y) in enumerate(at):
        shade = class_color(int(tree.label[i])) if tree.is_classifier else "class-1"
        is_leaf = leaf[i] or not len(children[i])
        rim = "accent" if i in new and not gone[i] else shade if is_leaf else "line"
        thick = 3.5 if i in new and not gone[i] else 1.5
        css = style(fill=shade if is_leaf else "paper", stroke=rim, stroke_width=thick)
        opacity = number(GONE if gone[i] else 1)
        body.append(tag("circle", cx=x, cy=y, r=NODE / 2, style=css, opacity=opacity))
    return body


def cross_validation(table: pd.DataFrame, *, se: float = 1.0, title: str = "") -> Picture:
    """Draw what the trees of a path cost on held-out rows, with standard errors, and which are chosen.

    Parameters
    ----------
    table : DataFrame
        As `dtlib.prune.cp_table` returns it, with ``xerror`` and ``xstd``; some of its lines will do.
    se : float
        How many standard errors above the least cost the limit is.
    title : str
        What the picture is; by default its axes.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If the table has no line, or no costs of held-out rows.

    Examples
    --------
    >>> table = pd.DataFrame({"CP": [0.5, 0.1, 0.0], "nsplit": [0, 1, 3], "rel error": [1, 0.5, 0.4],
    ...                       "xerror": [1.0, 0.62, 0.6], "xstd": [0.1, 0.08, 0.08]}, index=[1, 2, 3])
    >>> cross_validation(table).description.split(". ")[-1]
    'Limit 0.68 (1-SE): leaves 2.'
    """
    if not len(table) or not {"xerror", "xstd"} <= set(table.columns):
        raise ValueError(
            f"table has {len(table)} lines and the columns {list(table.columns)}; "
            "wanted one line at least, and xerror and xstd among them: fit with prune='cv'"
        )
    lines = table.sort_values("nsplit", kind="stable")
    leaves = lines["nsplit"].to_numpy(float) + 1
    error, spread = lines["xerror"].to_numpy(float), lines["xstd"].to_numpy(float)
    best, chosen = (table.loc[one_se_rule(table, rule)] for rule in (0, se))
    limit = float(best["xerror"] + se * best["xstd"])
    ends = np.array([leaves[0], leaves[-1]])
    curves = {
        say("held-out samples"): (leaves, error),
        say("training samples"): (leaves, lines["rel error"].to_numpy(float)),
        say("limit"): (ends, np.array([limit, limit])),
    }
    fig, ax = figure(height=330)
    for (x, y), (name, dashes) in zip(curves.values(), STYLES, strict=False):
        ax.plot(x, y, dashes, color=LIGHT[name], linewidth=2.5 if len(x) > 2 else 1.5, clip_on=False)
    ax.errorbar(
        leaves, error, spread, fmt="o", color=LIGHT["accent"], capsize=4, markersize=5, elinewidth=1.5
    )
    ax.set_ylim(0, None)
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.set_xlabel(say("leaves"), size=SMALL, color=LIGHT["ink"])
    label = say("risk (that of the root is 1)")
    fig.text(8 / WIDTH, 0.96, label, size=SMALL, color=LIGHT["ink"], va="center")
    marks = {float(chosen["nsplit"] + 1): (chosen["xerror"], say("smallest below the limit"))}
    marks |= {float(best["nsplit"] + 1): (best["xerror"], say("least"))}
    bars = [np.column_stack([leaves, error + share * spread]) for share in np.linspace(-1, 1, 9)]
    _annotate(ax, curves, [(x, y, words) for x, (y, words) in marks.items()], bars)
    said = say(", ").join(
        say("leaves {n:g}: {error:.4g} ± {se:.4g}", n=n, error=e, se=s)
        for n, e, s in zip(leaves, error, spread, strict=True)
    )
    words = [say("{list}.", list=said), say("Least: leaves {n:g}.", n=best["nsplit"] + 1)]
    found = {"se": se, "limit": limit, "n": chosen["nsplit"] + 1}
    words.append(say("Limit {limit:.4g} ({se:g}-SE): leaves {n:g}.", **found))
    return _plain(fig, title or say("{y} against {x}", x=say("leaves"), y=label), say(" ").join(words))
