"""Pruning: the price of a leaf, nested trees, and the choice of one of them (chapters 13 and 14)."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.draw.axes import STYLES, Axes, figure, in_px, said_picture, write_clear
from dtlib.draw.layout import drawn_nodes, layout
from dtlib.draw.plots import write_labels
from dtlib.draw.svg import (
    LIGHT,
    PICTURE_WIDTH,
    SMALL_SIZE,
    Picture,
    apart,
    class_color,
    commas,
    number,
    picture,
    sentences,
    small,
    style,
    tag,
    text,
    text_width,
    widest,
)
from dtlib.draw.tree import NUMBER_COLOR
from dtlib.messages import say
from dtlib.prune.cost_complexity import PruningPath
from dtlib.prune.cross_validation import one_se_rule

EQUAL_LOSS = 1e-9  # losses this close, relative to the largest fit, are equal
MOST, MOST_LEAVES = 8, 32  # trees, and leaves of the first one, that can be told apart
AXIS_LEFT, AXIS_TOP = 44, 34  # px: left and upper end of the axes
STAIRS, FEET = 120, 52  # px: heights of the parts
DOT, DOT_LEVEL, DOT_GAP = 10, 24, 4  # px of a node, from one level to the next, between two nodes
FAINT_DOT = 0.22  # opacity of what is no longer there
LOWER = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def envelope(
    leaves: ArrayLike,
    fit: ArrayLike,
    *,
    x_label: str = "",
    y_label: str = "",
    up_to: float | None = None,
    title: str = "",
) -> Picture:
    """Draw the loss fit + alpha * leaves of each subtree against alpha, and the border of the lowest.

    Lines that touch the border are whole, those that are nowhere the lowest dashed. A dot marks where
    another subtree becomes the best; of equal ones that with fewer leaves is named.

    Parameters
    ----------
    leaves : array-like of shape (subtrees,)
        How many leaves each subtree has, 1 or more.
    fit : array-like of shape (subtrees,)
        What each costs at alpha 0.
    x_label, y_label : str
        What the axes show, with units.
    up_to : float, optional
        The largest alpha drawn; by default a quarter beyond the last dot.
    title : str
        What the picture is; by default its axes.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there is no subtree, the two differ in length, a number of leaves is below 1, a fit is no finite
        number, or `up_to` is not above 0.

    Examples
    --------
    >>> for said in envelope([1, 2, 3], [14.564, 8.265, 0]).description.split(". "):
    ...     print(said)
    Subtrees: 3
    The least loss: 3 leaves from 0; 1 leaf from 7.282
    Nowhere the least: 2 leaves, 8.265 at 0.
    """
    size, cost = _subtrees(leaves, fit)
    best, start = lowest(size, cost)
    end = up_to if up_to is not None else (1.25 * start[-1] if start[-1] > 0 else 1.0)
    if not 0 < end < np.inf:
        raise ValueError(f"up_to is {up_to!r}; wanted the largest alpha drawn, above 0")
    fig, ax = figure(height=400, x_label=x_label, y_label=y_label)
    top = 1.15 * (cost + size * end)[best[-1]]
    ax.set(xlim=(0, end), ylim=(-0.03 * top, top))
    for i in np.lexsort((cost, size)):
        dashes, width = ("-", 1.2) if i in best else ((0, (2, 4)), 1.0)
        line = [cost[i], cost[i] + size[i] * end]
        ax.plot([0, end], line, linestyle=dashes, color=LIGHT["muted"], linewidth=width)
    _draw_border(ax, size[best], cost[best], start, end)
    title = title or say("{y} against {x}", x=x_label or "x", y=y_label or "y")
    return said_picture(fig, title, _said_subtrees(size, cost, best, start))


def _subtrees(leaves: ArrayLike, fit: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the lines as arrays, or say why they are none."""
    size, cost = np.asarray(leaves, float), np.asarray(fit, float)
    if size.ndim != 1 or size.shape != cost.shape or not len(size):
        raise ValueError(
            f"leaves has shape {size.shape} and fit {cost.shape}; wanted one number of each per subtree"
        )
    if not (np.isfinite([size, cost]).all() and (size >= 1).all()):
        raise ValueError(
            "leaves or fit has a number no subtree can have; wanted leaves >= 1 and a finite fit"
        )
    return size, cost


