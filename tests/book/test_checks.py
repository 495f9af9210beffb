"""The numbers that the source notes print for chapters 1 to 4: each is checked by a cell of the book."""

import pytest

from dtlib import checks
from tests.book.notebooks import CHAPTERS, ROOT

# The id of a check, and the number as its source prints it.
REQUIRED = {
    "loan.H": "0.971",
    "loan.H_given.age": "0.888",  # H(D | age)
    "loan.gain.age": "0.083",
    "loan.gain.has_job": "0.324",
    "loan.gain.owns_house": "0.420",
    "loan.gain.credit": "0.363",
    "watermelon.H": "0.998",
    "watermelon.H.green": "1.000",
    "watermelon.H.dark": "0.918",
    "watermelon.H.pale": "0.722",
    "watermelon.gain.color": "0.109",  # as printed; 0.108 is right
    "watermelon.gain.stem": "0.143",
    "watermelon.gain.knock": "0.141",
    "watermelon.gain.texture": "0.381",
    "watermelon.gain.navel": "0.289",
    "watermelon.gain.touch": "0.006",
    "watermelon.clear.gain.color": "0.043",  # among the melons whose texture is clear
    "watermelon.clear.gain.stem": "0.458",
    "watermelon.clear.gain.knock": "0.331",
    "watermelon.clear.gain.navel": "0.458",
    "watermelon.clear.gain.touch": "0.458",
}
WRONG_IN_THE_SOURCE = {"watermelon.gain.color": "wrong, 0.108 is right"}

pytestmark = pytest.mark.skipif(not CHAPTERS, reason="no chapter yet; the table of contents says so too")


@pytest.fixture(scope="module")
def collected():
    return checks.collect(ROOT / "chapters").set_index("id")


def test_every_number_of_the_notes_is_checked(collected) -> None:
    missing = {name: printed for name, printed in REQUIRED.items() if name not in collected.index}
    assert missing == {}, f"no cell calls check(id, got, printed, ...) with these ids: {missing}"


def test_numbers_are_checked_to_the_digits_printed(collected) -> None:
    printed = {name: collected.printed[name] for name in REQUIRED if name in collected.index}
    assert printed == {name: REQUIRED[name] for name in printed}


def test_numbers_agree_but_where_the_source_is_wrong(collected) -> None:
    verdicts = {name: collected.verdict[name] for name in REQUIRED if name in collected.index}
    expected = {name: WRONG_IN_THE_SOURCE.get(name, "agrees") for name in verdicts}
    assert {name for name in verdicts if not verdicts[name].startswith(expected[name])} == set()


def test_verdicts_follow_from_the_numbers(collected) -> None:
    tolerance = collected.printed.map(lambda text: 0.5 * 10.0 ** -len(text.partition(".")[2]) + 1e-12)
    near = (collected.value - collected.printed.astype(float)).abs() <= tolerance
    assert collected.index[near != (collected.verdict == "agrees")].tolist() == []


def test_ids_are_unique_and_every_check_names_its_source(collected) -> None:
    assert collected.index.is_unique
    assert collected.index[collected.source.str.strip() == ""].tolist() == []
