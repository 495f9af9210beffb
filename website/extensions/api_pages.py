"""The API pages, made from the library itself.

A page of `reference/api/` holds comments, each the names of what is described there, one on a line::

    <!-- dtlib
    dtlib.Tree: node_count, n_leaves
    dtlib.Tree.explain
    -->

While Sphinx reads the page, such a comment becomes the descriptions: of a function, of a method, of a class
with all that is public in it, or with the members named after the colon. ``<!-- dtlib: overview -->`` becomes
the same names of all pages, with one line for each. What stands on no page is inner; its source has a page,
and a link from chapters/formulas.csv to such a function leads there.
"""

from __future__ import annotations

import csv
import importlib
import inspect
import re
from dataclasses import dataclass
from functools import cache, reduce
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import api_pictures
from docutils import nodes
from sphinx import addnodes
from sphinx.pycode import ModuleAnalyzer
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

if TYPE_CHECKING:
    from sphinx.application import Sphinx

logger = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "reference" / "api"
PAGES = (
    "id3", "id3_regressor", "c45", "cart_classifier", "cart_regressor", "forest", "oblique", "optimal",
    "estimators", "tree", "explaining", "homework", "importance", "exporting", "pruning", "cost_complexity",
    "measures", "counting", "drawing", "pictures_of_numbers", "pictures_of_trees", "out_of_core", "data",
)  # of reference/api, in order  # fmt: skip
# the first that has a name is shown
PACKAGES = (
    "dtlib",
    "dtlib.prune",
    "dtlib.dialects",
    "dtlib.draw",
    "dtlib.export",
    "dtlib.out_of_core",
    "dtlib.importance",
    "dtlib.datasets",
    "dtlib.homework",
    "dtlib.book.pictures",
)
# inner, but their methods are not
BASES = ("dtlib.base.TreeEstimator.", "dtlib.base.ClassTree.", "dtlib.base.NumberTree.", "dtlib.cart.CART.")
OVERVIEW = "<!-- dtlib: overview -->"
COMMENT = re.compile(r"<!-- dtlib\n(?P<names>.*?)\n-->", re.DOTALL)
TITLE = re.compile(r"^# (?P<title>.+)$", re.MULTILINE)
CITED = re.compile(r" ?\[(\d+)\]_")
REFERENCE = re.compile(r"^\.\. \[(\d+)\] ")
BACK = re.compile(r'(?P<link>id="(?P<name>[\w.]+)">\s*<a class="viewcode-back" href="[^"#]+#)[^"]+')
FEW_PARAMETERS = 8  # a longer signature would fill a window
PARAMETERS = re.compile(
    r'<dl>(?P<lines>\s*(?:<dd><em class="sig-param">(?:(?!</?d[dl]>).)*</dd>\s*)+)</dl>', re.DOTALL
)
DESCRIBED = re.compile(
    r'<dt class="sig[^>]*id="(?P<name>[\w.]+)"|<li><p><strong>(?P<parameter>[a-z]\w*[a-z])</strong> \(<em>'
)  # a name of the API, or one of its parameters
IMPORTED = re.compile(r'<span class="nn">(?P<name>dtlib[\w.]+)</span>')
API_LINK = re.compile(r'href="(?:\.\./)?reference/api\.md#(?P<name>[\w.]+)"')


@dataclass(frozen=True)
class Entry:
    """What a page describes: the name to import, and which members of a class (none: all that are public)."""

    name: str
    members: tuple[str, ...] = ()


@dataclass(frozen=True)
class Page:
    """A page of the API: its file without the ending, its title, and what it describes."""

    file: str
    title: str
    entries: tuple[Entry, ...]


@cache
def pages() -> tuple[Page, ...]:
    """Return the pages of the API in the order of the contents.

    >>> pages()[0].title, pages()[0].entries
    ('ID3', (Entry(name='dtlib.ID3Classifier', members=()),))
    """
    return tuple(page_of(file, (FOLDER / f"{file}.md").read_text(encoding="utf-8")) for file in PAGES)


def page_of(file: str, text: str) -> Page:
    """Return what a page describes, by its text."""
    title = TITLE.search(text)
    if title is None:
        raise ValueError(f"{file}.md has no title; its first line is '# ' and a title")
    return Page(file, title["title"], tuple(entry for m in COMMENT.finditer(text) for entry in entries_of(m)))


