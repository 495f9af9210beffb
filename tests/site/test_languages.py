"""Chinese in the built pages and on the cards says that it is Chinese."""

# ruff: noqa: RUF001  (Chinese has its own marks)

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup, Comment
from languages import CHINESE, marked

from tests.site.served import BUILT, pages

UNMARKED = ("script", "style", "svg", "title", "textarea", "option")


def unmarked(markup: str) -> list[str]:
    """Return the texts with Chinese that nothing around them calls Chinese."""
    texts = BeautifulSoup(markup, "html.parser").find_all(string=CHINESE)
    return [
        str(text)
        for text in texts
        if not isinstance(text, Comment)
        if not text.find_parent(lang="zh") and not text.find_parent(UNMARKED)
    ]


@pytest.mark.parametrize("name", pages())
def test_chinese_of_a_page_has_its_language(name: str) -> None:
    assert unmarked((BUILT / name).read_text(encoding="utf-8")) == []


def test_the_glossary_has_chinese_and_so_have_its_cards() -> None:
    assert (BUILT / "reference" / "glossary.html").read_text(encoding="utf-8").count('lang="zh"') > 200
    cards = (BUILT / "_static" / "cards" / "reference" / "glossary.js").read_text(encoding="utf-8")
    assert cards.count('lang=\\"zh\\"') > 200


@pytest.mark.parametrize(
    ("markup", "found"),
    [
        ("<p>熵</p>", 1),
        ('<p lang="zh">熵</p>', 0),
        ("<p>信息增益率；增益比, gain ratio（熵）</p>", 2),
        ('<p title="熵" data-x="a > 熵">entropy</p>', 0),
        ("<!-- 熵 --><script>'熵'</script><pre>熵</pre>", 1),
    ],
)
def test_a_run_is_marked_once(markup: str, found: int) -> None:
    assert marked(markup).count('<span lang="zh">') == found
    assert marked(marked(markup)) == marked(markup)
