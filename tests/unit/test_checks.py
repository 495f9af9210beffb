"""Checked numbers: what agrees, what does not, and that every line can be read back."""

import contextlib
import io
import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtlib.book.checks import check, collect, parse


def line_of(capsys, *args, **kwargs) -> str:
    check(*args, **kwargs)
    return capsys.readouterr().out


def test_the_line_of_a_number_that_agrees(capsys):
    got = 0.9709505944546686
    line = line_of(capsys, "loan.H", got, 0.971, source="note 2, section 2", unit="bit", formula="H(D)")
    assert line == "loan.H = 0.97095 bit, printed 0.971: agrees (H(D); note 2, section 2)\n"


def test_the_line_of_a_printed_number_that_is_wrong(capsys):
    line = line_of(
        capsys,
        "watermelon.IV.id",
        math.log2(17),
        "4.087",
        source="note 4",
        unit="bit",
        formula="IV(id)",
        errs=("4.088", "log2 17 = 4.08746"),
    )
    assert line == (
        "watermelon.IV.id = 4.08746 bit, printed 4.088: "
        "wrong, 4.087 is right: log2 17 = 4.08746 (IV(id); note 4)\n"
    )


@pytest.mark.parametrize(
    ("got", "printed"),
    [
        (1, "1.000"),
        (0.9996, "1.000"),
        (0.9705, "0.971"),  # half-way: both neighbors are fair
        (0.9705, "0.970"),
        (0.1 + 0.2 + 0.0005, "0.300"),  # half-way but for a rounding error
        (0.1 + 0.2 + 0.0005, "0.301"),
        (-0.0004, "0.000"),
        (-1.2345, "-1.234"),
        (20, 20),
        (20.4, 20),
        (1e-17, "0.00000"),
        (1e-7, 1e-7),
        (1e300, 1e300),
        (12345678901234567, 12345678901234567),
        (np.float64(0.5), np.float32(0.5)),
        (np.int64(3), "3"),
        (Fraction(2, 9), "0.2222"),
    ],
)
def test_agrees(got, printed):
    check("x", got, printed, source="s")


@pytest.mark.parametrize(
    ("got", "printed"),
    [
        (0.970499, "0.971"),
        (0.971501, "0.971"),
        (0.9994, "1.000"),
        (-0.971, "0.971"),
        (20.6, 20),
        (2e-7, 1e-7),
        (12345678901234567, 12345678901234568),
    ],
)
def test_does_not_agree(got, printed):
    with pytest.raises(AssertionError, match=r"^x: got .* which does not round to .* \(note 7\)$"):
        check("x", got, printed, source="note 7")


def test_a_str_is_checked_to_its_trailing_zeros_and_a_float_is_not():
    check("x", 1.04, 1.0, source="s")
    with pytest.raises(AssertionError, match=r"got 1\.04000, which does not round to 1\.000"):
        check("x", 1.04, "1.000", source="s")


@pytest.mark.parametrize(
    ("got", "printed", "shown"),
    [
        (-1e-9, "0.000", "0.00000"),
        (-0.0, 0, "0.00000"),
        (2 / 3, "0.67", "0.66667"),
        (0.12345678, "0.1234568", "0.1234568"),
        (3, "3.00", "3.00000"),
        (0.1 + 0.2, "0.3", "0.30000"),
    ],
)
def test_value_shown(capsys, got, printed, shown):
    assert line_of(capsys, "x", got, printed, source="s").startswith(f"x = {shown}, printed")


def test_neighboring_floats_print_the_same(capsys):
    half_way = 0.123455
    around = [np.nextafter(half_way, 0), half_way, np.nextafter(half_way, 1)]
    assert len({line_of(capsys, "x", got, "0.123", source="s") for got in around}) == 1


def test_a_number_called_wrong_must_be_wrong():
    with pytest.raises(
        AssertionError, match=r"note 4 prints 4\.09, called wrong, but 4\.08746 agrees with it"
    ):
        check("x", math.log2(17), "4.087", source="note 4", errs=("4.09", "rounded"))
    with pytest.raises(AssertionError, match=r"got 4\.08746, which does not round to 4\.086"):
        check("x", math.log2(17), "4.086", source="note 4", errs=("4.088", "rounded"))


