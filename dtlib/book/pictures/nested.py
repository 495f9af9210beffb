"""Nested cross-validation as a grid: the fold held out, and the folds within the others (chapter 24)."""

from collections.abc import Iterator

from dtlib.draw.bars import MARGIN
from dtlib.draw.svg import (
    PICTURE_WIDTH,
    SMALL_SIZE,
    Picture,
    picture,
    sentences,
    small,
    style,
    tag,
    widest,
)
from dtlib.messages import say

FOLDS_HEAD, FOLDS_ROW = 26, 18  # px: room for a heading; height of a row
PALE = 0.3  # of the tint, where a fold only grows


def nested(outer: int = 5, inner: int = 10, *, title: str = "") -> Picture:
    """Draw all outer folds, and the inner folds that lie within the first: which part grows, chooses, judges.

    Parameters
    ----------
    outer, inner : int
        How many folds all samples are divided into, and how many those that are not held out.
    title : str
        What the picture is; by default how many folds there are.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If there are fewer than two folds.

    Examples
    --------
    >>> nested(5, 10).description.split(". ")[0]
    'Outer fold 1 judges, the others grow and choose'
    """
    if min(outer, inner) < 2:
        raise ValueError(f"outer is {outer} and inner {inner}; wanted at least two folds of each")
    outside = [say("outer {k}", k=k + 1) for k in range(outer)]
    within = [say("inner {k}", k=k + 1) for k in range(inner)]
    left = MARGIN + widest([*outside, *within], SMALL_SIZE) + 8
    wide = PICTURE_WIDTH - left - MARGIN
    part, top = wide / outer, MARGIN + FOLDS_HEAD
    body = [small(left, top - 9, say("outer folds: the dark one judges"), text_anchor="start")]
    for k, name in enumerate(outside):
        body += _row(name, left, top + FOLDS_ROW * k, [part] * outer, k, "accent")
    top += FOLDS_ROW * outer + FOLDS_HEAD
    body.append(small(left, top - 9, say("within outer 1: the dark one chooses"), text_anchor="start"))
    for k, name in enumerate(within):
        y = top + FOLDS_ROW * k
        body += _row(name, left + part, y, [(wide - part) / inner] * inner, k, "ink", away=part)
    words = [say("Outer fold {k} judges, the others grow and choose.", k=k + 1) for k in range(outer)]
    words.append(say("Without outer fold 1, each of {n} inner folds chooses once, the others grow.", n=inner))
    title = title or say("{outer} outer folds, and {inner} inner folds in one", outer=outer, inner=inner)
    return picture(title, sentences(words), PICTURE_WIDTH, top + FOLDS_ROW * inner + MARGIN, *body)


def _row(
    name: str, left: float, y: float, folds: list[float], dark: int, ink: str, *, away: float = 0
) -> Iterator[str]:
    """Draw a row of folds, one of them dark; before them the rim of what stays away."""
    yield small(left - away - 8, y + 14, name, text_anchor="end")
    if away:
        yield _box(left - away, y, away, style(fill="paper", stroke="line"), stroke_dasharray="4 3")
    for j, width in enumerate(folds):
        x = left + width * j
        yield _box(x, y, width, style(fill=ink if j == dark else "line"), opacity=1 if j == dark else PALE)


def _box(x: float, y: float, wide: float, css: str, **more: str | float) -> str:
    """Draw a fold."""
    return tag("rect", x=x + 1, y=y + 2, width=wide - 2, height=FOLDS_ROW - 3, rx=2, style=css, **more)
