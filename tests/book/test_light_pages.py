"""One style sheet and one script for all pages, made at the end of the build."""

from __future__ import annotations

import os
from types import SimpleNamespace

import light_pages
import pytest
from sphinx.errors import ExtensionError

PAGE = """<html><head>
<script>document.documentElement.dataset.theme = localStorage.getItem("theme") || "auto";</script>
  <link href="{up}_static/styles/theme.css?digest=1" rel="stylesheet" />
  <link href="{up}_static/vendor/fontawesome/all.min.css?digest=1" rel="stylesheet" />
  <link rel="preload" as="script" href="{up}_static/late.js?digest=1" />
  <link rel="stylesheet" type="text/css" href="{up}_static/book.css?v=2" />
  <script src="{up}_static/vendor/fontawesome/all.min.js?digest=1"></script>
  <script src="{up}_static/first.js?v=3"></script>
  <script>DOCUMENTATION_OPTIONS.pagename = 'page';</script>
  <script>let words = "kept";</script>{more}
  <link rel="icon" href="{up}_static/favicon.svg"/>
</head><body><p class="a" id="b">text <i class="fa-solid fa-list"></i></p>
  <script src="{up}_static/late.js?digest=1"></script>
</body></html>"""
FILES = {
    "_static/styles/theme.css": '@import "../basic.css";\n.a { background: url(../file.png) } .gone {}',
    "_static/basic.css": "/* a comment */ #b { color: red }",
    "_static/book.css": ".fa-list { color: blue } .from-script { color: green }",
    "_static/first.js": 'const options = "from-script";\n//# sourceMappingURL=first.js.map',
    "_static/late.js": "options.length",
    "_static/vendor/fontawesome/all.min.js": "everything",
    "index.html": PAGE.format(up="", more=""),
    "chapters/one.html": PAGE.format(up="../", more=""),
    "search.html": PAGE.format(up="", more='\n<script src="searchindex.js"></script>'),
}


