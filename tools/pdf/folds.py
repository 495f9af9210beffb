"""What folds on the screen, on paper: nothing on paper can be clicked."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bs4 import BeautifulSoup, Tag

from .pages import Page

EXERCISE = re.compile(r"#(?P<page>.*)--exercise-(?P<number>\d+-\d+)$")
CHOICES = 'section:has(> [id$="--check-yourself"]) details, .question details'
FRESH = BeautifulSoup("", "html.parser")


def element(name: str, *children: str | Tag, **attributes: str) -> Tag:
    """Make an element; ``_`` at the end of a name is dropped, as in ``class_``.

    >>> element("p", "see ", element("a", "there", href="#b"), class_="see")
    <p class="see">see <a href="#b">there</a></p>
    """
    named = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
    tag = FRESH.new_tag(name, attrs=named)
    for child in children:
        tag.append(child)
    return tag


def page_of(anchor: str, words: str) -> Tag:
    """Make a link that ends with the number of the page it leads to; the second printing knows it.

    >>> page_of("a", "Solution: page")
    <a href="#a">Solution: page <span data-page-of="a">000</span></a>
    """
    return element("a", f"{words} ", element("span", "000", data_page_of=anchor), href=f"#{anchor}")


def drop_folded_code(page: Page) -> None:
    """Leave out the code that is folded on the screen: imports and plumbing."""
    for fold in page.article.select("details.hide"):
        fold.decompose()
    for cell in page.article.select("div.cell"):
        if not cell.get_text(strip=True) and cell.find(["svg", "img", "math"]) is None:
            cell.decompose()


def open_others(page: Page) -> None:
    """Show what other folds hold below their summary: checks and whatever is folded in an output."""
    for fold in page.article.select("details"):
        fold.name = "div"
        fold["class"] = [*fold.get("class", []), "unfolded"]
        if fold.summary is not None and fold.summary.find(["h2", "h3", "h4"]):
            fold.summary.unwrap()  # a side road is a section like others
        elif fold.summary is not None:
            fold.summary["class"] = "summary"
            fold.summary.name = "p"  # from here on it is no summary any more


def take_answers(page: Page) -> list[Tag]:
    """Take what the choices of the quiz say out of the page; return it as one paragraph per question.

    In the page the choices keep letters, and a line says where the answers are.
    """
    answers: list[Tag] = []
    for number, choices in enumerate(list(questions(page)), start=1):
        answer = element("p", element("strong", f"{number}. "), class_="answer")
        for letter, choice in zip("abcdefgh", choices, strict=False):
            said = choice.find_all("p", recursive=False)
            right = choice.get_text().split("Right.")[0] != choice.get_text()
            answer.append(element("strong" if right else "span", f"({letter}) "))
            for paragraph in said:
                paragraph.name = "span"
                answer.append(paragraph.extract())
                answer.append(" ")
            words = choice.summary.extract()
            words.name, words["class"] = "p", "choice"
            words.insert(0, f"({letter}) ")
            choice.replace_with(words)
        answers.append(answer)
    if answers:
        for line in page.article.find_all("p", string=re.compile("^Click on a choice")):
            line.replace_with(element("p", page_of(f"{page.slug}--answers", "The answers are on page"), "."))
    return answers


def questions(page: Page) -> Iterator[list[Tag]]:
    """Yield the choices of each question of the quiz: folds that follow one another."""
    group: list[Tag] = []
    for choice in page.article.select(CHOICES):
        if group and choice.find_previous_sibling(True) is not group[-1]:
            yield group
            group = []
        group.append(choice)
    if group:
        yield group


def take_solutions(page: Page) -> list[Tag]:
    """Take the solutions out of the page; leave at each exercise on which page its solution is."""
    solutions = []
    for solution in page.article.select("div.solution"):
        match = EXERCISE.match(solution.find("a")["href"])
        exercise = page.article.find(id=match[0][1:])
        number, name = match["number"].replace("-", "."), f"{page.slug}--solution-{match['number']}"
        title = exercise.find(class_="admonition-title").get_text().partition("(")[2].rpartition(")")[0]
        link = element("a", f"Solution {number}", href=match[0])
        solution.find(class_="admonition-title").replace_with(
            element("p", link, f" {title}", class_="solution-title")
        )
        solution["id"], solution["class"] = name, "solution"
        exercise.append(element("p", page_of(name, "Solution: page"), class_="see"))
        solutions.append(solution.extract())
    return solutions
