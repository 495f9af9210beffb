"""Chinese in the pages says that it is Chinese: a screen reader speaks it so, a browser takes its signs.

The book is in English; the glossary and the bibliography have Chinese words. Where a page is written, each
run of Chinese in its text is marked with ``lang="zh"``, whichever source it comes from. Cards are made of
the pages and have the marks, too. What is no text stays: attributes, scripts, and the words of a drawing.
"""

# ruff: noqa: RUF002  (Chinese has its own marks)

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

SIGN = r"[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]"
BETWEEN = r"[\u3001\u3002\u300a\u300b\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f·]"
CHINESE = re.compile(rf"{SIGN}+(?:{BETWEEN}*{SIGN}+)*")
# What is left alone whole, a tag that says a language with all that it holds, and any other tag.
APART = re.compile(
    r"<!--.*?-->"
    r"|<(?P<alone>script|style|svg|textarea|title|option)\b.*?</(?P=alone)>"
    r"""|<(?P<marked>\w+)\b(?=[^>]*\slang=)(?:[^"'>]|"[^"]*"|'[^']*')*>[^<]*</(?P=marked)>"""
    r"""|<(?:[^"'>]|"[^"]*"|'[^']*')*>""",
    re.DOTALL,
)


def marked(page: str) -> str:
    """Return HTML in which every run of Chinese has its language.

    >>> marked('<p title="熵">Entropy (信息熵；熵)</p>')
    '<p title="熵">Entropy (<span lang="zh">信息熵；熵</span>)</p>'
    >>> marked(marked("熵")), marked("<svg><text>熵</text></svg>")
    ('<span lang="zh">熵</span>', '<svg><text>熵</text></svg>')
    """
    parts, end = [], 0
    for apart in APART.finditer(page):
        parts += [of_text(page[end : apart.start()]), apart[0]]
        end = apart.end()
    return "".join([*parts, of_text(page[end:])])


def of_text(text: str) -> str:
    """Return text between two tags with its Chinese marked."""
    return CHINESE.sub(r'<span lang="zh">\g<0></span>', text)


def mark_page(
    app: Sphinx, pagename: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Mark the Chinese of a page (event html-page-context)."""
    if context.get("body"):
        context["body"] = marked(context["body"])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("html-page-context", mark_page, priority=900)  # after those who change the text
    return {"parallel_read_safe": True, "parallel_write_safe": True}