def test_a_wrong_number_is_shown_with_all_its_digits(capsys):
    line = line_of(capsys, "x", 1 / 3, "0.33", source="s", errs=("0.333334", "a slip"))
    assert line == "x = 0.333333, printed 0.333334: wrong, 0.33 is right: a slip (s)\n"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": ""}, "id is ''; wanted letters"),
        ({"id": "a b"}, "id is 'a b'; wanted letters"),
        ({"id": "熵"}, "id is '熵'; wanted letters"),
        ({"id": None}, "id is None; wanted letters"),
        ({"id": "a\n"}, r"id is 'a\\n'; wanted letters"),
        ({"source": " "}, "x: source is empty"),
        ({"printed": "four"}, "x: printed is 'four'; wanted a number"),
        ({"printed": "1e3"}, "x: printed is '1e3'; wanted a number"),
        ({"printed": "1."}, "x: printed is '1.'; wanted a number"),
        ({"printed": "٣"}, "x: printed is '٣'; wanted a number"),
        ({"printed": ""}, "x: printed is ''; wanted a number"),
        ({"printed": math.nan}, "x: printed is nan; wanted a number"),
        ({"printed": None}, "x: printed is None; wanted a number"),
        ({"printed": True}, "x: printed is True; wanted a number"),
        ({"got": math.nan}, "x: got is nan; wanted a finite number"),
        ({"got": np.float64(-np.inf)}, "x: got is -inf; wanted a finite number"),
        ({"errs": ("2", " ")}, "x: errs gives no reason; say why 2 is wrong"),
        ({"errs": ("two", "why")}, "x: printed is 'two'; wanted a number"),
    ],
)
def test_bad_values_are_refused(capsys, changes, message):
    good = {"id": "x", "got": 1.0, "printed": "1", "source": "s"} | changes
    with pytest.raises(ValueError, match=message):
        check(**good)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("got", ["1", None, True, 1j, np.ones(1), [1.0]])
def test_anything_but_one_number_is_refused(got):
    with pytest.raises(TypeError, match=r"x: got is .*; wanted one number"):
        check("x", got, "1", source="s")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"source": None}, "x: source is None, of type NoneType; wanted a str"),
        ({"formula": 3}, "x: formula is 3, of type int; wanted a str"),
        ({"unit": b"bit"}, "x: unit is b'bit', of type bytes; wanted a str"),
        ({"errs": ("2", 3)}, "x: reason in errs is 3, of type int; wanted a str"),
        ({"errs": "21"}, r"x: errs is '21'; wanted \(the number printed, why"),
        ({"errs": ("2",)}, r"x: errs is \('2',\); wanted \(the number printed, why"),
        ({"errs": 2}, r"x: errs is 2; wanted \(the number printed, why"),
    ],
)
def test_texts_of_another_type_are_refused(capsys, changes, message):
    good = {"id": "x", "got": 1.0, "printed": "1", "source": "s"} | changes
    with pytest.raises(TypeError, match=message):
        check(**good)
    assert capsys.readouterr().out == ""


def test_of_a_float_twelve_digits_count():
    check("x", 1 / 3, "0.333333333333", source="s")
    with pytest.raises(
        AssertionError, match=r"got 0\.3333333333330, which does not round to 0\.3333333333333"
    ):
        check("x", 1 / 3, "0.3333333333333", source="s")


# Texts full of what could be taken for the line's own punctuation.
TEXT = st.text(alphabet=";:,()\\ =H|printedagrwo,1.\n", max_size=30) | st.text(max_size=10)
SOURCE = TEXT.filter(str.strip)


def one_line(text: str) -> str:
    return " ".join(text.split())


@given(TEXT, TEXT, SOURCE)
def test_parse_is_the_inverse_of_the_line(unit, formula, source):
    line = printed_line("a.b", 0.25, "0.25", unit=unit, formula=formula, source=source)
    assert parse(line) == {
        "id": "a.b",
        "value": 0.25,
        "unit": one_line(unit),
        "printed": "0.25",
        "verdict": "agrees",
        "right": "",
        "why": "",
        "formula": one_line(formula),
        "source": one_line(source),
    }


@given(TEXT, TEXT, SOURCE, SOURCE)
def test_parse_is_the_inverse_of_the_line_of_a_wrong_number(unit, formula, source, why):
    errs = ("0.26", why)
    line = printed_line("a.b", -0.25, "-0.25", unit=unit, formula=formula, source=source, errs=errs)
    assert parse(line) == {
        "id": "a.b",
        "value": -0.25,
        "unit": one_line(unit),
        "printed": "0.26",
        "verdict": "wrong",
        "right": "-0.25",
        "why": one_line(why),
        "formula": one_line(formula),
        "source": one_line(source),
    }