def lowest(size: np.ndarray, cost: np.ndarray) -> tuple[list[int], np.ndarray]:
    """Find which lines are the lowest somewhere from alpha 0 on, in order, and where each begins to be.

    Examples
    --------
    >>> lowest(np.array([1, 2, 3]), np.array([7.0, 4.0, 2.0]))
    ([2, 1, 0], array([0., 2., 3.]))
    """
    slack = EQUAL_LOSS * np.abs(cost).max()
    equal = np.flatnonzero(cost <= cost.min() + slack)
    best, start = [int(equal[size[equal].argmin()])], [0.0]
    while (fewer := np.flatnonzero(size < size[best[-1]])).size:
        at = (cost[fewer] - cost[best[-1]]) / (size[best[-1]] - size[fewer])
        equal = fewer[at <= at.min() + slack]
        best.append(int(equal[size[equal].argmin()]))
        start.append(float(at.min()))
    return best, np.array(start)


def _draw_border(ax: Axes, size: np.ndarray, cost: np.ndarray, start: np.ndarray, end: float) -> None:
    """Draw the lowest lines where they are the lowest, with dots between them and their leaves beside."""
    corners = np.append(start, end)
    points = np.append(cost + size * start, cost[-1] + size[-1] * end)
    shown = corners <= end
    ax.plot(corners[shown], points[shown], color=LIGHT["accent"], linewidth=4, solid_capstyle="round")
    inner = np.flatnonzero(shown[1:-1]) + 1
    ax.plot(corners[inner], points[inner], "o", color=LIGHT["ink"], markersize=7, clip_on=False)
    grid, dots = np.linspace(0, end, 240), in_px(ax, corners[inner], points[inner])
    taken = [dots, *(in_px(ax, grid, c + s * grid) for s, c in zip(size, cost, strict=True))]
    for x, dot in zip(corners[inner], dots, strict=True):
        write_clear(ax, f"{x:.4g}", dot[None], "ink", taken)
    for s, c, left, right in zip(size, cost, corners, corners[1:], strict=False):
        if left < end:
            x = np.linspace(left, min(right, end), 9)[2:-2]
            write_clear(ax, _leaves(s), in_px(ax, x, c + s * x), "accent", taken)


def _leaves(size: float) -> str:
    """Say how many leaves."""
    return say("1 leaf") if size == 1 else say("{n:g} leaves", n=size)


def _said_subtrees(size: np.ndarray, cost: np.ndarray, best: list[int], start: np.ndarray) -> list[str]:
    """Say which subtrees are the best from where on, and which nowhere."""
    steps = [
        say("{leaves} from {alpha:.4g}", leaves=_leaves(size[i]), alpha=alpha)
        for i, alpha in zip(best, start, strict=True)
    ]
    words = [say("Subtrees: {n}.", n=len(size)), say("The least loss: {list}.", list=say("; ").join(steps))]
    border = {(size[i], cost[i]) for i in best}
    never = [
        say("{leaves}, {fit:.4g} at 0", leaves=_leaves(size[i]), fit=cost[i])
        for i in np.lexsort((cost, -size))
        if (size[i], cost[i]) not in border
    ]
    return words + ([say("Nowhere the least: {list}.", list=say("; ").join(never))] if never else [])


