"""The pins: every package has one, and the long tests run with the versions of the book."""

from importlib.metadata import version

import pytest
from packaging.requirements import Requirement

from tests.book.notebooks import ROOT

BOOK, ALL = "requirements.txt", "requirements/all.txt"


def pins(file: str) -> list[Requirement]:
    """Read the packages of a file of pins, without the library itself."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    listed = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    assert "-e ." in listed
    return [Requirement(line) for line in listed if line != "-e ."]


@pytest.mark.parametrize("file", [BOOK, ALL])
def test_every_package_has_one_version(file: str) -> None:
    packages = pins(file)
    assert len(packages) > 100
    assert [str(p) for p in packages if [how.operator for how in p.specifier] != ["=="]] == []


def test_the_long_tests_run_with_the_versions_of_the_book_and_more() -> None:
    book, everything = set(map(str, pins(BOOK))), set(map(str, pins(ALL)))
    assert book - everything == set()
    assert {pin.partition("==")[0] for pin in everything - book} >= {"pyarrow"}


@pytest.mark.long
def test_what_the_long_tests_need_is_installed() -> None:
    """So none of them is skipped for want of a package."""
    here = [pin for pin in pins(ALL) if pin.marker is None or pin.marker.evaluate()]
    assert [str(pin) for pin in here if version(pin.name) not in pin.specifier] == []