@pytest.fixture
def site(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def lighten(site, builder="html", exception=None):
    app = SimpleNamespace(builder=SimpleNamespace(name=builder), outdir=str(site))
    light_pages.lighten(app, exception)


def loaded(site, page):
    text = (site / page).read_text(encoding="utf-8")
    return [(link.kind, link.up + link.path) for link in light_pages.links(text)]


def test_a_page_loads_one_style_sheet_and_one_script(site):
    lighten(site)
    kinds = [("css", "bundle.css"), ("css", "noscript.css"), ("js", "bundle.js")]
    assert loaded(site, "chapters/one.html") == [(kind, f"../{path}") for kind, path in kinds]
    assert loaded(site, "index.html") == kinds


def test_what_a_page_says_itself_stays(site):
    lighten(site)
    page = (site / "index.html").read_text(encoding="utf-8")
    assert 'let words = "kept"' in page
    assert "favicon.svg" in page
    assert "fontawesome" not in page
    assert "pagename" not in page


def test_a_script_of_one_page_runs_after_the_bundle(site):
    lighten(site)
    page = (site / "search.html").read_text(encoding="utf-8")
    assert '<script defer="defer" src="searchindex.js"></script>' in page
    assert page.index("bundle.js") < page.index("searchindex.js")


def test_the_first_page_is_read_again_where_a_file_is_newer_than_the_bundle(site, tmp_path):
    files = tmp_path / "files"
    files.mkdir()
    (files / "book.css").write_text("", encoding="utf-8")
    config = SimpleNamespace(html_static_path=["files"], root_doc="intro")
    app = SimpleNamespace(
        builder=SimpleNamespace(name="html"), outdir=str(site), srcdir=str(tmp_path), config=config
    )
    assert light_pages.looks_changed(app, None) == [], "nothing is built yet"
    lighten(site)
    bundle = site / "_static" / "bundle.css"
    os.utime(files / "book.css", ns=(bundle.stat().st_mtime_ns - 10**9,) * 2)
    assert light_pages.looks_changed(app, None) == []
    os.utime(files / "book.css", ns=(bundle.stat().st_mtime_ns + 10**9,) * 2)
    assert light_pages.looks_changed(app, None) == ["intro"]


def test_the_style_sheet_has_the_rules_that_may_apply(site):
    lighten(site)
    css = (site / "_static" / "bundle.css").read_text(encoding="utf-8")
    assert "#b{color: red}" in css  # imported
    assert 'url("file.png")' in css  # from where the bundle is
    assert ".from-script{" in css  # a class that a script sets
    assert "gone" not in css
    assert css.index("#b") < css.index(".a{") < css.index(".fa-list")


def test_the_scripts_keep_their_order(site):
    lighten(site)
    script = (site / "_static" / "bundle.js").read_text(encoding="utf-8")
    assert script.index("const options") < script.index("options.length")
    assert "sourceMappingURL" not in script


def test_a_second_build_of_one_page_takes_the_same_files_and_a_new_digest(site):
    lighten(site)
    before = (site / "index.html").read_text(encoding="utf-8")
    (site / "_static" / "book.css").write_text(".a { color: black } .fa-list { top: 0 }", encoding="utf-8")
    (site / "search.html").write_text(FILES["search.html"], encoding="utf-8")
    lighten(site)
    after = (site / "index.html").read_text(encoding="utf-8")
    css = (site / "_static" / "bundle.css").read_text(encoding="utf-8")
    assert ".a{color: black}" in css
    assert "made of: styles/theme.css book.css" in css
    assert before != after
    assert loaded(site, "search.html")[:1] == [("css", "bundle.css")]


def test_nothing_changes_when_nothing_is_new(site):
    lighten(site)
    first = {path: path.read_bytes() for path in site.rglob("*.*") if path.is_file()}
    lighten(site)
    assert first == {path: path.read_bytes() for path in site.rglob("*.*") if path.is_file()}


def test_other_builders_and_failed_builds_are_left_alone(site):
    lighten(site, builder="linkcheck")
    lighten(site, exception=ValueError())
    assert (site / "index.html").read_text(encoding="utf-8") == FILES["index.html"]


def test_an_icon_without_a_drawing_stops_the_build(site):
    page = FILES["index.html"].replace("fa-list", "fa-unicorn")
    (site / "index.html").write_text(page, encoding="utf-8")
    with pytest.raises(ExtensionError, match=r"icons\.css has no drawing of unicorn"):
        lighten(site)


@pytest.mark.parametrize(
    ("rule", "stays"),
    [
        (".a.b{}", False),
        (".a, .b{}", True),
        (".a:not(.b){}", True),
        ("p > #b{}", False),
        ("[class*=b]{}", True),
        ("@media print{.a{}}", True),
        ("@media print{.b{}}", False),
        ("@font-face{font-family: x}", True),
        ("@keyframes b{from{}}", True),
        (":root{--b: 1}", True),
    ],
)
def test_a_rule_stays_if_all_its_names_are_there(rule, stays):
    assert bool(light_pages.purged(rule, {"a"})) == stays


def test_the_theme_leaves_code_unmeasured_and_another_theme_is_refused():
    asks = f"document.querySelectorAll({light_pages.THEME_MEASURES}).forEach(f)"
    assert light_pages.without_measuring(asks) == 'document.querySelectorAll(":not(*)").forEach(f)'
    with pytest.raises(ExtensionError, match="does not ask once"):
        light_pages.without_measuring("document.querySelectorAll('pre')")


def test_a_page_is_light_or_dark_from_the_start() -> None:
    page = light_pages.with_theme_at_once(FILES["index.html"])
    assert light_pages.THEME_LATER not in page
    assert "matchMedia" in page
    assert light_pages.with_theme_at_once(page) == page
    with pytest.raises(ExtensionError, match="does not ask once"):
        light_pages.with_theme_at_once("<html></html>")
