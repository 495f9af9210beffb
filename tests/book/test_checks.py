"""The numbers that the source notes print: each is checked by a cell of the book."""

import pytest

from dtlib.book import checks
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
    "watermelon.IV.touch": "0.874",
    "watermelon.IV.color": "1.580",
    "watermelon.IV.id": "4.088",  # as printed; 4.087 is right
    "watermelon.cut.density": "0.381",
    "watermelon.gain.density": "0.262",
    "watermelon.cut.sugar": "0.126",
    "watermelon.gain.sugar": "0.349",
    "note0.known_share": "0.9",
    "melon_holes.H.known": "0.985",
    "melon_holes.known_gain.color": "0.306",
    "melon_holes.gain.color": "0.252",
    "melon_holes.gain.stem": "0.171",
    "melon_holes.gain.knock": "0.145",
    "melon_holes.gain.texture": "0.424",
    "melon_holes.gain.navel": "0.289",
    "melon_holes.gain.touch": "0.006",
    "melon_holes.part.clear": "7",  # fifteenths of a melon whose texture is not known
    "melon_holes.part.slight": "5",
    "melon_holes.part.blurry": "3",
    "note2.part.A1": "2",  # ninths
    "note2.part.A2": "3",
    "note2.part.A3": "4",
    "customers.gini_index.gender": "0.48",
    "customers.gini_index.car_type": "0.1625",
    "customers.gini_index.id": "0",
    "impurity.gap.angle": "45",
    "loan.cart.gini.age.young": "0.44",
    "loan.cart.gini.age.middle-aged": "0.48",
    "loan.cart.gini.age.old": "0.44",
    "loan.cart.gini.has_job.yes": "0.32",
    "loan.cart.gini.owns_house.yes": "0.27",
    "loan.cart.gini.credit.fair": "0.32",
    "loan.cart.gini.credit.good": "0.47",
    "loan.cart.gini.credit.excellent": "0.36",
    "points.cut": "5.5",
    "points.mean.left": "5.060000",
    "points.mean.right": "8.176000",
    "melon.post.full": "42.9",  # accuracies in percent; the nodes have our tree's numbers, not the source's
    "melon.post.node11": "57.1",
    "melon.post.node8": "57.1",
    "melon.post.node1": "71.4",
    "melon.post.node2": "71.4",
    "melon.post.node0": "42.9",
    "melon.post.end": "71.4",
    "melon.pre.root": "42.9",
    "melon.pre.node0": "71.4",
    "melon.pre.node1": "57.1",
    "melon.pre.node2": "71.4",
    "melon.pre.end": "71.4",
    "loan.bits.root": "0.971",
    "loan.bits.no_house": "0.918",
    "iris.rpart.cp.2": "0.44",
    "iris.rpart.xerror.3": "0.10",
    "iris.rpart.xstd.5": "0.024000",
    "quinlan.U.0.6": "0.206",
    "quinlan.U.0.9": "0.143",
    "quinlan.U.0.1": "0.750",
    "quinlan.U.1.16": "0.157",  # as printed; 0.160 by his own definition
    "quinlan.subtree": "3.273",
    "quinlan.leaf": "2.512",
    "votes.release8.grown": "37",
    "votes.release8.pruned": "11",
    "votes.release8.estimate": "5.0",
    "oblique.zhou.cut.1": "0.381",
    "forest.drawn": "0.632",
}
WRONG_IN_THE_SOURCE = {
    "watermelon.gain.color": "wrong, 0.108 is right",
    "watermelon.IV.id": "wrong, 4.087 is right",
    "impurity.gap.angle": "wrong, 58 is right",
    "quinlan.U.1.16": "wrong, 0.160 is right",
}

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
