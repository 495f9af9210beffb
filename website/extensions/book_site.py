"""The site around the chapters: what is vendored, links to the repository, tables that everybody can read."""

from __future__ import annotations

import html
import os
import re
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from repository import git_origin, named_by_the_notebooks, repository_url
from sphinx.transforms.post_transforms import SphinxPostTransform

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

ROOT = Path(__file__).resolve().parents[2]
#: Classes of data sets that scikit-learn brings, in the order of their colors.
OTHER_CLASSES = {
    "species": ("setosa", "versicolor", "virginica"),
    "tumor": ("benign", "malignant"),
    "result": ("clear", "narrowed"),
}
BINDER = "https://mybinder.org"
COLAB = "https://colab.research.google.com"
LINKED_TITLE = re.compile(r'(<p class="admonition-title">Solution to)(<a [^>]*>) ')


def theme_options(url: str | None, named: str | None = None) -> dict:
    """Return the buttons of the header: the repository, and where the host allows it Binder and Colab.

    Colab is offered where the notebooks name this repository: their first cell installs the library from it.
    """
    if url is None:
        return {}
    options = {"repository_url": url, "repository_branch": "main", "use_repository_button": True}
    if url.startswith("https://github.com/"):
        options["launch_buttons"] = {"notebook_interface": "jupyterlab", "binderhub_url": BINDER}
        if named == url:
            options["launch_buttons"]["colab_url"] = COLAB
    return options


def configure(app: Sphinx, config: Config) -> None:
    """Add what _config.yml cannot say (event config-inited)."""
    config.html_static_path.append("website/vendor")
    config.table_classes = class_orders()
    url = repository_url(dict(os.environ), git_origin())
    config.html_theme_options.update(theme_options(url, named_by_the_notebooks()))


def class_orders() -> dict[str, tuple[str, ...]]:
    """Return the target of each data set of the book with its classes, in the order of their colors.

    >>> class_orders()["approved"]
    ('no', 'yes')
    """
    from dtlib.datasets import columns_of, described

    orders = {}
    for name, about in described().items():
        classes = columns_of(name)[about["target"]].get("categories", ())
        if classes:
            colors = about.get("colors", {})
            orders[about["target"]] = tuple(sorted(classes, key=lambda kind: colors.get(kind, "")))
    return orders | OTHER_CLASSES


def page_links(markup: str) -> str:
    """Turn links to notebooks, in the outputs of a cell, into links to their pages.

    >>> page_links('<a href="04_id3.ipynb#trees">')
    '<a href="04_id3.html#trees">'
    """
    return re.sub(r'(href="[^":]+)\.ipynb(["#])', r"\1.html\2", markup)


class PageLinks(SphinxPostTransform):
    """Repair the links among the HTML outputs of a chapter."""

    default_priority = 229
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for raw in self.document.findall(nodes.raw):
            if raw.get("format") == "html" and re.search(r'\.ipynb["#]', raw.astext()):
                raw.children = [nodes.Text(page_links(raw.astext()))]


class ReferencesAsList(SphinxPostTransform):
    """Show the bibliography as a list without labels: a citation in the text says author and year."""

    default_priority = 240
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for citation in list(self.document.findall(nodes.citation)):
            item = nodes.list_item("", *citation.children[1:], ids=citation["ids"])
            previous = citation.parent[max(citation.parent.index(citation) - 1, 0)]
            if isinstance(previous, nodes.bullet_list) and "references" in previous["classes"]:
                previous += item
                citation.parent.remove(citation)
            else:
                # not replace_self, which would give the list the identifier of its first entry
                citation.parent.replace(citation, nodes.bullet_list("", item, classes=["references"]))


def describe_page(
    app: Sphinx, pagename: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Give a page its first sentences as description, for search engines and previews (html-page-context)."""
    first = next(doctree.findall(nodes.paragraph), None) if doctree else None
    if first is not None:
        text = textwrap.shorten(first.astext(), 160, placeholder=" ...")
        context["metatags"] += f'<meta name="description" content="{html.escape(text)}" />\n'
        context["meta"] = (context["meta"] or {}) | {"og:description": text}  # read by sphinxext-opengraph


def solution_titles(
    app: Sphinx, pagename: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Move the space before a link in the title of a solution out of the link (event html-page-context)."""
    context["body"] = LINKED_TITLE.sub(r"\1 \2", context.get("body", ""))


def setup(app: Sphinx) -> dict[str, bool]:
    sys.path.insert(0, str(ROOT))
    app.add_config_value("comments_config", {}, "env")  # Jupyter Book sets it; sphinx_comments is not loaded
    app.setup_extension("first_page")
    app.setup_extension("languages")
    app.connect("config-inited", configure)
    app.connect("html-page-context", describe_page)
    app.connect("html-page-context", solution_titles)
    app.add_post_transform(PageLinks)
    app.add_post_transform(ReferencesAsList)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