def path(nested: PruningPath, *, title: str = "") -> Picture:
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
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_loan
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
    thumbnails, wide, high = _thumbnails(nested)
    captions = [
        [say("leaves {n}", n=n) for n in leaves],
        [say("risk {risk:.4g}", risk=r) for r in nested.risks],
    ]
    slot = max(wide, *(widest(line, SMALL_SIZE) for line in captions)) + 14
    width = max(PICTURE_WIDTH, AXIS_LEFT + slot * count + 12)
    slot = (width - AXIS_LEFT - 12) / count
    scale = (width - AXIS_LEFT - 24) / (1.25 * alphas[-1] if alphas[-1] > 0 else 1.0)
    ends = np.append(AXIS_LEFT + scale * alphas, width - 12)
    body, top = _staircase_of(alphas, leaves, ends), AXIS_TOP + STAIRS + FEET
    for k, (step, drawn) in enumerate(zip((ends[:-1] + ends[1:]) / 2, thumbnails, strict=True)):
        x = AXIS_LEFT + slot * (k + 0.5)
        d = f"M{step:.2f} {AXIS_TOP + STAIRS + 26}L{x:.2f} {top}"
        body += [
            tag("path", d=d, style=style(stroke="line", fill="none", stroke_dasharray="2 3")),
            text(x, top + 16, _tree_name(k), font_weight="bold"),
            tag("g", *drawn, transform=f"translate({x - wide / 2:.2f} {top + 28})"),
            *(small(x, top + high + 46 + 17 * i, line[k]) for i, line in enumerate(captions)),
        ]
    title = title or say("Nested trees, {n} of them, and their prices", n=count)
    return picture(title, _said_path(nested), width, top + high + 74, *body)


def _tree_name(k: int) -> str:
    return f"T{str(k).translate(LOWER)}"


def _said_path(nested: PruningPath) -> str:
    """Say the intervals, the sizes of the trees, and where they were cut."""
    words = []
    for k, ((low, high), line) in enumerate(zip(nested.intervals, nested.table().itertuples(), strict=True)):
        ends = {"name": _tree_name(k), "low": low}
        where = (
            say("{name} for alpha from {low:.4g} to {high:.4g}", **ends, high=high)
            if np.isfinite(high)
            else say("{name} for alpha from {low:.4g} on", **ends)
        )
        size, risk = say("{where}: leaves {leaves}", where=where, leaves=line.leaves), line.risk
        cut = [say("cut at {nodes}", nodes=commas(line.cut))] if line.cut else []
        words.append(say("{list}.", list=commas([size, say("risk {risk:.4g}", risk=risk), *cut])))
    return sentences(words)


def _staircase_of(alphas: np.ndarray, leaves: np.ndarray, ends: np.ndarray) -> list[str]:
    """Draw both axes and the steps between their ends."""
    base, x = AXIS_TOP + STAIRS, ends[:-1]
    y = base - (STAIRS - 8) * leaves / leaves[0]
    axis = style(stroke="line", fill="none", stroke_width=1.5)
    body = [
        tag("path", d=f"M{AXIS_LEFT} {AXIS_TOP - 6}V{base}H{ends[-1]:.2f}", style=axis),
        small(8, AXIS_TOP - 16, say("leaves"), text_anchor="start"),
        small(ends[-1], base + 20, say("alpha →"), text_anchor="end"),
    ]
    heights = apart(y.tolist(), [SMALL_SIZE] * len(y), 1)
    body += [
        small(AXIS_LEFT - 8, height + 5, str(n), text_anchor="end")
        for height, n in zip(heights, leaves, strict=True)
    ]
    labels = [f"{alpha:.4g}" for alpha in alphas]
    places = apart(x.tolist(), [text_width(label, SMALL_SIZE) for label in labels], 6)
    for at, place, label in zip(x, places, labels, strict=True):
        body += [tag("path", d=f"M{at:.2f} {base}v6", style=axis), small(place, base + 20, label)]
    heavy, drop = style(stroke="accent", stroke_width=3.5), style(stroke="line", stroke_dasharray="3 4")
    full, empty = style(fill="accent"), style(fill="paper", stroke="accent")
    for k, (start, end, height) in enumerate(zip(x, ends[1:], y, strict=True)):
        body.append(tag("path", d=f"M{start:.2f} {height:.2f}H{end:.2f}", style=heavy))
        body.append(tag("circle", cx=start, cy=height, r=4.5, style=full))
        if k + 1 < len(x):
            fall = tag("path", d=f"M{end:.2f} {height + 5:.2f}V{base}", style=drop)
            body += [tag("circle", cx=end, cy=height, r=4.5, style=empty), fall]
    return body


