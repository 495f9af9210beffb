"""The API pages: what is public is there, once."""

from __future__ import annotations

import importlib
import inspect
import re

import pytest
from api_pages import (
    PACKAGES,
    PAGES,
    all_modules,
    constant,
    details,
    directive,
    lead_back,
    overview,
    public,
    resolve,
    row_of,
    rows,
)

from tests.book.notebooks import ROOT

SHOWN = [name for row in rows() for module in row.modules for name in public(module)]
SECTIONS = ("Parameters", "Returns", "Attributes", "Examples", "Yields")


def listed(text: str) -> list[str]:
    """List the names that a text documents."""
    found = []
    for directive_, name, package in re.findall(
        r"^\.\. (auto(?:class|function)|py:data):: (\S+)(?:\n   :module: (\S+))?", text, re.MULTILINE
    ):
        found.append(f"{package}.{name}" if directive_ == "py:data" else name)
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_everything_that_a_package_exports_is_on_a_page(package) -> None:
    module = importlib.import_module(package)
    texts = "\n".join(details(row) for row in rows())
    on_pages = listed(texts)
    assert [name for name in module.__all__ if on_pages.count(f"{package}.{name}") != 1] == []
    assert [name for name in module.__all__ if f":py:obj:`{package}.{name}`" not in overview()] == []


def test_nothing_is_shown_twice() -> None:
    assert len(SHOWN) == len(set(SHOWN)) > 90


def test_each_public_name_is_on_a_page() -> None:
    public_names = {name for module in all_modules() for name in public(module.removeprefix("dtlib."))}
    assert public_names == set(SHOWN)


def test_the_pages_are_those_of_the_folder_in_the_order_of_the_contents() -> None:
    folder = sorted(path.stem for path in (ROOT / "reference" / "api").glob("*.md"))
    contents = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    assert sorted(PAGES) == folder
    assert list(PAGES) == re.findall(r"reference/api/(\w+)$", contents, re.MULTILINE)


def test_a_page_that_asks_for_a_room_that_is_not_there_fails() -> None:
    with pytest.raises(ModuleNotFoundError, match="cellar"):
        row_of("cellar")


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_public_is_documented(name) -> None:
    thing = resolve(name)
    if not (inspect.isroutine(thing) or inspect.isclass(thing)):
        assert len(constant(name)) > 20
        return
    doc = inspect.getdoc(thing)
    assert re.match(r"[A-Z`].+\.$", doc.partition("\n")[0]), "the first line is no sentence"
    package, _, own = name.rpartition(".")
    if package in PACKAGES and own in importlib.import_module(package).__all__:
        assert [s for s in SECTIONS if re.search(rf"^{s}\n-+$", doc, re.MULTILINE)], "no section of numpydoc"


@pytest.mark.parametrize("name", [n for n in SHOWN if inspect.isfunction(resolve(n))])
def test_parameters_are_those_of_the_signature(name) -> None:
    """A parameter that is renamed, and not in the docstring, is noticed."""
    function = resolve(name)
    doc = inspect.getdoc(function)
    match = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+$|\Z)", doc, re.MULTILINE | re.DOTALL)
    if match is None:
        return
    heads = re.findall(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: :.*)?$", match[1], re.MULTILINE)
    said = [name.lstrip("*") for head in heads for name in head.split(", ")]
    assert said == list(inspect.signature(function).parameters)


def test_a_constant_is_documented_without_its_value() -> None:
    text = directive("dtlib.draw.DARK")
    assert text.startswith(".. py:data:: DARK\n   :module: dtlib.draw")
    assert "dark paper" in text


def test_source_code_leads_back_to_the_name_the_api_shows():
    link = '<div id="one_se_rule">\n<a class="viewcode-back" href="api.html#{}">[docs]</a>'
    context = {"body": link.format("dtlib.prune.cross_validation.one_se_rule")}
    lead_back(None, "_modules/dtlib/prune/cross_validation", "page.html", context, None)
    assert context["body"] == link.format("dtlib.prune.one_se_rule")
