"""The palette and the elements: what every picture must be, whatever it shows."""

import io
import itertools
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtlib.draw import svg
from dtlib.draw.svg import DARK, LIGHT, picture, spans, tag, text, text_width

# Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB.
SIGHT = {
    "full": np.eye(3),
    "protan": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deutan": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
}
CODED = ["accent", *(f"class-{i}" for i in range(6))]


def linear(color: str) -> np.ndarray:
    rgb = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """Contrast as WCAG 2 defines it."""
    dark, light = sorted(linear(color) @ [0.2126, 0.7152, 0.0722] for color in (one, other))
    return (light + 0.05) / (dark + 0.05)


def lab(rgb: np.ndarray) -> np.ndarray:
    """CIE L*a*b* of linear RGB."""
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ rgb
    f = np.cbrt(np.clip(xyz / [0.9505, 1, 1.089], 0.008856, None))
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
class TestPalette:
    def test_names(self, palette):
        assert list(palette) == ["ink", "muted", "line", "paper", *CODED]
        assert all(re.fullmatch("#[0-9a-f]{6}", color) for color in palette.values())
        assert len(set(palette.values())) == len(palette)

    def test_words_can_be_read_on_paper_and_paper_on_every_fill(self, palette):
        for name in set(palette) - {"paper", "line"}:
            assert contrast(palette[name], palette["paper"]) >= 4.5, name

    def test_lines_can_be_seen(self, palette):
        assert contrast(palette["line"], palette["paper"]) >= 3

    @pytest.mark.parametrize("sight", SIGHT)
    def test_colors_differ_for_color_blind_readers(self, palette, sight):
        seen = {name: lab(np.clip(np.array(SIGHT[sight]) @ linear(palette[name]), 0, 1)) for name in CODED}
        for one, other in itertools.combinations(CODED, 2):
            assert np.linalg.norm(seen[one] - seen[other]) > 9, (one, other)


def test_the_site_has_the_same_colors():
    css = Path(__file__).parents[2].joinpath("_static", "book.css").read_text(encoding="utf-8")
    found = re.findall(r"--dt-([\w-]+): (#\w+);", css)
    assert found == [*LIGHT.items(), *DARK.items()]


def test_the_two_classes_differ_most():
    for palette, sight in itertools.product((LIGHT, DARK), SIGHT.values()):
        one, other = (lab(np.clip(np.array(sight) @ linear(palette[f"class-{i}"]), 0, 1)) for i in (0, 1))
        assert np.linalg.norm(one - other) > 60


@given(st.text(), st.text(), st.text(min_size=1))
def test_any_text_gives_well_formed_xml(title, description, words):
    shown = picture(title, description, 100, 50, text(1, 2, words), spans(1, 2, [("ink", words)]))
    root = ElementTree.fromstring(shown.svg)
    kept = svg.NOT_XML.sub("\ufffd", words).replace("\r\n", "\n").replace("\r", "\n")
    assert next(root.iter("{http://www.w3.org/2000/svg}text")).text == kept
    assert root.get("role") == "img"
    assert root.get("aria-label") == root.find("{*}title").text or not shown.title
    assert "\n" not in repr(shown)


def test_repr_is_what_the_picture_says():
    shown = picture("Title", "One\ntwo.", 10, 20)
    assert repr(shown) == "Picture: Title. One two."
    assert shown._repr_mimebundle_() == {"image/svg+xml": shown.svg, "text/plain": repr(shown)}


def test_svg_is_narrowed_but_stays_readable():
    root = ElementTree.fromstring(picture("t", "d", 400, 100).svg)
    assert root.get("viewBox") == "0 0 400 100"
    assert "max-width: 100%; min-width: 320px; height: auto" in root.get("style")


def test_save(tmp_path):
    shown = picture("t", "d", 10, 10)
    shown.save(tmp_path / "t.svg")
    assert (tmp_path / "t.svg").read_text(encoding="utf-8") == shown.svg + "\n"
    with pytest.raises(ValueError, match=r"saved as \.svg"):
        shown.save(tmp_path / "t.png")


def test_a_picture_is_saved_in_utf_8_whatever_the_system_writes(tmp_path, monkeypatch):
    monkeypatch.setattr(io, "text_encoding", lambda encoding, level=2: encoding or "ascii")
    picture("好", "叶", 10, 10).save(tmp_path / "t.svg")
    assert "好" in (tmp_path / "t.svg").read_bytes().decode("utf-8")


def test_colors_are_variables_with_the_light_value():
    assert tag("g", style=svg.style(fill="accent")) == '<g style="fill: var(--dt-accent, #0b7d70)"/>'


def test_a_chinese_letter_is_as_wide_as_it_is_high():
    assert text_width("信息增益", 14) == 4 * 14
    assert text_width("iiii", 14) < text_width("mmmm", 14) <= 4 * 14
