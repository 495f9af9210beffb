"""One document of all pages: title page, contents, chapters, solutions, reference."""

from __future__ import annotations

import subprocess
from collections import Counter
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

import yaml
from bs4 import BeautifulSoup, Tag

from .folds import drop_folded_code, element, open_others, page_of, take_answers, take_solutions
from .pages import Page, contents, ids_to_headings, link_inside, own_ids, read

ROOT = Path(__file__).resolve().parent.parent.parent
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
PREFACE = "About this book"
ABOUT = """Printed from the website of the book. Left out are the code that is folded there (imports and the
like), the reference of the library, the list of checked numbers, and the pages for teachers. The answers to
the quizzes and the solutions of the exercises are at the end, before the reference."""


@dataclass
class Entry:
    """A line of the table of contents, and a bookmark."""

    title: str
    anchor: str
    below: list[Entry] = field(default_factory=list)


def whole_book(site: Path, address: str = "") -> tuple[str, list[Entry]]:
    """Return the document and its table of contents."""
    pages = [read(site, name, part) for name, part in contents(ROOT / "_toc.yml")]
    pages[0].article.h1.string = PREFACE
    solutions = []
    for page in pages:
        ids_to_headings(page)
        own_ids(page)
    link_inside(pages, site, address)
    for page in pages:
        drop_folded_code(page)
        solutions.append((page, take_answers(page), take_solutions(page)))
        open_others(page)
    at = next(i for i, page in enumerate(pages) if page.part == "Reference")
    pages.insert(at, solutions_page([one for one in solutions if one[2]]))
    table = table_of_contents(pages)
    head = styles(site, pages)
    parts = [title_page(site), contents_page(table), *(str(shown(page)) for page in pages)]
    return document(head, parts), table


def solutions_page(solutions: list[tuple[Page, list[Tag], list[Tag]]]) -> Page:
    """Make a page of the answers to the quizzes and the solutions of the exercises."""
    article = element("article", element("h1", "Answers and solutions"), class_="bd-article", id="solutions")
    for page, answers, solved in solutions:
        section = element("section", element("h2", page.title, id=f"solutions-{page.slug}"))
        section.append(element("h3", "Check yourself", id=f"{page.slug}--answers"))
        section.extend(answers)
        section.append(element("h3", "Exercises"))
        section.extend(solved)
        article.append(section)
    return Page("solutions", article)


def table_of_contents(pages: list[Page]) -> list[Entry]:
    """Return the parts, the chapters in them and their sections.

    Sections that most chapters have, such as the summary, are left out.
    """
    titles = Counter(heading(h2) for page in pages for h2 in page.article.find_all("h2"))
    usual = {title for title, times in titles.items() if times >= 10}
    table: list[Entry] = []
    below = table
    numbers = iter(ROMAN)
    for page in pages:
        if page.part:
            title = f"Part {next(numbers)}. {page.part}" if page.part != "Reference" else page.part
            table.append(Entry(title, f"part-{page.slug}"))
            below = table[-1].below
        elif page.name == "solutions":
            below = table
        entry = Entry(page.title, page.slug)
        for h2 in page.article.find_all("h2"):
            if heading(h2) not in usual and len(heading(h2)) > 1 and h2.has_attr("id"):
                entry.below.append(Entry(heading(h2), h2["id"]))
        below.append(entry)
        page.part = table[-1].title if page.part else ""
    return table


def heading(tag: Tag) -> str:
    """Return the words of a heading, formulas as they are said in it."""
    return " ".join(tag.get_text().replace("\\(", "").replace("\\)", "").split())


def shown(page: Page) -> Tag:
    """Return the article as it stands in the document: below the title of the part that it opens."""
    page.article["class"] = "bd-article"
    if page.part:
        page.article.insert(0, element("p", page.part, class_="part", id=f"part-{page.slug}"))
    return page.article


def title_page(site: Path) -> str:
    """Make the title page, of what CITATION.cff and git say."""
    about = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    authors = ", ".join(author["name"] for author in about["authors"])
    logo = (site / "_static" / "logo.svg").resolve().as_uri()
    return f"""<article class="bd-article title-page" id="title-page">
<img src="{logo}" alt=""><h1>{escape(about["title"])}</h1>
<p class="authors">{escape(authors)}</p>
<p>Version {about["version"]}{escape(edition())}</p>
<p class="about">{ABOUT}</p>
<p class="about">Text and figures: CC BY 4.0. Code: BSD 3-Clause License.</p></article>"""


def edition() -> str:
    """Return the day of the last change, as git knows it; nothing where there is no git."""
    command = ["git", "log", "-1", "--date=format:%-d %B %Y", "--format=, %cd (%h)"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        return done.stdout.strip("\n")
    except FileNotFoundError:  # the book is printed from an archive, on a machine without git
        return ""


def contents_page(table: list[Entry]) -> str:
    """Make the table of contents."""
    return f'<article class="bd-article contents" id="contents"><h1>Contents</h1>{lines(table)}</article>'


def lines(table: list[Entry]) -> Tag:
    """Make the lines of a table of contents, with a place for the number of the page."""
    listed = element("ol")
    for entry in table:
        line = element("li", page_of(entry.anchor, entry.title))
        if entry.below:
            line.append(lines(entry.below))
        listed.append(line)
    return listed


def styles(site: Path, pages: list[Page]) -> str:
    """Return what stands in the head of a page of the site to style it, and the running heads.

    A page that still has formulas in TeX takes its typesetter along.
    """
    name = pages[1].name
    folder = (site / name).parent
    head = BeautifulSoup((site / f"{name}.html").read_text(encoding="utf-8"), "html.parser").head
    kept = list(head.select('link[rel="stylesheet"], style'))
    for script in head.find_all("script"):
        if "MathJax" in script.get_text() or "mathjax" in script.get("src", ""):
            kept.append(script)
    for tag in kept:
        for key in ("href", "src"):
            if tag.has_attr(key):
                tag[key] = (folder / tag[key].partition("?")[0]).resolve().as_uri()
    own = (Path(__file__).parent / "book.css").read_text(encoding="utf-8")
    return "\n".join(map(str, kept)) + f"<style>{own}\n{running_heads(pages)}</style>"


def running_heads(pages: list[Page]) -> str:
    """Return a style that says at the top of each page in which chapter it is."""
    rules = []
    for page in pages:
        title = page.title.replace("\\", "\\\\").replace('"', '\\"')
        name = f"page-{page.slug}"
        rules.append(f'@page {name} {{ @top-left {{ content: "{title}"; }} }}')
        rules.append(f'[id="{page.slug}"] {{ page: {name}; }}')
    return "\n".join(rules)


def document(head: str, parts: list[str]) -> str:
    """Return the whole document."""
    title = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["title"]
    return f"""<!DOCTYPE html>
<html lang="en" data-theme="light" data-mode="light"><head><meta charset="utf-8">
<title>{escape(title)}</title>
{head}</head>
<body><main class="bd-main"><div class="bd-content"><div class="bd-article-container">
{"".join(map(str, parts))}
</div></div></main></body></html>"""
