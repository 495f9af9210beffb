"""Style sheets and scripts: nothing is hidden that must be seen, nothing comes from another site."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

import soupsieve
import tinycss2
from bs4 import BeautifulSoup
from tinycss2 import ast

from tools.read_site.faults import Fault
from tools.read_site.page import Page

#: What makes an element unseen: a property, and the values that do.
HIDES = {
    "display": re.compile(r"none$"),
    "visibility": re.compile(r"hidden$|collapse$"),
    "content-visibility": re.compile(r"hidden$"),
    "opacity": re.compile(r"0(\.0\d*)?%?$|\.0\d*$"),
    "width": re.compile(r"0(px|em|rem|%)?$"),
    "height": re.compile(r"0(px|em|rem|%)?$"),
    "max-width": re.compile(r"0(px|em|rem|%)?$"),
    "max-height": re.compile(r"0(px|em|rem|%)?$"),
    "font-size": re.compile(r"0(px|em|rem|%)?$"),
    "transform": re.compile(r".*scale\(0\)"),
    "clip": re.compile(r"rect\("),
    "clip-path": re.compile(r"(inset\((50|100)%|circle\(0)"),
    "left": re.compile(r"-\d{4,}px"),
    "text-indent": re.compile(r"-\d{4,}px"),
}
MAY_BE_HIDDEN = {("h1", "print")}  # the theme prints a heading of its own
PSEUDO_ELEMENT = re.compile(r"::|:(?:before|after|first-line|first-letter)\b")
STATE = re.compile(r"\[open\]|:(?:hover|focus(?:-within|-visible)?|active|checked|target|open)(?![\w-])")
GROUPS = ("media", "supports", "layer", "container")
FOREIGN_IN_STYLE = re.compile(
    r"""(?:url\(\s*|@import\s+)["']?\s*(?P<address>(?:https?:)?//[^"')\s]+)""", re.IGNORECASE
)
FOREIGN_IN_SCRIPT = re.compile(r"""["'`](?P<address>(?:https?:|wss?:)?//[\w$-][^"'`\s\\]*)""")
IN_STYLE = re.compile(r"""url\(\s*["']?(?P<address>[^"')\s]+)""")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
#: Names of languages, which look like addresses and are never asked for.
NAMESPACES = ("http://www.w3.org/",)


class Hiding(NamedTuple):
    """A rule that hides: its selector, what it sets, and the medium it is for."""

    selector: str
    sets: str
    medium: str


def hiding(css: str) -> list[Hiding]:
    """Return the rules of a style sheet that hide what they fit.

    Examples
    --------
    >>> [tuple(rule) for rule in hiding("p svg { display: none } @media print { .b { opacity: 0 } }")]
    [('p svg', 'display: none', ''), ('.b', 'opacity: 0', 'print')]
    """
    return list(_hiding(tinycss2.parse_stylesheet(css, True, True), ""))


def _hiding(rules: Iterable[ast.Node], medium: str) -> Iterator[Hiding]:
    for rule in rules:
        if isinstance(rule, ast.AtRule) and rule.content is not None and rule.lower_at_keyword in GROUPS:
            inner = tinycss2.serialize(rule.prelude).strip() if rule.lower_at_keyword == "media" else medium
            yield from _hiding(tinycss2.parse_rule_list(rule.content, True, True), inner)
        elif isinstance(rule, ast.QualifiedRule):
            selector = tinycss2.serialize(rule.prelude).strip()
            for sets in hidden_by(tinycss2.serialize(rule.content)):
                yield Hiding(selector, sets, medium)


def hidden_by(declarations: str) -> Iterator[str]:
    """Yield the declarations that hide.

    Examples
    --------
    >>> list(hidden_by("color: red; visibility: hidden !important; opacity: 0.5"))
    ['visibility: hidden']
    """
    if not any(name in declarations for name in HIDES):
        return
    for found in tinycss2.parse_declaration_list(declarations, True, True):
        if isinstance(found, ast.Declaration) and found.lower_name in HIDES:
            value = tinycss2.serialize(found.value).strip()
            if HIDES[found.lower_name].match(value.lower()):
                yield f"{found.lower_name}: {value}"


@lru_cache(maxsize=1024)
def _selector(text: str) -> soupsieve.SoupSieve | None:
    """Return a selector that can be tried; None for what stands before or after an element, as `::before`.

    What an element is for a while only, as while the pointer is on it, it is taken to be.

    Examples
    --------
    >>> _selector("details[open] > p:hover").pattern, _selector("p::before")
    ('details > p', None)
    """
    if PSEUDO_ELEMENT.search(text):
        return None
    return soupsieve.compile(text if ":not(" in text else STATE.sub("", text) or "*")


def parts(selector: str) -> list[str]:
    """Return the selectors of a list of them.

    Examples
    --------
    >>> parts(".a:is(b, c) d, p::before")
    ['.a:is(b, c) d', 'p::before']
    """
    found = [""]
    depth = 0
    for letter in selector:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [part.strip() for part in found]


def hidden(page: Page, rules: Iterable[Hiding]) -> Iterator[Fault]:
    """Find what must be seen on a page and is hidden: by a rule, by its own style, or by the attribute."""
    soup = BeautifulSoup(page.skeleton, "html.parser")
    for rule in rules:
        for selector in parts(rule.selector):
            found = _selector(selector)
            match = found.select_one(soup) if found else None
            if match is not None and (match.name, rule.medium) not in MAY_BE_HIDDEN:
                words = f"<{match.name}> is hidden: {selector} {{ {rule.sets} }} {rule.medium}"
                yield Fault(page.name, near(match), words.strip())
    for element in soup.find_all(hidden=True):
        yield Fault(page.name, near(element), f"<{element.name} hidden> holds what must be seen")
    for element in soup.find_all(style=True):
        for sets in hidden_by(element["style"]):
            yield Fault(page.name, near(element), f"<{element.name}> is hidden by its style: {sets}")


def near(element: object) -> str:
    """Return the id of an element or of the nearest one around it."""
    while element is not None and not element.get("id"):  # type: ignore[attr-defined]
        element = element.parent  # type: ignore[attr-defined]
    return element["id"] if element is not None else ""  # type: ignore[index]


def foreign_in_style(css: str) -> list[str]:
    """Return the addresses of other sites that a style sheet loads.

    Examples
    --------
    >>> foreign_in_style("@import 'https://a.org/x.css'; p { background: url(//b.org/y.png) }")
    ['https://a.org/x.css', '//b.org/y.png']
    """
    return [match["address"] for match in FOREIGN_IN_STYLE.finditer(COMMENT.sub("", css))]


def inside_of_style(css: str) -> list[str]:
    """Return the files of the site that a style sheet loads.

    Examples
    --------
    >>> inside_of_style("p { background: url('a.png') url(data:x) url(#b) url(//c.org/d.png) }")
    ['a.png']
    """
    found = [match["address"] for match in IN_STYLE.finditer(COMMENT.sub("", css))]
    return [address for address in found if not re.match(r"#|//|\w+:", address)]


def foreign_in_script(script: str) -> list[str]:
    """Return the addresses of other sites that a script holds as a text; it could ask for them.

    Examples
    --------
    >>> foreign_in_script("fetch('https://a.org/x'); ns = 'http://www.w3.org/2000/svg'; s.src = `//b.org/y`")
    ['https://a.org/x', '//b.org/y']
    """
    found = [match["address"] for match in FOREIGN_IN_SCRIPT.finditer(script)]
    return [address for address in found if not address.startswith(NAMESPACES)]


def foreign(name: str, place: str, kind: str, text: str) -> Iterator[Fault]:
    """Find what a style or script takes from another site."""
    for address in foreign_in_style(text) if kind == "css" else foreign_in_script(text):
        yield Fault(name, place, f"a {'style' if kind == 'css' else 'script'} takes {address}")
