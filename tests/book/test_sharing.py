"""What previews, search engines and followers of dead links get, in builds of a book of two pages."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from PIL import Image
from sharing import CARD, CARD_TAGS, page_title, site_url

from tests.book.notebooks import ROOT

ADDRESS = "https://example.org/trees/"
CONFIG = """
import sys
sys.path.insert(0, "website/extensions")
extensions = ["myst_parser", "sharing"]
html_theme = "sphinx_book_theme"
html_title = "Trees"
html_last_updated_fmt = "%-d %B %Y"
templates_path = ["website/templates"]
html_static_path = ["_static"]
root_doc = "intro"
exclude_patterns = ["website", "_static"]
"""
PAGES = {
    "intro.md": "# Trees\n\nWhich first?\n\n```{toctree}\nreference/glossary\nchapters/formulas\n```\n",
    "reference/glossary.md": "# Glossary\n\nWords.\n",
    "chapters/formulas.md": "# Formulas\n\nLetters.\n",
}


@pytest.fixture(scope="module", params=[ADDRESS, None], ids=["published", "a copy"])
def built(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str | None, Path]:
    """Build a small book with the address of a site and without, every warning an error."""
    source = tmp_path_factory.mktemp("book")
    for part in ("website/extensions", "website/templates", "_static"):
        shutil.copytree(ROOT / part, source / part, ignore=shutil.ignore_patterns("__pycache__"))
    (source / "conf.py").write_text(CONFIG, encoding="utf-8")
    for name, text in PAGES.items():
        (source / name).parent.mkdir(exist_ok=True)
        (source / name).write_text(text, encoding="utf-8")
    keep = {key: value for key, value in os.environ.items() if key not in ("BOOK_URL", "GITHUB_REPOSITORY")}
    environment = keep | ({"BOOK_URL": request.param} if request.param else {})
    command = [sys.executable, "-m", "sphinx", "-W", "-n", "-q", "-b", "html", ".", "out"]
    done = subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return request.param, source / "out"


def head(path: Path) -> dict[str, str]:
    """Return what the head of a page says: title, canonical link, named and open-graph tags."""
    text = path.read_text(encoding="utf-8")
    found = dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)"', text))
    found |= {"title": title[1].strip() if (title := re.search(r"<title>(.*?)</title>", text, re.S)) else ""}
    return found | {
        "canonical": link[1] if (link := re.search(r'rel="canonical" href="([^"]*)"', text)) else ""
    }


def test_a_title_says_page_and_book_and_the_book_once(built: tuple[str | None, Path]) -> None:
    _, out = built
    assert head(out / "intro.html")["title"] == "Trees"
    assert head(out / "reference/glossary.html")["title"] == "Glossary · Trees"


def test_an_address_makes_previews_and_canonical_links(built: tuple[str | None, Path]) -> None:
    address, out = built
    found = head(out / "reference/glossary.html")
    if address is None:
        assert found["canonical"] == ""
        assert [name for name in found if name.startswith(("og:", "twitter:"))] == []
        return
    page = f"{ADDRESS}reference/glossary.html"
    assert (found["canonical"], found["og:url"]) == (page, page)
    assert (found["og:title"], found["og:site_name"]) == ("Glossary", "Trees")
    assert found["og:image"] == ADDRESS + CARD
    assert (out / CARD).is_file()
    assert found["twitter:card"] == "summary_large_image"


def test_an_address_tells_search_engines_what_a_page_is(built: tuple[str | None, Path]) -> None:
    address, out = built
    of_page = re.compile(r'<script type="application/ld\+json">(.*?)</script>')
    said = {
        name: of_page.findall((out / name).read_text(encoding="utf-8"))
        for name in ("intro.html", "reference/glossary.html", "404.html", "search.html")
    }
    if address is None:
        assert not any(said.values())
        return
    assert said["404.html"] == said["search.html"] == []
    [first], [page] = (
        list(map(json.loads, said[name])) for name in ("intro.html", "reference/glossary.html")
    )
    assert (first["@type"], first["name"], first["url"]) == ("Book", "Trees", ADDRESS)
    assert (page["name"], page["url"]) == ("Glossary", f"{ADDRESS}reference/glossary.html")
    assert page["isPartOf"] == {"@type": "Book", "name": "Trees", "url": ADDRESS}
    assert first["image"] == page["image"] == head(out / "intro.html")["og:image"]


def test_an_address_makes_a_list_of_pages_for_search_engines(built: tuple[str | None, Path]) -> None:
    address, out = built
    if address is None:
        assert not (out / "sitemap.xml").exists()
        assert not (out / "robots.txt").exists()
        return
    listed = re.findall(r"<loc>(.*?)</loc>", (out / "sitemap.xml").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(ADDRESS + name.replace(".md", ".html") for name in PAGES)
    assert f"Sitemap: {ADDRESS}sitemap.xml" in (out / "robots.txt").read_text(encoding="utf-8")


def test_the_page_for_no_page_leads_back_from_any_address(built: tuple[str | None, Path]) -> None:
    address, out = built
    text = (out / "404.html").read_text(encoding="utf-8")
    root = "/trees/" if address else "/"
    assert "There is no page at this address" in text
    assert f'<form class="search-form" action="{root}search.html"' in text
    assert f'<a href="{root}intro.html">first page</a>' in text
    inside = [link for link in re.findall(r'(?:href|src)="([^"#]+)', text) if "://" not in link]
    assert len(inside) > 10
    assert [link for link in inside if not link.startswith(root)] == []


def test_without_git_no_page_says_when_it_changed(built: tuple[str | None, Path]) -> None:
    _, out = built
    assert "Last changed" not in (out / "intro.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("environ", "address"),
    [
        ({"BOOK_URL": "https://example.org/trees"}, ADDRESS),
        ({"BOOK_URL": ADDRESS, "GITHUB_REPOSITORY": "a/b"}, ADDRESS),
        ({"GITHUB_REPOSITORY": "Someone/Trees"}, "https://someone.github.io/Trees/"),
        ({"BOOK_URL": ""}, None),
    ],
)
def test_the_address_comes_from_the_environment(environ: dict[str, str], address: str | None) -> None:
    assert site_url(environ) == address


def test_an_address_that_is_none_is_named() -> None:
    with pytest.raises(ValueError, match=r"BOOK_URL='example\.org' is no address of a site"):
        site_url({"BOOK_URL": "example.org"})


def test_a_title_may_hold_the_name_of_the_book() -> None:
    assert page_title("Trees and forests", "Trees") == "Trees and forests · Trees"


def test_the_card_is_of_the_size_that_previews_want() -> None:
    path = ROOT / CARD
    with Image.open(path) as card:
        assert card.size == (1200, 630)
    assert path.stat().st_size <= 60_000


def test_a_preview_is_told_the_size_of_the_card() -> None:
    said = dict(re.findall(r'property="og:image:(width|height)" content="(\d+)"', "".join(CARD_TAGS)))
    with Image.open(ROOT / CARD) as card:
        assert said == {"width": str(card.width), "height": str(card.height)}


def test_the_website_is_published_with_the_history_that_dates_need() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/pages.yml").read_text(encoding="utf-8"))
    checkout = workflow["jobs"]["build"]["steps"][0]
    assert checkout["with"]["fetch-depth"] == 0