def _thumbnails(nested: PruningPath) -> tuple[list[list[str]], float, float]:
    """Draw all trees small; return also how wide and how high they are."""
    nodes, children = drawn_nodes(nested.full.root, lambda node: node.children)
    x = layout(children, [DOT] * len(children), DOT_GAP)
    at = [(a, DOT / 2 + DOT_LEVEL * node.depth) for a, node in zip(x, nodes, strict=True)]
    drawn = [_thumbnail(nested, k, at, children) for k in range(len(nested.alphas))]
    return drawn, max(x) + DOT, DOT + DOT_LEVEL * nodes[-1].depth


def _thumbnail(
    nested: PruningPath, k: int, at: list[tuple[float, float]], children: list[range]
) -> list[str]:
    """Draw one of the trees: edges, then nodes; what is gone is faint."""
    tree, alpha = nested.full, nested.alphas[k]
    is_gone, new = nested.gone_from <= alpha, nested.table()["cut"][k]
    opacity = [number(FAINT_DOT if gone else 1) for gone in is_gone]
    edges, dots = [], []
    for i, ((x, y), kids) in enumerate(zip(at, children, strict=True)):
        for kid in kids:
            d = f"M{x:.2f} {y:.2f}L{at[kid][0]:.2f} {at[kid][1]:.2f}"
            edges.append(tag("path", d=d, style=style(stroke="line", stroke_width=1.5), opacity=opacity[kid]))
        shade = class_color(int(tree.label[i])) if tree.is_classifier else NUMBER_COLOR
        is_leaf = nested.leaf_from[i] <= alpha or not kids
        is_new = i in new and not is_gone[i]
        css = style(
            fill=shade if is_leaf else "paper",
            stroke="accent" if is_new else shade if is_leaf else "line",
            stroke_width=3.5 if is_new else 1.5,
        )
        dots.append(tag("circle", cx=x, cy=y, r=DOT / 2, style=css, opacity=opacity[i]))
    return edges + dots


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
    label = say("risk (that of the root is 1)")
    fig, ax = figure(height=330, x_label=say("leaves"), y_label=label, y_at=0.96)
    for (x, y), (ink, dashes) in zip(curves.values(), STYLES, strict=False):
        ax.plot(x, y, dashes, color=LIGHT[ink], linewidth=2.5 if len(x) > 2 else 1.5, clip_on=False)
    ax.errorbar(
        leaves, error, spread, fmt="o", color=LIGHT["accent"], capsize=4, markersize=5, elinewidth=1.5
    )
    ax.set_ylim(0, None)
    ax.locator_params(axis="x", integer=True)
    marks = {float(chosen["nsplit"] + 1): (chosen["xerror"], say("smallest below the limit"))}
    marks |= {float(best["nsplit"] + 1): (best["xerror"], say("least"))}
    avoid = [np.column_stack([leaves, error + share * spread]) for share in np.linspace(-1, 1, 9)]
    write_labels(ax, curves, [(x, *mark) for x, mark in marks.items()], avoid)
    said = commas(
        say("leaves {n:g}: {error:.4g} ± {se:.4g}", n=n, error=e, se=s)
        for n, e, s in zip(leaves, error, spread, strict=True)
    )
    words = [
        say("{list}.", list=said),
        say("Least: leaves {n:g}.", n=best["nsplit"] + 1),
        say("Limit {limit:.4g} ({se:g}-SE): leaves {n:g}.", se=se, limit=limit, n=chosen["nsplit"] + 1),
    ]
    return said_picture(fig, title or say("{y} against {x}", x=say("leaves"), y=label), words)
