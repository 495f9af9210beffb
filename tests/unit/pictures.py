"""What the tests of the pictures read out of an SVG."""

import re
from unittest.mock import patch
from xml.etree import ElementTree

from dtlib.draw import axes
from dtlib.draw.svg import LIGHT, text_width

SVG = "{http://www.w3.org/2000/svg}"
SHOWN = {
    "svg", "title", "desc", "defs", "style", "metadata", "g", "use", "clipPath", "path", "rect", "circle",
    "ellipse", "line", "polygon", "polyline", "text", "tspan", "pattern", "marker", "linearGradient", "stop",
}  # fmt: skip
NEEDED = {
    "rect": ("width", "height"), "circle": ("cx", "cy", "r"), "text": ("style",),
    "line": ("x1", "y1", "x2", "y2"), "polygon": ("points",), "use": ("x", "y"),
}  # fmt: skip
LOOKS = {
    "text-anchor": "start|middle|end",
    "font-weight": r"normal|bold|\d00",
    "font-style": "normal|italic",
    "font-size": r"[\d.]+(px)?",
    "stroke-dasharray": r"none|[\d.]+([ ,]+[\d.]+)*",
    "stroke-width": r"[\d.]+(px)?",
    "stroke-linejoin": "miter|round|bevel",
    "stroke-linecap": "butt|round|square",
    "fill-opacity": r"[01]?\.?\d*",
    "opacity": r"[01]?\.?\d*",
    "d": r"\s*M[-\d.\s,MLHVCSQTAZmlhvcsqtaz]+",
    "points": r"[-\d.\s,]+",
    **dict.fromkeys(("x", "y", "cx", "cy", "x1", "y1", "x2", "y2"), r"-?[\d.]+(e-\d+)?"),
    **dict.fromkeys(("width", "height", "r", "rx", "ry"), r"[\d.]+(px|pt|%)?"),
}


def read(shown):
    """Parse a picture, and require what holds for every picture."""
    root = ElementTree.fromstring(shown.svg)
    drawn = re.sub('>[^<]*</(?:text|title|desc)>|aria-label="[^"]*"', "", shown.svg)  # without its words
    named = re.sub(r"var\(--dt-([\w-]+), (#[0-9a-f]{6})\)", lambda m: str(LIGHT[m[1]] == m[2]), drawn)
    assert "False" not in named
    assert re.findall('(?<!href=")#[0-9a-fA-F]{3,8}|rgb|black|white', named) == []
    assert re.findall('(?:fill|stroke): (?!none|True)[^;"]*', named) == []
    assert root.get("role") == "img"
    assert root.find(f"{SVG}title").text == root.get("aria-label") == shown.title
    assert root.find(f"{SVG}desc").text == shown.description
    assert repr(shown) == f"Picture: {shown.title}. {shown.description}"
    own = [node.tag.removeprefix(SVG) for node in root.iter() if node.tag.startswith(SVG)]
    assert set(own) <= SHOWN  # a browser leaves out what it does not know
    for node in root.iter():
        place = NEEDED.get(node.tag.removeprefix(SVG), ())
        assert (node.get("x") is None) == (node.get("y") is None)  # a corner of its group, or a place
        assert [name for name in place if not node.get(name)] == [], ElementTree.tostring(node)
        css = dict(part.split(":", 1) for part in (node.get("style") or "").split("; ") if part)
        for name, wanted in LOOKS.items():
            given = node.get(name) or css.get(name, "").strip().rstrip(";")
            assert not given or re.fullmatch(wanted, given), (name, given)
    assert re.findall(r"\d\.\d{3,}", re.sub('>[^<]*<|aria-label="[^"]*"', "", shown.svg)) == []
    assert "DejaVu" not in shown.svg
    return root


def texts(shown):
    """Return the words in a picture with the boxes they fill: (words, left, top, right, bottom)."""
    found = []

    def visit(node, x, y):
        if move := re.match(r"translate\(([\d.-]+) ([\d.-]+)\)", node.get("transform", "")):
            x, y = x + float(move[1]), y + float(move[2])
        if node.tag == f"{SVG}text":
            words, css = "".join(node.itertext()), node.get("style")
            size = float((re.search(r"font-size: ([\d.]+)", css) or [0, 14])[1])
            width = text_width(words, size)
            left = x + float(node.get("x")) - {"middle": width / 2, "end": width}.get(anchor(css), 0)
            base = y + float(node.get("y"))
            found.append((words, left, base - 0.75 * size, left + width, base + 0.2 * size))
        for child in node:
            visit(child, x, y)

    visit(read(shown), 0, 0)
    return found


def anchor(css):
    return (re.search(r"text-anchor: (\w+)", css) or [0, "start"])[1]


def overlap(a, b):
    """Whether two boxes (…, left, top, right, bottom) meet."""
    return a[-4] < b[-2] and b[-4] < a[-2] and a[-3] < b[-1] and b[-3] < a[-1]


def fills(root, tag):
    """Return the palette names of the fills of all elements of a kind."""
    css = [node.get("style", "") for node in root.iter(SVG + tag)]
    return [m[1] for m in (re.search(r"fill: var\(--dt-([\w-]+)", text) for text in css) if m]


def figure_of(make):
    """Return the matplotlib figure of which a function makes a picture."""
    with patch.object(axes, "from_figure", wraps=axes.from_figure) as seen:
        make()
    return seen.call_args.args[0]


def words_of(ax):
    """Return the texts that stand on axes."""
    return [text for text in ax.texts if text.get_text()]
