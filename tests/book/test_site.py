"""The website's own parts: repository links, tables, the palette in CSS."""

from __future__ import annotations

import re

import pytest
from book_site import class_orders, solution_titles, theme_options
from repository import repository_url

from dtlib.draw.svg import DARK, LIGHT
from tests.book.notebooks import ROOT


@pytest.mark.parametrize(
    ("origin", "url"),
    [
        ("https://github.com/someone/trees.git", "https://github.com/someone/trees"),
        ("git@github.com:someone/trees.git", "https://github.com/someone/trees"),
        ("ssh://git@gitlab.com/group/sub/trees", "https://gitlab.com/group/sub/trees"),
        ("https://user:secret@github.com/someone/trees", None),
        ("/srv/git/trees", None),
        ("file:///srv/git/trees", None),
        ("", None),
    ],
)
def test_only_a_public_code_host_gives_a_repository_url(origin, url):
    assert repository_url({}, origin) == url


def test_a_workflow_says_where_the_repository_is():
    environ = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "someone/trees"}
    assert repository_url(environ, "/srv/git/trees") == "https://github.com/someone/trees"


def test_buttons_appear_only_where_they_lead_somewhere():
    assert theme_options(None) == {}
    assert "launch_buttons" not in theme_options("https://gitlab.com/someone/trees")
    here = "https://github.com/someone/trees"
    assert {"binderhub_url", "colab_url"} <= set(theme_options(here, named=here)["launch_buttons"])


@pytest.mark.parametrize("named", [None, "https://github.com/someone/else"])
def test_colab_is_offered_only_where_the_notebooks_name_this_repository(named):
    buttons = theme_options("https://github.com/someone/trees", named)["launch_buttons"]
    assert ("binderhub_url" in buttons, "colab_url" in buttons) == (True, False)


def test_classes_have_the_order_of_their_colors():
    orders = class_orders()
    assert orders["approved"] == orders["good"] == ("no", "yes")
    assert {"party", "play", "class"} <= set(orders)


@pytest.mark.parametrize(("selector", "palette"), [("html", LIGHT), ('html[data-theme="dark"]', DARK)])
def test_the_page_has_the_colors_of_the_pictures(selector, palette):
    css = (ROOT / "_static" / "book.css").read_text(encoding="utf-8")
    rules = re.search(rf"^{re.escape(selector)} \{{(.*?)\}}", css, re.MULTILINE | re.DOTALL)[1]
    assert dict(re.findall(r"--dt-([\w-]+): (#\w+);", rules)) == palette


def test_the_link_of_a_solution_begins_with_a_word():
    context = {"body": '<p class="admonition-title">Solution to<a href="#x"> Exercise 1.1</a></p>'}
    solution_titles(None, "chapters/01", "page.html", context, None)
    assert context["body"] == '<p class="admonition-title">Solution to <a href="#x">Exercise 1.1</a></p>'