def entries_of(comment: re.Match[str]) -> list[Entry]:
    """Return what a comment asks for.

    >>> entries_of(COMMENT.search("<!-- dtlib\\ndtlib.Tree: root, depth\\ndtlib.book.checks.check\\n-->"))
    [Entry(name='dtlib.Tree', members=('root', 'depth')), Entry(name='dtlib.book.checks.check', members=())]
    """
    lines = [line.partition(":") for line in comment["names"].splitlines()]
    return [Entry(name.strip(), tuple(re.findall(r"\w+", members))) for name, _, members in lines]


@cache
def shown() -> dict[str, Entry]:
    """Return what all pages describe, by its name.

    >>> "dtlib.prune.risk" in shown(), "dtlib.oblique.hyperplane.best_moves" in shown()
    (True, False)
    """
    return {entry.name: entry for page in pages() for entry in page.entries}


def is_shown(name: str) -> bool:
    """Tell whether a page describes what has this name, by itself or within its class.

    >>> is_shown("dtlib.Tree.apply"), is_shown("dtlib.Tree._blocks")
    (True, False)
    """
    owner, _, member = name.rpartition(".")
    entry = shown().get(owner)
    within = entry is not None and inspect.isclass(resolve(owner)) and member in (entry.members or (member,))
    return name in shown() or within


def all_modules() -> list[str]:
    """List the modules of the library: each has a page with its source.

    >>> "dtlib.measures" in all_modules(), "dtlib.table" in all_modules()
    (True, False)
    """
    files = (p.relative_to(ROOT).with_suffix("") for p in (ROOT / "dtlib").rglob("[a-z]*.py"))
    return sorted(".".join(file.parts) for file in files)


@cache
def exported() -> dict[str, str]:
    """Return what the packages export: where a name is defined -> the name to import.

    >>> exported()["dtlib.prune.loss.risk"], exported()["dtlib.tree.tree.Tree"]
    ('dtlib.prune.risk', 'dtlib.Tree')
    """
    found: dict[str, str] = {}
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in module.__all__:
            thing = getattr(module, name)
            home = getattr(thing, "__module__", None) or home_of(module, name)
            found.setdefault(f"{home}.{getattr(thing, '__name__', name)}", f"{package}.{name}")
    return found


def home_of(package: ModuleType, name: str) -> str:
    """Return the module below a package that defines a constant."""
    below = [m for m in vars(package).values() if inspect.ismodule(m) and name in vars(m)]
    return below[0].__name__ if below else package.__name__


