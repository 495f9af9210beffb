"""The link to the PDF on the pages of the site (tools/pdf/offer.py)."""

from pathlib import Path

from tests.book.notebooks import ROOT
from tools.pdf.offer import NAME, offer


def test_the_site_offers_a_pdf_only_where_there_is_one(tmp_path: Path) -> None:
    pdf, page = tmp_path / NAME, tmp_path / "site" / "chapters" / "a.html"
    page.parent.mkdir(parents=True)
    place = (ROOT / "website" / "templates" / "pdf-offer.html").read_text(encoding="utf-8")
    assert "href" not in place
    page.write_text(place, encoding="utf-8")
    pdf.write_bytes(b"%PDF")
    for _ in range(2):  # a second time changes nothing
        assert offer(tmp_path / "site", pdf) == 1
        assert page.read_text(encoding="utf-8").count(f'href="../{NAME}"') == 1
    assert (tmp_path / "site" / NAME).exists()
