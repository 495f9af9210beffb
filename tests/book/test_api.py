"""The API pages: what is public is there, once; what a page shows is short enough to read."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from typing import Any

import pytest
import yaml
from api_pages import (
    FOLDER,
    PACKAGES,
    PAGES,
    Entry,
    constant,
    directive,
    first_line,
    inner_formulas,
    is_documented,
    is_shown,
    lead_back,
    overview,
    page_of,
    pages,
    place_of,
    resolve,
    shown,
)
from api_pictures import DRAWING, pictures

from dtlib.draw import Picture
from tests.book.notebooks import NUMBERED, ROOT, load

SHOWN = [entry for page in pages() for entry in page.entries]
NAMES = [entry.name for entry in SHOWN]
ESTIMATORS = [name for name in NAMES if name.endswith(("Classifier", "Regressor"))]
# Inner parts that a chapter opens, to show how they work: their source has a page, the API none.
OPENED = {"hyperplane", "training_parts", "collapse", "PRUNED", "equal_splits", "searched", "statements"}
ROOMS = {"checks", "draw", "pictures", "plain"}  # imported whole
SECTIONS = ("Parameters", "Returns", "Attributes", "Examples", "Yields")
LINES = 640  # of docstrings on a page: about 15,500 px, in a window of 1280 px
FUNCTIONS = [name for name in NAMES if inspect.isfunction(resolve(name))]
DRAWN = [n for n in FUNCTIONS if inspect.signature(resolve(n)).return_annotation in (Picture, "Picture")]


def owner(name: str) -> Any:
    """Return the module, or the class, that a name on a page belongs to."""
    home = name.rpartition(".")[0]
    return resolve(home) if "." in home else importlib.import_module(home)


PUBLIC = sorted({owner(name).__name__ for name in NAMES if inspect.ismodule(owner(name))})


@pytest.mark.parametrize("module", PUBLIC)
def test_a_public_module_exports_what_the_pages_show_of_it(module) -> None:
    there = [name.rpartition(".")[2] for name in NAMES if name.rpartition(".")[0] == module]
    exported = importlib.import_module(module).__all__
    assert sorted(exported) == sorted(there), "on no page of reference/api, or not in __all__"
    assert exported == sorted(exported, key=isort_key)


def isort_key(name: str) -> tuple[bool, bool, str]:
    """Return the place of a name among others: constants, classes, functions."""
    return not name.isupper(), not name[0].isupper(), name


def test_what_has_a_list_of_exports_is_public() -> None:
    listed = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in (ROOT / "dtlib").rglob("*.py")
        if re.search(r"^__all__ = ", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert listed == {*PUBLIC} >= {*PACKAGES}


def test_nothing_is_described_twice() -> None:
    assert len(NAMES) == len(set(NAMES)) > 120
    within = [f"{entry.name}.{member}" for entry in SHOWN for member in entry.members]
    assert [name for name in within if name in NAMES] == []


def test_what_a_chapter_imports_is_in_the_api_or_opened_on_purpose() -> None:
    last = {name.rpartition(".")[2] for name in NAMES} | OPENED | ROOMS
    code = "\n".join(cell.source for path in NUMBERED for cell in load(path).code)
    lines = re.findall(r"^from dtlib[\w.]* import (.+)$", code, re.MULTILINE)
    imported = {name.split(" as ")[0].strip() for line in lines for name in line.split(",")}
    assert len(imported) > 50
    assert sorted(imported - last) == []


@pytest.mark.parametrize(
    "name", ["dtlib.oblique.hyperplane.best_moves", "dtlib.search.by_table.subset", "dtlib.Tree._blocks"]
)
def test_inner_names_are_not_shown(name) -> None:
    resolve(name)
    assert not is_shown(name)
    assert f"`{name}`" not in overview()


def test_the_estimators_come_first() -> None:
    """Forests, one of each kind, share a page."""
    has_estimator = [any(entry.name in ESTIMATORS for entry in page.entries) for page in pages()]
    assert has_estimator == sorted(has_estimator, reverse=True)
    assert [page.entries[0].name in ESTIMATORS for page in pages()] == has_estimator
    assert (sum(has_estimator), len(ESTIMATORS)) == (8, 9)


def test_the_pages_are_those_of_the_folder_in_the_order_of_the_contents() -> None:
    folder = sorted(path.stem for path in FOLDER.glob("*.md"))
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    files = [entry for part in contents["parts"] for entry in part["chapters"]]
    below = next(entry["sections"] for entry in files if entry["file"] == "reference/api")
    assert sorted(PAGES) == folder
    assert [section["file"] for section in below] == [f"reference/api/{page}" for page in PAGES]


def test_the_first_page_leads_to_every_page() -> None:
    table = (ROOT / "reference" / "api.md").read_text(encoding="utf-8")
    assert [page for page in PAGES if f"](api/{page}.md)" not in table] == []


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.file)
def test_a_page_has_a_bearable_length(page) -> None:
    lines = sum(len(text_of(entry).splitlines()) for entry in page.entries)
    assert lines <= LINES, "make two pages of it"


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.file)
def test_headings_are_short(page) -> None:
    text = (FOLDER / f"{page.file}.md").read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    assert [heading for heading in headings if len(heading) > 30] == []


def text_of(entry: Entry) -> str:
    """Return the docstrings that an entry shows."""
    thing = resolve(entry.name)
    own = inspect.getdoc(thing) or "" if is_documented(thing) else constant(entry.name)
    if not inspect.isclass(thing):
        return own
    found = [name for name in vars(thing) if not name.startswith("_") and f"{entry.name}.{name}" not in NAMES]
    members = entry.members or found
    texts = [inspect.getdoc(getattr(thing, name, None)) or "" for name in members]
    return "\n".join([own, *texts])


def test_a_page_without_a_title_is_noticed() -> None:
    with pytest.raises(ValueError, match=r"cellar\.md has no title"):
        page_of("cellar", "<!-- dtlib\ndtlib.book.checks.check\n-->")


@pytest.mark.parametrize("name", NAMES)
def test_what_is_public_is_documented(name) -> None:
    thing = resolve(name)
    if not is_documented(thing):
        assert len(constant(name)) > 20
        return
    doc = inspect.getdoc(thing)
    assert re.match(r"[A-Z`].+\.$", doc.partition("\n")[0]), "the first line is no sentence"
    assert first_line(name) in overview()
    package, _, own = name.rpartition(".")
    if package in PACKAGES and own in importlib.import_module(package).__all__:
        assert [s for s in SECTIONS if re.search(rf"^{s}\n-+$", doc, re.MULTILINE)], "no section of numpydoc"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_parameters_are_those_of_the_signature(name) -> None:
    """A parameter that is renamed, and not in the docstring, is noticed."""
    function = resolve(name)
    doc = inspect.getdoc(function)
    match = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+$|\Z)", doc, re.MULTILINE | re.DOTALL)
    if match is None:
        return
    heads = re.findall(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: :.*)?$", match[1], re.MULTILINE)
    said = [name.lstrip("*") for head in heads for name in head.split(", ")]
    assert said == [p for p in inspect.signature(function).parameters if p != "self"]


BY_NAME = {("dtlib.measures.impurity_decrease", "impurity")}  # a function, called by its name


def said_defaults(name: str) -> dict[str, str]:
    """Return what a docstring says of the defaults of parameters, as it stands there."""
    doc = inspect.getdoc(resolve(name)) or ""
    match = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+$|\Z)", doc, re.MULTILINE | re.DOTALL)
    heads = re.findall(r"^(\w+(?:, \w+)*) : .*\bdefault:? (\S.*)$", match[1] if match else "", re.MULTILINE)
    return {parameter: said for names, said in heads for parameter in names.split(", ")}


@pytest.mark.parametrize("name", [name for name in NAMES if callable(resolve(name))])
def test_defaults_are_those_of_the_signature(name) -> None:
    for parameter, said in said_defaults(name).items():
        if (name, parameter) not in BY_NAME:
            default = inspect.signature(resolve(name)).parameters[parameter].default
            assert ast.literal_eval(said) == default, parameter


def test_defaults_that_are_said_are_found() -> None:
    assert sum(len(said_defaults(name)) for name in NAMES if is_documented(resolve(name))) > 80


@pytest.mark.parametrize("name", DRAWN)
def test_every_function_that_draws_has_an_example_with_its_picture(name) -> None:
    function = resolve(name)
    module = inspect.getmodule(function)
    assert module.__name__.startswith(DRAWING)
    drawn = list(pictures(inspect.getdoc(function), vars(module)))
    assert drawn
    assert all('role="img"' in picture.svg and picture.description for _, picture in drawn)


def test_all_functions_that_draw_are_known() -> None:
    assert {name.rpartition(".")[2] for name in DRAWN} >= {"tree", "bars", "venn", "plane", "steps"}
    assert len(DRAWN) > 20


def test_a_constant_is_documented_without_its_value() -> None:
    text = directive(Entry("dtlib.draw.svg.DARK"))
    assert text.startswith(".. py:data:: DARK\n   :module: dtlib.draw.svg")
    assert "dark paper" in text


def test_a_class_shows_the_members_asked_for_and_not_those_described_apart() -> None:
    text = directive(shown()["dtlib.Tree"])
    assert ":members: node_count, n_leaves" in text
    assert "explain" in text.partition(":exclude-members:")[2]


def test_source_code_leads_back_to_the_name_the_api_shows():
    link = '<div id="one_se_rule">\n<a class="viewcode-back" href="api.html#{}">[docs]</a>'
    context = {"body": link.format("dtlib.prune.cross_validation.one_se_rule")}
    lead_back(None, "_modules/dtlib/prune/cross_validation", "page.html", context, None)
    assert context["body"] == link.format("dtlib.prune.one_se_rule")


def test_an_inner_function_leads_back_to_the_formula_it_computes():
    assert inner_formulas()[place_of("dtlib.arrays.weighted_sums")] == "22.3"
    link = '<div id="weighted_sums">\n<a class="viewcode-back" href="../chapters/formulas.html#{}">[docs]</a>'
    context = {"body": link.format("dtlib.arrays.weighted_sums")}
    lead_back(None, "_modules/dtlib/arrays", "page.html", context, None)
    assert context["body"] == link.format("formula-22-3")
