"""Draw _static/card.png, the picture that a chat or a network shows of a link to the book: `make card`.

The melon tree is grown and drawn by the library, so the card shows what the book shows. Chromium takes the
picture.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from dtlib import ID3Classifier
from dtlib.datasets import load_watermelon
from dtlib.draw import tree as draw_tree
from dtlib.draw.svg import LIGHT
from tests.site.browser import chromium

CARD = Path(__file__).resolve().parent.parent / "_static" / "card.png"
SIZE = {"width": 1200, "height": 630}  # px: what previews of links are made for
COLORS = 64  # of the palette: a drawing needs few, and the file stays small
PAGE = """<!DOCTYPE html>
<style>
  body {{ margin: 0; padding: 40px 60px; box-sizing: border-box; width: 1200px; height: 630px;
       background: {paper}; color: {ink}; font-family: "DejaVu Sans", sans-serif;
    border-top: 14px solid {accent}; overflow: hidden; }}
  h1 {{ margin: 0; font-size: 54px; letter-spacing: -1px; }}
  p {{ margin: 10px 0 26px; font-size: 26px; color: {muted}; }}
  svg {{ display: block; margin: auto; width: 1080px; min-width: 0 !important; height: 405px !important; }}
</style>
<h1>Decision Trees by Counting</h1>
<p>Every formula derived, every number computed</p>
{tree}"""


def page() -> str:
    """Return the card as a page: the name of the book, and the tree of the melons by information gain."""
    melons = load_watermelon("2.0")
    tree = ID3Classifier().fit(melons.X, melons.y).tree_
    return PAGE.format(tree=draw_tree(tree).svg, **LIGHT)


def taken(html: str) -> bytes:
    """Take a picture of a page, and return it as a PNG of few colors."""
    with chromium() as browser:
        window = browser.new_page(viewport=SIZE)
        window.set_content(html)
        picture = Image.open(io.BytesIO(window.screenshot()))
    small = io.BytesIO()
    picture.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return small.getvalue()


if __name__ == "__main__":
    CARD.write_bytes(taken(page()))
    print(f"{CARD.name}: {CARD.stat().st_size / 1000:.0f} kB")
