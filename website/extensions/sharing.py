"""What the site says to those who are not reading it yet: previews of links, search engines, dead links.

The address of the site is not in the repository, as a copy of it is published elsewhere. It comes from the
variable BOOK_URL, or from the workflow that publishes to GitHub Pages. Only a book that knows its address has
canonical links, previews (sphinxext-opengraph), what it is in the words of schema.org, a list of its pages
(sphinx-sitemap) and a robots.txt.

Everywhere, a title says chapter and book, 404.html leads back (sphinx-notfound-page), and a page says when it
last changed (sphinx-last-updated-by-git), if git is there and knows it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx
    from sphinx.config import Config

CARD = "_static/card.png"  # drawn by `make card`
CARD_SAYS = "Decision Trees by Counting. The melon tree: its questions, and how many melons each leaf counts."
CARD_TAGS = tuple(
    f'<meta {kind}="{name}" content="{content}" />'
    for kind, name, content in (
        ("property", "og:image:width", "1200"),
        ("property", "og:image:height", "630"),
        ("name", "twitter:card", "summary_large_image"),
    )
)
NOT_FOUND = "404"
NO_DATES = ["git.subprocess_error", "git.command_not_found", "git.too_shallow", "git.dependency_not_found"]


def site_url(environ: dict[str, str]) -> str | None:
    """Return the address of the published site, with a slash at its end, or None where nobody says it.

    Parameters
    ----------
    environ : dict
        Environment variables: BOOK_URL, or GITHUB_REPOSITORY as a GitHub workflow sets it.

    Examples
    --------
    >>> site_url({"BOOK_URL": "https://example.org/trees"})
    'https://example.org/trees/'
    >>> site_url({"GITHUB_REPOSITORY": "Someone/trees"})
    'https://someone.github.io/trees/'
    >>> site_url({"GITHUB_REPOSITORY": "someone/someone.github.io"})
    'https://someone.github.io/'
    >>> site_url({}) is None
    True
    """
    address = environ.get("BOOK_URL") or pages_url(environ.get("GITHUB_REPOSITORY", ""))
    if not address:
        return None
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError(f"BOOK_URL={address!r} is no address of a site, as https://example.org/trees/ is")
    return address.rstrip("/") + "/"


def pages_url(repository: str) -> str:
    """Return where GitHub Pages publishes a repository `owner/name`, or an empty text for none."""
    owner, _, name = repository.partition("/")
    host = f"{owner.lower()}.github.io"
    if not name:
        return ""
    return f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"


def page_title(title: str, book: str) -> str:
    """Say the page and the book, and the book's name once.

    >>> page_title("13. Cost complexity", "Trees"), page_title("Trees", "Trees")
    ('13. Cost complexity · Trees', 'Trees')
    """
    return book if title == book else f"{title} · {book}"


def configure(app: Sphinx, config: Config) -> None:
    """Tell the extensions what they need (event config-inited)."""
    config.suppress_warnings = [*config.suppress_warnings, *NO_DATES]
    config.git_untracked_show_sourcelink = True
    address = site_url(dict(os.environ))
    config.notfound_urls_prefix = urlsplit(address).path if address else "/"
    config.notfound_template = "not-found.html"
    config.notfound_context = {"title": "There is no page at this address", "body": ""}
    if address is None:
        return
    config.html_baseurl = config.ogp_site_url = address
    config.ogp_site_name = config.html_title
    config.ogp_image, config.ogp_image_alt, config.ogp_custom_meta_tags = address + CARD, CARD_SAYS, CARD_TAGS
    config.ogp_social_cards = {"enable": False}
    config.sitemap_url_scheme = "{link}"
    config.sitemap_excludes = ["search.html", "genindex.html", f"{NOT_FOUND}.html", "_modules/*"]
    config.sitemap_show_lastmod = True


def described(address: str, path: str, title: str, book: str, is_first: bool) -> dict[str, object]:
    """Return what a page is in the words of schema.org: the book, or a part of it.

    >>> described("https://example.org/", "a.html", "Leaves", "Trees", False)["isPartOf"]
    {'@type': 'Book', 'name': 'Trees', 'url': 'https://example.org/'}
    """
    said: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "Book" if is_first else "LearningResource",
        "name": title,
        "url": address if is_first else address + path,
        "inLanguage": "en",
        "image": address + CARD,
    }
    return said if is_first else said | {"isPartOf": {"@type": "Book", "name": book, "url": address}}


def describe_page(
    app: Sphinx, pagename: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Tell search engines what a page is, if the book knows its address (html-page-context)."""
    address = site_url(dict(os.environ))
    if address is not None and doctree is not None:
        is_first, book = pagename == app.config.root_doc, app.config.html_title
        text = json.dumps(described(address, f"{pagename}.html", context["title"], book, is_first))
        safe = text.replace("<", "\\u003c")  # the script would end at a tag in a title
        context["metatags"] += f'<script type="application/ld+json">{safe}</script>\n'


def title_page(
    app: Sphinx, pagename: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Give a page its title, and 404.html, which is shown at any address, its root (html-page-context)."""
    if context.get("title"):  # index and search say theirs in their templates
        context["title"] = page_title(context["title"], app.config.html_title)
        context["docstitle"] = ""  # Sphinx would add it once more
    if pagename == NOT_FOUND:
        context["content_root"] = app.config.notfound_urls_prefix
        context.pop("pageurl", None)


def write_robots(app: Sphinx, exception: Exception | None) -> None:
    """Invite search engines, and show them the list of pages (event build-finished)."""
    address = site_url(dict(os.environ))
    if address is not None and exception is None and app.builder.name == "html":
        text = f"User-agent: *\nAllow: /\nSitemap: {address}sitemap.xml\n"
        Path(app.outdir, "robots.txt").write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.setup_extension("sphinx_last_updated_by_git")
    app.setup_extension("notfound.extension")
    if site_url(dict(os.environ)) is not None:
        app.setup_extension("sphinxext.opengraph")
        app.setup_extension("sphinx_sitemap")
    app.connect("config-inited", configure, priority=400)
    app.connect("html-page-context", describe_page, priority=600)
    app.connect("html-page-context", title_page, priority=700)  # previews say the title alone
    app.connect("build-finished", write_robots)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