@cache
def inner_formulas() -> dict[tuple[str, str], str]:
    """Return the inner functions that compute a formula: (module, name in it) -> number of the first one.

    >>> inner_formulas()["dtlib.oblique.hyperplane", "best_moves"]
    '22.6'
    """
    found: dict[tuple[str, str], str] = {}
    with (ROOT / "chapters" / "formulas.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if not is_shown(row["function"]):
                found.setdefault(place_of(row["function"]), row["number"])
    return found


def place_of(name: str) -> tuple[str, str]:
    """Return where something is defined: its module and its name there.

    >>> place_of("dtlib.prune.risk"), place_of("dtlib.Tree.labels")
    (('dtlib.prune.loss', 'risk'), ('dtlib.tree.tree', 'Tree.labels'))
    """
    thing = resolve(name)
    return thing.__module__, thing.__qualname__


# The text of a page


def overview() -> str:
    """Return a section for each page, with a line for each name."""
    return "\n\n".join(map(summary, pages()))


def summary(page: Page) -> str:
    """Return the section of a page in the overview: each name with the first line on it."""
    lines = "\n".join(f"   * - {linked(e.name)}\n     - {first_line(e.name)}" for e in page.entries)
    table = f".. list-table::\n   :widths: auto\n   :class: api-names\n\n{lines}"
    return f"## [{page.title}](api/{page.file}.md)\n\n```{{eval-rst}}\n{table}\n```"


def linked(name: str) -> str:
    """Return a link to what a page describes; a method of a base class goes by its own name.

    >>> linked("dtlib.book.checks.check"), linked("dtlib.base.TreeEstimator.apply")
    (':py:obj:`dtlib.book.checks.check`', ':py:obj:`apply <dtlib.base.TreeEstimator.apply>`')
    """
    base = next((base for base in BASES if name.startswith(base)), None)
    return f":py:obj:`{name.removeprefix(base)} <{name}>`" if base else f":py:obj:`{name}`"


def first_line(name: str) -> str:
    """Return the first line of a docstring; of a constant, what it is.

    >>> first_line("dtlib.measures.conditional_gini")
    'Return the mean Gini index of the branches of a split into all values of the feature.'
    """
    thing = resolve(name)
    if not is_documented(thing):
        return constant(name)
    return CITED.sub("", (inspect.getdoc(thing) or "").partition("\n")[0]).replace("*", r"\*")


def is_documented(thing: Any) -> bool:
    """Tell whether something has a docstring of its own; a constant has a comment."""
    return inspect.isroutine(thing) or inspect.isclass(thing) or isinstance(thing, property)


def resolve(name: str) -> Any:
    """Return the thing with a name, such as ``dtlib.prune.risk`` or ``dtlib.Tree.explain``."""
    parts = name.split(".")
    for length in range(1, len(parts)):  # where a package exports a function named as its module, that counts
        try:
            return reduce(getattr, parts[length:], importlib.import_module(".".join(parts[:length])))
        except (AttributeError, ModuleNotFoundError):
            continue
    raise ValueError(f"there is no {name}")


def details(comment: re.Match[str]) -> str:
    """Return the descriptions that a comment asks for."""
    text = "\n\n".join(map(directive, entries_of(comment)))
    return f"```{{eval-rst}}\n{text}\n```"


def directive(entry: Entry) -> str:
    """Return the directive that describes something."""
    thing = resolve(entry.name)
    if inspect.isclass(thing):
        return class_directive(entry)
    if isinstance(thing, property):
        return f".. autoproperty:: {entry.name}"
    if inspect.isroutine(thing):
        kind = "method" if "." in thing.__qualname__ else "function"
        return f".. auto{kind}:: {entry.name}"
    package, _, own = entry.name.rpartition(".")
    return f".. py:data:: {own}\n   :module: {package}\n\n   {constant(entry.name)}"


def class_directive(entry: Entry) -> str:
    """Return the directive of a class: without the members that are described by themselves."""
    if hasattr(resolve(entry.name), "_fields"):  # of each field Python says its place alone
        return f".. autoclass:: {entry.name}"
    apart = [name.rpartition(".")[2] for name in shown() if name.startswith(f"{entry.name}.")]
    but = f"\n   :exclude-members: {', '.join(apart)}" if apart else ""
    return f".. autoclass:: {entry.name}\n   :members: {', '.join(entry.members)}".rstrip() + but


def constant(name: str) -> str:
    """Return what the comment above a constant says, which begins with ``#:``.

    >>> constant("dtlib.draw.svg.DARK")
    'The same colors for dark paper.'
    """
    places = [home for home, shown in exported().items() if shown == name] or [name]
    module, _, own = places[0].rpartition(".")
    comments = ModuleAnalyzer.for_module(module).find_attr_docs()
    return " ".join(comments["", own]).strip()


def read_source(app: Sphinx, docname: str, content: list[str]) -> None:
    """Put what was asked for in the place of the comments (event source-read)."""
    if docname == "reference/api":
        content[0] = content[0].replace(OVERVIEW, overview())
    elif docname.startswith("reference/api/"):
        content[0] = COMMENT.sub(details, content[0])


# What is documented, and what a name in backticks means


def skip_member(app: Sphinx, what: str, name: str, thing: Any, skip: bool, options: Any) -> bool | None:
    """Leave out what scikit-learn adds to estimators to route metadata (event autodoc-skip-member)."""
    return True if re.fullmatch(r"set_\w+_request", name) else None


def number_references(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list) -> None:
    """Make a list of the references of a docstring: a page has many a [1] (autodoc-process-docstring)."""
    lines[:] = [REFERENCE.sub(r"\1. ", CITED.sub(r" [\1]", line)) for line in lines]


def source_of(app: Sphinx, module: str, name: str) -> str | None:
    """Return the module with the source of a name; a property is with its class (viewcode-follow-imported).

    >>> source_of(None, "dtlib", "Tree.depth"), source_of(None, "dtlib.prune", "risk")
    ('dtlib.tree.tree', 'dtlib.prune.loss')
    """
    try:
        thing = resolve(f"{module}.{name}")
    except ValueError:  # declared in a class, and set by each instance
        return None
    is_own = inspect.isfunction(thing) or inspect.ismethod(thing) or inspect.isclass(thing)
    owner = thing if is_own else resolve(f"{module}.{name}".rpartition(".")[0])
    return getattr(owner, "__module__", None)


def every_module(app: Sphinx, env: Any) -> None:
    """Give every module a page with its source, shown in the API or not (event env-check-consistency).

    Sphinx makes pages only of modules with something documented, and notes them in the environment; a source
    has anchors only where something leads back. The inner functions that compute a formula lead back to it.
    """
    noted = env.__dict__.setdefault("_viewcode_modules", {})
    for module in all_modules():
        if not noted.get(module):
            analyzer = ModuleAnalyzer.for_module(module)
            analyzer.find_tags()
            noted[module] = analyzer.code, analyzer.tags, {}, module
    for module, name in inner_formulas():
        noted[module][2].setdefault(name, "chapters/formulas")


def parameter_list(body: str) -> str:
    """Make a list of parameters, one a line, which Sphinx writes as meanings without terms, a plain list.

    A long list is folded, for what it lists is described below: first sentence and example come first.

    >>> parameter_list('<dl>\\n<dd><em class="sig-param">x</em>,</dd>\\n</dl>')
    '<ul class="parameters">\\n<li><em class="sig-param">x</em>,</li>\\n</ul>'
    """

    def plain(match: re.Match[str]) -> str:
        lines = match["lines"].replace("<dd>", "<li>").replace("</dd>", "</li>")
        listed, count = f'<ul class="parameters">{lines}</ul>', lines.count("<li>")
        if count <= FEW_PARAMETERS:
            return listed
        return f'<details class="signature"><summary>{count} parameters</summary>{listed}</details>'

    return PARAMETERS.sub(plain, body)


def parameter_anchors(body: str) -> str:
    """Give each parameter of a class an anchor, so that the search leads to what it means.

    >>> page = '<dt class="sig" id="dtlib.C45Tree"><li><p><strong>prune</strong> (<em>str</em>)</p></li>'
    >>> '<li id="C45Tree-prune">' in parameter_anchors(page)
    True
    """
    name, seen = "", set()

    def anchored(match: re.Match[str]) -> str:
        nonlocal name
        if match["name"]:
            name = match["name"].rpartition(".")[2]
            return match[0]
        anchor = f"{name}-{match['parameter']}"
        if not name[:1].isupper() or anchor in seen:
            return match[0]
        seen.add(anchor)
        return match[0].replace("<li>", f'<li id="{anchor}">', 1)

    return DESCRIBED.sub(anchored, body)


def mend_parameters(
    app: Sphinx, pagename: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Mend the signatures of a page, and what it says of parameters (event html-page-context)."""
    body = parameter_list(context.get("body", ""))
    context["body"] = parameter_anchors(body) if pagename.startswith("reference/api/") else body


def lead_on(body: str, own: str) -> str:
    """Link the modules that a module's source imports to their own sources.

    >>> line = '<span class="kn">from</span><span class="w"> </span><span class="nn">dtlib.measures</span>'
    >>> lead_on(line, "dtlib.prune.loss").count('<a href="../measures.html">dtlib.measures</a>')
    1
    """
    here = f"{'../' * (own.count('.') - 1)}"

    def link(match: re.Match[str]) -> str:
        name = match["name"]
        if name not in all_modules():
            return match[0]
        path = name.removeprefix("dtlib.").replace(".", "/")
        return f'<span class="nn"><a href="{here}{path}.html">{name}</a></span>'

    return IMPORTED.sub(link, body)


def lead_back(
    app: Sphinx, pagename: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Mend the links from a module's code to the API, and add those to other code (event html-page-context).

    Sphinx takes one package for all names of a module.
    """
    if pagename.startswith("_modules/dtlib"):
        module = pagename.removeprefix("_modules/").replace("/", ".")
        body = BACK.sub(lambda m: m["link"] + shown_as(module, m["name"]), context["body"])
        context["body"] = lead_on(body, module)


def shown_as(module: str, name: str) -> str:
    """Return the anchor under which the API shows something of a module; of what is inner, its formula's.

    >>> shown_as("dtlib.cart", "CARTClassifier.fit"), shown_as("dtlib.oblique.hyperplane", "best_moves")
    ('dtlib.CARTClassifier.fit', 'formula-22-6')
    """
    if (module, name) in inner_formulas():
        return "formula-" + inner_formulas()[module, name].replace(".", "-")
    head, dot, method = name.partition(".")
    return exported().get(f"{module}.{head}", f"{module}.{head}") + dot + method


def named_role(name, rawtext, text, lineno, inliner, options=None, content=None):
    """A name in single backticks: code, and where it is the name of something documented, a link to it."""
    return [nodes.literal(rawtext, text, classes=["named"])], []


class NamedLinks(SphinxPostTransform):
    """Link the names in backticks, and the links of the notebooks to the API, to what is documented."""

    default_priority = 225  # before the tables of outputs are repaired
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for literal in list(self.document.findall(lambda n: isinstance(n, nodes.literal) and is_named(n))):
            where = self.find(literal.astext().removesuffix("()"))
            if where is not None:
                literal.replace_self(nodes.reference("", "", literal.deepcopy(), refuri=where, internal=True))
        for raw in self.document.findall(nodes.raw):
            if raw.get("format") == "html" and "reference/api.md#" in raw.astext():
                raw.children = [nodes.Text(API_LINK.sub(self.linked, raw.astext()))]

    def linked(self, match: re.Match[str]) -> str:
        """Return where a link to the API leads on the website: what is inner has its source."""
        where = self.find(match["name"])
        if where is None and (place := place_of(match["name"])) in inner_formulas():
            page = "_modules/" + place[0].replace(".", "/")
            where = f"{self.app.builder.get_relative_uri(self.env.docname, page)}#{place[1]}"
        if where is None:
            logger.warning("%s is not in the API", match["name"], location=self.env.docname, type="api_pages")
        return f'href="{where}"'

    def find(self, name: str) -> str | None:
        """Return where a name is documented; the shortest path to it counts, for a short name is unclear."""
        objects = self.env.domaindata["py"]["objects"]
        name = exported().get(f"dtlib.{name}", name)
        full = [n for n in objects if n == name or n.endswith(f".{name}")]
        depth = min((n.count(".") for n in full), default=0)
        nearest = [n for n in full if n.count(".") == depth]
        if len(nearest) != 1:
            return None
        entry, here = objects[nearest[0]], self.env.docname
        page = "" if entry.docname == here else self.app.builder.get_relative_uri(here, entry.docname)
        return f"{page}#{entry.node_id}"


def is_named(node: nodes.literal) -> bool:
    """Tell whether a piece of code was a name in backticks, outside of a link."""
    return "named" in node["classes"] and not isinstance(node.parent, nodes.reference)


def own_names(app: Sphinx, doctree: nodes.document) -> None:
    """Show a method that estimators share by its own name, without an inner class (event doctree-read)."""
    for owner in list(doctree.findall(addnodes.desc_addname)):
        if any(base.endswith(f".{owner.astext()}") for base in BASES):
            owner.parent.remove(owner)


def one_document(app: Sphinx, doctree: nodes.document) -> None:
    """Let all nodes of a page say that they are of this page (event doctree-read).

    MyST reads the descriptions as a document of their own, whose settings hold all that Sphinx knows of the
    book. It would be stored with every page of the API, 6 MB each time, and be read at each build.
    """
    for node in doctree.findall():
        node.document = doctree


def find_moved(
    app: Sphinx, pagename: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Let a link to a name lead to the page that describes it now (event html-page-context)."""
    if pagename == "reference/api" or pagename.startswith("reference/api/"):
        script = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
        app.add_js_file(None, body=script, id="find-moved")


def setup(app: Sphinx) -> dict[str, bool]:
    api_pictures.be_quiet()
    app.setup_extension("sphinx.ext.autodoc")
    app.add_role("named", named_role)
    app.setup_extension("sphinx.ext.viewcode")
    app.connect("viewcode-follow-imported", source_of)
    app.connect("env-check-consistency", every_module)
    app.connect("html-page-context", lead_back)
    app.connect("html-page-context", mend_parameters)
    app.connect("html-page-context", find_moved)
    app.connect("doctree-read", own_names)
    app.connect("doctree-read", one_document)
    app.connect("source-read", read_source)
    app.connect("autodoc-skip-member", skip_member)
    app.connect("autodoc-process-docstring", number_references)
    app.connect("autodoc-process-docstring", api_pictures.draw_examples, priority=600)  # after napoleon
    app.add_post_transform(NamedLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