def printed_line(*args, **kwargs) -> str:
    """Return what check prints, without the fixture that hypothesis cannot reset."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        check(*args, **kwargs)
    assert out.getvalue().endswith("\n")
    return out.getvalue()[:-1]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "some other line",
        "loan.H = 0.97095 bit, printed 0.971: agrees",
        "loan.H = 0.97095 bit, printed 0.971: agrees ()",
        "loan.H = 0.97095 bit, printed 0.971: differs (s)",
        "loan.H = 0.97095 bit, printed 0.971: agrees (a; b; c)",
        "loan H = 0.97095 bit, printed 0.971: agrees (s)",
        "loan.H = 0.97095 bit, printed 0.971: agrees (s) ",
        "loan.H = 0.97095 bit, printed 0.971: wrong, 0.972 is right (s)",
    ],
)
def test_other_lines_are_not_read(line):
    assert parse(line) is None


def notebook(*outputs: str | list[str], kind: str = "stdout") -> str:
    """Return a notebook with a markdown cell and one code cell for each text printed."""
    cells = [{"cell_type": "markdown", "source": "m = 1.00000, printed 1: agrees (not an output)"}]
    for count, text in enumerate(outputs, start=1):
        stored = [
            {"output_type": "stream", "name": kind, "text": text},
            {"output_type": "execute_result", "data": {}},
        ]
        code = {"cell_type": "code", "id": f"n{count}", "source": ""}
        cells.append(code | {"execution_count": count, "outputs": stored})
    return json.dumps({"cells": cells, "nbformat": 4})


A, B, C = (f"{id} = 1.00000 bit, printed 1: agrees (f; note {id})\n" for id in "abc")
WRONG = "w = 1.00000, printed 2: wrong, 1 is right: it is one (note w)\n"


def test_collect_orders_by_notebook_then_by_place(tmp_path):
    (tmp_path / "02_two.ipynb").write_text(notebook(["text\n", B, "more"], A))
    (tmp_path / "01_one.ipynb").write_text(notebook(WRONG + "text\n" + C))
    (tmp_path / "notes.txt").write_text(A)
    (tmp_path / ".ipynb_checkpoints").mkdir()
    (tmp_path / ".ipynb_checkpoints" / "01_one.ipynb").write_text(notebook(C))
    found = collect(tmp_path)
    assert list(found.columns) == [
        "id",
        "formula",
        "value",
        "unit",
        "printed",
        "verdict",
        "source",
        "chapter",
        "cell",
    ]
    assert found.values.tolist() == [
        ["w", "", 1.0, "", "2", "wrong, 1 is right: it is one", "note w", "01_one", "n1"],
        ["c", "f", 1.0, "bit", "1", "agrees", "note c", "01_one", "n1"],
        ["b", "f", 1.0, "bit", "1", "agrees", "note b", "02_two", "n1"],
        ["a", "f", 1.0, "bit", "1", "agrees", "note a", "02_two", "n2"],
    ]


def test_collect_reads_standard_output_only(tmp_path):
    (tmp_path / "1.ipynb").write_text(notebook(A, kind="stderr"))
    assert collect(tmp_path).empty


@pytest.mark.parametrize(
    ("files", "places"),
    [
        ({"1": notebook(A, B), "2": notebook(C, A)}, r"1\.ipynb, cell \[1\] and 2\.ipynb, cell \[2\]"),
        ({"1": notebook(A, A)}, r"1\.ipynb, cell \[1\] and 1\.ipynb, cell \[2\]"),
        ({"1": notebook(A + A)}, r"1\.ipynb, cell \[1\] and 1\.ipynb, cell \[1\]"),
    ],
)
def test_collect_refuses_an_id_used_twice(tmp_path, files, places):
    for name, text in files.items():
        (tmp_path / f"{name}.ipynb").write_text(text)
    with pytest.raises(ValueError, match=rf"check id 'a' is used twice: {places}; rename one"):
        collect(tmp_path)


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"", "JSONDecodeError"),
        (b"{", "JSONDecodeError"),
        (b"\xff", "UnicodeDecodeError"),
        (b"{}", "KeyError"),
        (b"[]", "TypeError"),
        (b'{"cells": ["text"]}', "AttributeError"),
        (b'{"cells": [{"outputs": [{"name": "stdout"}]}]}', "KeyError"),
    ],
)
def test_collect_names_a_file_that_is_no_notebook(tmp_path, content, cause):
    (tmp_path / "1.ipynb").write_text(notebook(A))
    (tmp_path / "2.ipynb").write_bytes(content)
    with pytest.raises(ValueError, match=rf"^2\.ipynb is no notebook: {cause}"):
        collect(tmp_path)


def test_collect_refuses_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match=r"chapter', which is not there"):
        collect(tmp_path / "chapter")
