"""Code: few elements for its colors, and none for code that is folded.

Pygments puts every name and every comma into an element, though they have the color of the text. On the page
these elements go. Code in a fold is one text, with a note of its colors that `_static/code.js` reads when the
fold opens; without a script it stands there in one color.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from pygments.styles import get_style_by_name
from pygments.token import STANDARD_TYPES, Token

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

PRE = re.compile(r"(?P<head><div class=\"highlight\"><pre)>(?P<code>.*?)</pre>", re.DOTALL)
FOLDED = re.compile(r'<details class="[^"]*\bhide\b.*?</details>', re.DOTALL)
SPAN = re.compile(r'<span class="(?P<kind>\w+)">(?P<text>[^<]*)</span>')
EMPTY = "<span></span>"
NOT_ITS_NAME = ' aria-label="Toggle hidden content"'  # a fold of code is called what is written on it


def uncolored(*styles: str) -> set[str]:
    """Return the kinds of tokens that have the color of the text in all of the styles.

    >>> kinds = uncolored("a11y-high-contrast-light", "a11y-high-contrast-dark")
    >>> {"n", "p", "w"} <= kinds, "k" in kinds
    (True, False)
    """
    kinds = [plain_kinds(get_style_by_name(name)) for name in styles]
    return set.intersection(*kinds)


def plain_kinds(style: type) -> set[str]:
    text = [style.style_for_token(kind) for kind in (Token, Token.Text)]
    return {kind for token, kind in STANDARD_TYPES.items() if kind and style.style_for_token(token) in text}


def lighter(code: str, plain: set[str]) -> str:
    """Take the elements away that give no color.

    >>> lighter('<span></span><span class="n">x</span><span class="o">=</span>', {"n"})
    'x<span class="o">=</span>'
    """
    return SPAN.sub(lambda m: m["text"] if m["kind"] in plain else m[0], code.replace(EMPTY, ""))


def colors(code: str) -> str:
    """Note the colors of a code: runs of characters, each with its kind before a colon if it has one.

    >>> colors('x <span class="o">=</span> <span class="s2">&quot;a&quot;</span>')
    '2 o:1 1 s2:3'
    """
    runs, place = [], 0
    for match in SPAN.finditer(code):
        between = len(unescape(code[place : match.start()]))
        runs += [str(between)] if between else []
        runs.append(f"{match['kind']}:{len(unescape(match['text']))}")
        place = match.end()
    return " ".join(runs)


def in_one(match: re.Match[str]) -> str:
    """Write a code without elements, and with a note of its colors."""
    text = SPAN.sub(lambda span: span["text"], match["code"])
    return f'{match["head"]} data-colors="{colors(match["code"])}">{text}</pre>'


def lighten(app: Sphinx, pagename: str, template: str, context: dict, doctree: nodes.document | None) -> None:
    """Lighten the code of a page (event html-page-context)."""
    options = app.config.html_theme_options
    styles = [options[name] for name in ("pygments_light_style", "pygments_dark_style") if name in options]
    plain = uncolored(*styles) if styles else set()
    body = PRE.sub(lambda m: f"{m['head']}>{lighter(m['code'], plain)}</pre>", context.get("body", ""))
    body = body.replace(NOT_ITS_NAME, "")
    context["body"] = FOLDED.sub(lambda m: PRE.sub(in_one, m[0]), body)


def setup(app: Sphinx) -> None:
    """Lighten the code of each page."""
    app.connect("html-page-context", lighten)
