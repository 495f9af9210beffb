"""Faults in a chapter, in its outputs, prose and structure, and in the frame of the book."""

from __future__ import annotations

from collections.abc import Iterator

from tests.book.notebooks import joined
from tests.faults.edits import HIDDEN, SHOWN, Fault, Raw, cell, notebook, text, texts, within

CHAPTER = "chapters/03_information_gain.ipynb"
SVG, PLAIN, HTML = "image/svg+xml", "text/plain", "text/html"
TABLE = "| feature | gain |\n|---|---|\n| credit | 0.368 |\n\n"  # the gain is 0.363


def words(kind: str, part: str, *rows: tuple[str, bool, str, str, str]) -> Iterator[Fault]:
    """Yield a fault for each row: name, shown or hidden, cell, what stands once in it, what is put there."""
    for name, shown, cell_id, old, new in rows:
        yield Fault(name, part, CHAPTER, shown, within(cell_id, kind, old, new))


OUTPUTS = [
    *words(
        "code",
        "code",
        ("code changed and not run", SHOWN, "age-by-machine", "* entropy(age)", "* gini(age)"),
    ),
    *words(
        "stdout",
        "output",
        (
            "digit in a printed line",
            SHOWN,
            "age-by-machine",
            "three lines   0.083007",
            "three lines   0.083001",
        ),
        ("digit in a printed check", SHOWN, "loan-gains-checks", "credit = 0.36299", "credit = 0.36292"),
        ("address in an output", HIDDEN, "age-by-machine", "by three lines", "<object at 0x7f3a2c1d>"),
    ),
    *words(HTML, "output", ("digit in a table, HTML", SHOWN, "loan-gains", "0.551", "0.557")),
    *words(
        PLAIN,
        "output",
        ("digit in a table, plain text", SHOWN, "loan-gains", "0.551", "0.557"),
        ("digit in what a picture says", SHOWN, "loan-bars", "has_job 0.324", "has_job 0.329"),
    ),
    *words(
        SVG,
        "output",
        ("digit in a picture", SHOWN, "loan-bars", ">0.324<", ">0.329<"),
        ("alt text of a picture gone", HIDDEN, "loan-bars", ' role="img"', ""),
    ),
]

PROSE = list(
    words(
        "markdown",
        "prose",
        ("digit in a sentence", SHOWN, "loan-explain", "wins with 0.420 bits", "wins with 0.426 bits"),
        ("digit in a code span", SHOWN, "loan-explain", "wins with 0.420 bits", "wins with `0.426` bits"),
        ("digit in a display equation", SHOWN, "age-by-hand", "- 0.888 = 0.083", "- 0.868 = 0.083"),
        ("digit in a fraction of an equation", SHOWN, "age-by-hand", r"-\tfrac{6}{15}", r"-\tfrac{7}{15}"),
        ("digit in an equation of a line", SHOWN, "loan-explain", "0.971 - 0.551", "0.971 - 0.557"),
        ("digit in a fraction", SHOWN, "loan-explain", r"\tfrac{9}{15}", r"\tfrac{8}{15}"),
        (
            "digit in a table of the prose",
            SHOWN,
            "loan-explain",
            "`owns_house` wins",
            TABLE + "`owns_house` wins",
        ),
        ("digit in a solution", SHOWN, "sol-3-1", "0.971 - 0.608 = 0.363", "0.971 - 0.608 = 0.367"),
        ("digit in the summary", SHOWN, "summary", "(0.420 bits)", "(0.402 bits)"),
        ("wrong number of samples", SHOWN, "question-two", "Of the 15 applicants", "Of the 18 applicants"),
        ("wrong percentage", SHOWN, "question-two", "applicants 9 got", "applicants 9 (67%) got"),
        ("citation of nobody", HIDDEN, "note-two", "#note2", "#note9"),
        ("link to no file", HIDDEN, "question-two", "02_entropy.ipynb", "02_entropie.ipynb"),
        ("equation tagged twice", HIDDEN, "steps", r"\tag{3.3}", r"\tag{3.2}"),
        ("role in plain text", HIDDEN, "question-two", "[chapter 2](02_entropy.ipynb)", "{doc}`02_entropy`"),
        ("exercise misnumbered", HIDDEN, "ex-3-2", "Exercise 3.2", "Exercise 3.3"),
        ("section renamed", HIDDEN, "summary", "## Summary", "## In short"),
    )
)


def code_cells(raw: Raw) -> list[Raw]:
    """List the code cells of a notebook."""
    return [found for found in raw["cells"] if found["cell_type"] == "code"]


def emptied(raw: Raw) -> None:
    """Drop all cells."""
    raw["cells"] = []


def cleared(raw: Raw) -> None:
    """Drop all outputs and counts, as a stripped notebook has none."""
    for found in code_cells(raw):
        found.update(outputs=[], execution_count=None)


def one_cleared(raw: Raw) -> None:
    """Drop the outputs and the count of one cell."""
    cell(raw, "loan-gains").update(outputs=[], execution_count=None)


def outputs_cleared(raw: Raw) -> None:
    """Drop the outputs of one cell, and keep its count."""
    cell(raw, "loan-gains")["outputs"] = []


def pictures_swapped(raw: Raw) -> None:
    """Exchange two drawings; what they say stays."""
    one, other = (cell(raw, name)["outputs"][0]["data"] for name in ("loan-bars", "six-bars"))
    one[SVG], other[SVG] = other[SVG], one[SVG]


def png_for_svg(raw: Raw) -> None:
    """Store a picture as PNG, which nbval never compares."""
    data = cell(raw, "loan-bars")["outputs"][0]["data"]
    data["image/png"] = "iVBORw0KGgo="
    del data[SVG]


def wrong_count(raw: Raw) -> None:
    """Give a cell the count of a second run."""
    cell(raw, "count-house")["execution_count"] = 42
    cell(raw, "count-house")["outputs"][0]["execution_count"] = 42


def stored_error(raw: Raw) -> None:
    """Store a failed run."""
    error = {
        "output_type": "error",
        "ename": "NameError",
        "evalue": "name 'age' is not defined",
        "traceback": [],
    }
    cell(raw, "age-checks")["outputs"] = [error]


def stored_warning(raw: Raw) -> None:
    """Store a warning."""
    warning = {"output_type": "stream", "name": "stderr", "text": "RuntimeWarning: divide by zero\n"}
    cell(raw, "age-checks")["outputs"].append(warning)


def check_loosened(raw: Raw) -> None:
    """Check a number to fewer digits, and run the cell again."""
    found = cell(raw, "loan-gains-checks")
    printed = found["outputs"][0]
    found["source"] = text('"credit": "0.363"', '"credit": "0.4"')(joined(found["source"]))
    printed["text"] = text("printed 0.363", "printed 0.4")(joined(printed["text"]))


def check_removed(raw: Raw) -> None:
    """Take a check out, and run the cell again."""
    found = cell(raw, "age-checks")
    source, printed = joined(found["source"]), joined(found["outputs"][0]["text"])
    found["source"] = source[: source.index("\ncheck(")]
    found["outputs"][0]["text"] = printed[: printed.index("loan.gain.age")]


def solution_without_code(raw: Raw) -> None:
    """Take the code out of a solution, and number the rest again."""
    raw["cells"].remove(cell(raw, "sol-3-2-code"))
    for count, found in enumerate(code_cells(raw), 1):
        found["execution_count"] = count
        for output in found["outputs"]:
            output.update({"execution_count": count} if "execution_count" in output else {})


def solution_in_sight(raw: Raw) -> None:
    """Put the text of a solution into the cell of its heading, which stays in sight when it is folded."""
    heading, answer = cell(raw, "solution-3-2"), cell(raw, "sol-3-2")
    heading["source"] = joined(heading["source"]) + "\n\n" + joined(answer["source"])
    raw["cells"].remove(answer)


def exercise_dropped(raw: Raw) -> None:
    """Take the last exercise out, but not its solution."""
    raw["cells"].remove(cell(raw, "ex-3-6"))


def cell_skipped(raw: Raw) -> None:
    """Tell nbval not to look at a cell."""
    cell(raw, "loan-gains")["metadata"]["tags"] = ["nbval-skip"]


def time_stored(raw: Raw) -> None:
    """Store when a cell was run."""
    cell(raw, "loan-gains")["metadata"]["execution"] = {"iopub.execute_input": "2026-11-21T12:00:00.000000Z"}


def empty_cell(raw: Raw) -> None:
    """Leave an empty cell at the end."""
    raw["cells"].append({"cell_type": "markdown", "id": "empty", "metadata": {}, "source": ""})


def same_id(raw: Raw) -> None:
    """Give two cells one id."""
    cell(raw, "count-house")["id"] = "count-age"


STRUCTURE = [
    Fault(name, "notebook", CHAPTER, shown, notebook(change))
    for name, shown, change in (
        ("emptied notebook", SHOWN, emptied),
        ("outputs and counts of all cells cleared", SHOWN, cleared),
        ("output and count of one cell cleared", SHOWN, one_cleared),
        ("output of one cell cleared", SHOWN, outputs_cleared),
        ("two pictures swapped", SHOWN, pictures_swapped),
        ("picture stored as PNG", SHOWN, png_for_svg),
        ("wrong execution count", HIDDEN, wrong_count),
        ("stored error", SHOWN, stored_error),
        ("stored warning", HIDDEN, stored_warning),
        ("printed number of a check loosened", SHOWN, check_loosened),
        ("check removed", SHOWN, check_removed),
        ("solution without code", HIDDEN, solution_without_code),
        ("solution in sight when it is folded", HIDDEN, solution_in_sight),
        ("solution without exercise", HIDDEN, exercise_dropped),
        ("cell hidden from nbval", HIDDEN, cell_skipped),
        ("time in the metadata", HIDDEN, time_stored),
        ("empty cell", HIDDEN, empty_cell),
        ("two cells with one id", HIDDEN, same_id),
    )
]

BOOK = [
    *texts(
        "_toc.yml",
        "book",
        ("chapter missing from the contents", HIDDEN, "      - file: chapters/03_information_gain\n", ""),
    ),
    *texts("references.bib", "book", ("bibliography key renamed", HIDDEN, "{quinlan1986,", "{quinlan86,")),
    *texts("requirements.txt", "book", ("package not pinned", HIDDEN, "\nnbval==", "\nnbval>=")),
    *texts(
        "requirements-all.txt",
        "book",
        ("another version for the long tests", HIDDEN, "\nscikit-learn==1", "\nscikit-learn==0"),
    ),
    *(
        Fault(name, part, "chapters/07_missing_values.ipynb", shown, within(cell_id, "markdown", old, new))
        for name, part, shown, cell_id, old, new in (
            ("digit in a part of a melon", "prose", SHOWN, "two-read", "0.467 of it", "0.461 of it"),
            (
                "two right choices in a quiz",
                "notebook",
                HIDDEN,
                "quiz",
                "No. The row is",
                "Right. The row is",
            ),
        )
    ),
]

RATIO = [
    Fault(name, "notebook", "chapters/05_gain_ratio.ipynb", shown, within(cell_id, kind, old, new))
    for name, shown, cell_id, kind, old, new in (
        ("luck counted twice", SHOWN, "simulate", "code", "/ (2 * N * math.log(2))", "/ (N * math.log(2))"),
        ("a wrong printed number made right", SHOWN, "iv-checks", "stdout", "printed 4.088", "printed 4.087"),
        ("digit in a gain ratio of the prose", SHOWN, "ratio-read", "markdown", "with 0.263", "with 0.268"),
        ("digit in split information by hand", SHOWN, "ratio", "markdown", "0.998 / 4.087", "0.998 / 4.807"),
        ("factor of a fraction by hand lost", SHOWN, "iv-hand", "markdown", "-2 \\cdot", "-"),
        (
            "two right answers in a quiz about ratios",
            HIDDEN,
            "quiz",
            "markdown",
            "No. In the dist",
            "Right. In the dist",
        ),
    )
]

C45 = "chapters/06_c45.ipynb"

C45_CHAPTER = [
    Fault(name, part, C45, shown, within(cell_id, kind, old, new))
    for name, part, shown, cell_id, kind, old, new in (
        ("C4.5: digit in an equation", "prose", SHOWN, "density-hand", "markdown", "0.9612 =", "0.9621 ="),
        ("C4.5: threshold in a sentence", "prose", SHOWN, "plane-2", "markdown", "0.2045,", "0.2054,"),
        ("C4.5: cuts saved", "prose", SHOWN, "saved-2", "markdown", "15,310", "15,301"),
        ("C4.5: two right answers", "prose", HIDDEN, "quiz", "markdown", "No. `windy`", "Right. `windy`"),
        ("C4.5: code of a gain not run", "code", SHOWN, "cut", "code", "iloc[:-1]", "iloc[1:]"),
        ("C4.5: digit in a plane", "output", SHOWN, "plane", SVG, ">0.2045<", ">0.2054<"),
        ("C4.5: default in the table", "output", SHOWN, "originals", PLAIN, "1e-07", "1e-08"),
    )
]

IMPURITY = [
    Fault(name, part, "chapters/08_impurity.ipynb", SHOWN, within(cell_id, kind, old, new))
    for name, part, cell_id, kind, old, new in (
        ("gap of half entropy in the summary", "prose", "summary", "markdown", "0.0545", "0.0554"),
        (
            "weight of a branch in a hand calculation",
            "prose",
            "customers-hand",
            "markdown",
            r"\tfrac{8}{20} \cdot 0.21875",
            r"\tfrac{7}{20} \cdot 0.21875",
        ),
        ("wrong Gini decrease of a split", "prose", "search-read", "markdown", "= 0.0367$", "= 0.0376$"),
        (
            "slope of the entropy halved",
            "code",
            "gap-find",
            "code",
            "np.log2((1 - p) / p) -",
            "np.log((1 - p) / p) -",
        ),
        ("two right answers in a quiz", "notebook", "quiz", "markdown", "No. By (8.13)", "Right. By (8.13)"),
    )
]

CART = [
    Fault(name, part, "chapters/09_cart.ipynb", SHOWN, within(cell_id, kind, old, new))
    for name, part, cell_id, kind, old, new in (
        ("what chance earns with many names", "prose", "random-read", "markdown", "0.247", "0.274"),
        ("what owning a house leaves", "prose", "hand", "markdown", "0.444 = 0.267", "0.444 = 0.276"),
        (
            "cuts ordered by the count, not the share",
            "code",
            "three-functions",
            "code",
            " / table.sum(1)",
            "",
        ),
        (
            "two right answers in the quiz of CART",
            "notebook",
            "quiz",
            "markdown",
            "No. This is the middle",
            "Right. This is the middle",
        ),
    )
]

REGRESSION = [
    Fault(name, "regression", "chapters/10_regression_trees.ipynb", SHOWN, within(*place))
    for name, *place in (
        (
            "saved error of the ten points",
            "decompose",
            "markdown",
            "3.359 = 24.274",
            "3.359 = 24.724",
        ),
        ("leaf mean in the summary", "summary", "markdown", "5.06 and 8.176", "5.06 and 8.167"),
        ("rpart's leaf misread", "same-rpart-machine", "code", "(47, 159.74470)", "(47, 159.47470)"),
        ("running sum one row late", "best-cut", "code", "t = y.cumsum()[:-1]", "t = y.cumsum()[1:]"),
        ("step of a staircase", "outlier-picture", PLAIN, "8.5, 48 above", "9.5, 48 above"),
        ("two right answers", "quiz", "markdown", "No. The middle of", "Right. The middle of"),
    )
]

OVERFITTING = [
    Fault(name, "overfitting", "chapters/11_overfitting.ipynb", SHOWN, within(*place))
    for name, *place in (
        ("error of the largest tree", "curve-read", "markdown", "0.208 to 0.316", "0.208 to 0.361"),
        ("number of melon subtrees", "optimal", "markdown", r"1 + 2 \cdot 4 = 9", r"1 + 2 \cdot 4 = 8"),
        ("ties of the book cut", "post-walk", "code", "right[node] > before", "right[node] >= before"),
        ("errors of a node in a tree picture", "pre-tree", PLAIN, "wrong: 4 → 2", "wrong: 4 → 3"),
        ("standard error not a root", "coin", "code", "/ m) ** 0.5", "/ m)"),
        (
            "held-out error of a pruned tree trusted",
            "quiz",
            "markdown",
            "No. It was not grown from them",
            "Right. It was not grown from them",
        ),
    )
]

PESSIMISTIC_CHAPTER = [
    Fault(name, "pessimistic", "chapters/14_pessimistic_pruning.ipynb", SHOWN, within(*place))
    for name, *place in (
        (
            "expected errors by hand",
            "bounds-read",
            "markdown",
            "1 \\cdot 0.750 = 3.273",
            "1 \\cdot 0.750 = 3.237",
        ),
        ("estimate of a raised branch", "raise-decide", "markdown", "5.450 against", "5.540 against"),
        ("bisection keeps the wrong half", "bisect", "code", "(e, N, p) <= CF else", "(e, N, p) > CF else"),
        ("recorded decision of Release 8 misread", "trace-checks", "code", '"4.34"', '"4.43"'),
        ("rate on a leaf in a picture", "sixteen-picture", PLAIN, "U = 0.143", "U = 0.134"),
        (
            "two right answers about raising",
            "quiz",
            "markdown",
            "No. They stay, and",
            "Right. They stay, and",
        ),
    )
]

PRICES = [
    Fault(name, part, "chapters/13_cost_complexity.ipynb", SHOWN, within(cell_id, kind, old, new))
    for name, part, cell_id, kind, old, new in (
        ("g of the root not looked at again", "prose", "step-2-read", "markdown", "= 3.5$", "= 3.7$"),
        (
            "end of an interval in the picture of a path",
            "output",
            "path-picture",
            PLAIN,
            "0.5 to 2:",
            "0.5 to 3:",
        ),
        ("rpart's CP misread", "code", "convert-rpart-checks", "code", '2: "0.44"', '2: "0.45"'),
        (
            "products of prices for their means",
            "code",
            "by-hand-cv",
            "code",
            "np.sqrt(nested",
            "np.abs(nested",
        ),
        (
            "standard error without the square root",
            "code",
            "cv-table",
            "code",
            "np.sqrt(wrong",
            "np.abs(wrong",
        ),
        (
            "two right answers about the weakest link",
            "notebook",
            "quiz",
            "markdown",
            "No. Cutting also",
            "Right. Cutting also",
        ),
    )
]

PRICE = [
    Fault(name, part, "chapters/12_price_per_leaf.ipynb", SHOWN, within(*place))
    for name, part, *place in (
        (
            "loss of the root at 8 bits",
            "prose",
            "local",
            "markdown",
            "14.564 + 8 = 22.564",
            "14.564 + 8 = 22.654",
        ),
        ("price above chance misread", "prose", "coins-read", "markdown", "4.81 to 7.76", "4.81 to 7.67"),
        ("children's losses not added", "code", "order-recursion", "code", "sum(loss for", "min(loss for"),
        ("price charged once", "code", "wrong-literal", "code", "alpha * three", "alpha + three"),
        ("corner of the border", "output", "envelope", PLAIN, "from 2.061", "from 2.016"),
        (
            "two right answers about sizes",
            "notebook",
            "quiz",
            "markdown",
            "No. The melons",
            "Right. The melons",
        ),
    )
]

FOREST = [
    Fault(name, part, "chapters/16_forests.ipynb", SHOWN, within(cell_id, kind, old, new))
    for name, part, cell_id, kind, old, new in (
        ("accuracy of the balanced tree", "prose", "weights-read", "markdown", "0.844", "0.848"),
        ("gain of the credit by hand", "prose", "withdraw-hand", "markdown", "= 0.592", "= 0.529"),
        (
            "correlated part forgotten",
            "code",
            "test-variance-table",
            "code",
            "rho * s2 + (1 - rho) / B * s2",
            "(1 - rho) / B * s2",
        ),
        ("share left out misread", "code", "bootstrap-check", "code", '"0.368"', '"0.386"'),
        ("votes of trees that saw the row", "code", "oob-machine", "code", "setdiff1d", "intersect1d"),
        (
            "two right answers in the quiz of forests",
            "notebook",
            "quiz",
            "markdown",
            "No. A tree with four",
            "Right. A tree with four",
        ),
    )
]

OBLIQUE = [
    Fault(name, part, "chapters/15_oblique_trees.ipynb", SHOWN, within(*place))
    for name, part, *place in (
        ("melon 7's weighted sum", "prose", "melons-read", "markdown", "0.149 = 0.0047", "0.149 = 0.0074"),
        ("what one start finds", "prose", "stuck-read", "markdown", "a gain of 0.242", "a gain of 0.442"),
        ("U by the other feature", "code", "six", "code", 'V / six["practice"]', 'V / six["theory"]'),
        ("the last direction of half a turn", "code", "turn", "code", "swap[0] + np.pi", "swap[0]"),
        (
            "a number of a linear test",
            "draw",
            "six-picture",
            PLAIN,
            "theory + 0.625 practice",
            "theory + 0.652 practice",
        ),
        (
            "two right answers about greed",
            "notebook",
            "quiz",
            "markdown",
            "No. A better search would",
            "Right. A better search would",
        ),
    )
]

APPENDICES = [
    *texts(
        "chapters/formulas.csv",
        "formulas",
        (
            "another function that exists",
            HIDDEN,
            "computed,dtlib.measures.gain_ratio",
            "computed,dtlib.measures.gini",
        ),
        (
            "function that is not there",
            HIDDEN,
            "dtlib.plain.at_cut",
            "dtlib.plain.at_cuts",
        ),
        ("test that was renamed", HIDDEN, "::test_the_charge", "::test_the_charges"),
        ("two steps that lead nowhere", HIDDEN, "step to 14.7", "step to 14.8"),
    ),
    Fault(
        "factor lost in a formula",
        "formulas",
        "chapters/08_impurity.ipynb",
        SHOWN,
        within("search-read", "markdown", "= 2 \\, \\frac{N_1}{N}", "= \\frac{N_1}{N}"),
    ),
    Fault(
        "changed cell of a table on the page of the data",
        "data",
        "chapters/data.ipynb",
        SHOWN,
        within("all", HTML, ">0.697<", ">0.679<"),
    ),
    *texts(
        "data/README.md",
        "data",
        ("licence of the votes forgotten", HIDDEN, "records), CC BY 4.0; its", "records); its"),
    ),
    *texts(
        "dtlib/prune/__init__.py",
        "API",
        ("public name left out of __all__", HIDDEN, '"risk",', ""),
    ),
    *texts(
        "reference/api/cost_complexity.md",
        "API",
        ("name that the API forgets", HIDDEN, "dtlib.prune.tree_loss\n", ""),
    ),
]

FRONT = [
    Fault(name, part, f"chapters/{file}.ipynb", shown, within(*place))
    for name, part, file, shown, *place in (
        (
            "cases in a quiz",
            "prose",
            "01_what_a_tree_is",
            SHOWN,
            "quiz",
            "markdown",
            "so 64 possible",
            "so 46 possible",
        ),
        (
            "gain in a quiz",
            "prose",
            "03_information_gain",
            SHOWN,
            "quiz",
            "markdown",
            "job gains 0.324",
            "job gains 0.342",
        ),
        (
            "two right answers about XOR",
            "notebook",
            "04_id3",
            HIDDEN,
            "quiz",
            "markdown",
            "No. The shares stay",
            "Right. The shares stay",
        ),
        (
            "where a leaf's bound is marked",
            "code",
            "14_pessimistic_pruning",
            SHOWN,
            "none-picture",
            "code",
            "0.25 ** (1 / N)",
            "0.25 ** (2 / N)",
        ),
        (
            "a leaf's two answers",
            "code",
            "16_forests",
            SHOWN,
            "outputs-wave",
            "code",
            "np.cos(x)",
            "np.sin(x)",
        ),
    )
]


REFERENCE = [
    *texts(
        "reference/glossary.md",
        "words",
        ("term linked to another section", HIDDEN, "#distances-the-median)", "#squares-the-mean)"),
        ("Chinese of another term", HIDDEN, "**impurity** 不纯度", "**impurity** 基尼指数"),
        ("defined term not in the glossary", HIDDEN, "**surrogate** ", "**substitute** "),
    ),
    *texts(
        "reference/symbols.md",
        "words",
        (
            "symbol in a formula without it",
            HIDDEN,
            "Mutual information; bits. [Chapter 2](../chapters/02_entropy.ipynb), (2.11)",
            "Mutual information; bits. [Chapter 2](../chapters/02_entropy.ipynb), (2.1)",
        ),
    ),
    *texts(
        "references.bib",
        "words",
        (
            "entry that does not say how it was checked",
            HIDDEN,
            "  checked = {4 sources: volume and pages; DOI in one},\n",
            "",
        ),
        ("DOI with a blank", HIDDEN, "10.1007/BF00116251", "10.1007/BF00 116251"),
    ),
    *(
        Fault(name, "words", file, HIDDEN, within("history", "markdown", old, new))
        for name, file, old, new in (
            (
                "second word for a sample",
                "chapters/04_id3.ipynb",
                "split the samples by",
                "split the instances by",
            ),
            ("term before its chapter", CHAPTER, "than the share of its right answers", "than its accuracy"),
        )
    ),
]

ERRATA = [
    Fault(name, part, "chapters/19_errata.ipynb", SHOWN, within(*place))
    for name, part, *place in (
        (
            "the gain with the slipped digit",
            "prose",
            "c1-read",
            "markdown",
            "would be 0.099",
            "would be 0.090",
        ),
        ("D3 twice in the correction", "code", "c7", "code", "(H1 + H2 + H3)", "(H1 + H3 + H3)"),
        (
            "verdicts from the corrections",
            "code",
            "ledger",
            "code",
            "map(bool, as_said)",
            "map(bool, instead)",
        ),
        (
            "bits for nats",
            "code",
            "mlu-test",
            "code",
            "information_gain(chart, base=np.e)",
            "information_gain(chart)",
        ),
        ("digit in the picture of the gap", "draw", "c9-picture", PLAIN, "0.03064", "0.03046"),
        (
            "two right answers about rounding",
            "notebook",
            "quiz",
            "markdown",
            "No. Each term may",
            "Right. Each term may",
        ),
    )
]

HEART_CHAPTER = [
    Fault(name, part, "chapters/18_from_start_to_end.ipynb", SHOWN, within(*place))
    for name, part, *place in (
        ("people of a leaf read aloud", "prose", "leaves-read", "markdown", "11 of 135", "11 of 153"),
        ("share of those with pain", "prose", "cost-why", "markdown", "have 0.276 and", "have 0.267 and"),
        (
            "mean saving of the draws",
            "prose",
            "luck-read",
            "markdown",
            "average 0.082 is",
            "average 0.028 is",
        ),
        (
            "zeros of cholesterol kept",
            "code",
            "clean",
            "code",
            '("cholesterol", "pressure")',
            '("pressure",)',
        ),
        (
            "alarms dear and misses cheap",
            "code",
            "rivals-def",
            "code",
            "3 * (is_narrowed & ~send) + (~is_narrowed & send)",
            "(is_narrowed & ~send) + 3 * (~is_narrowed & send)",
        ),
        ("gaps of Switzerland", "draw", "gaps", PLAIN, "Switzerland 100 %", "Switzerland 10 %"),
        (
            "two right answers about the mean",
            "notebook",
            "quiz",
            "markdown",
            "No. The mean stays",
            "Right. The mean stays",
        ),
    )
]

LARGER = [
    Fault(name, part, "chapters/20_larger_than_memory.ipynb", SHOWN, within(*place))
    for name, part, *place in (
        (
            "the gain of the halves",
            "prose",
            "wrong-gains-read",
            "markdown",
            "average is 0.302",
            "average is 0.320",
        ),
        ("a level is cubed", "prose", "sol-20-2", "markdown", "$2^5 = 32$", "$2^5 = 64$"),
        ("cells without the classes", "code", "size-hand", "code", "J * V * K", "J * V"),
        (
            "the other half of the loans",
            "code",
            "halves",
            "code",
            "loan.frame.iloc[8:]",
            "loan.frame.iloc[7:]",
        ),
        ("a line of the cells", "draw", "growth-picture", PLAIN, "(3, 2.155)", "(3, 2.551)"),
        (
            "two right answers about halves",
            "notebook",
            "quiz",
            "markdown",
            "No. That is a small forest",
            "Right. That is a small forest",
        ),
    )
]

SIDE_BY_SIDE = [
    Fault(name, part, "chapters/17_side_by_side.ipynb", SHOWN, within(*place))
    for name, part, *place in (
        ("questions of a chain", "prose", "cost-ends-read", "markdown", "chain 128.5 on", "chain 182.5 on"),
        ("withdrawn wines", "prose", "con-optimal", "markdown", "in 173 cases", "in 137 cases"),
        ("branch sizes misread", "code", "cost-function", "code", "c.n for c in", "c.id for c in"),
        ("right answers of rpart misread", "code", "real-checks", "code", "(829, 280", "(892, 280"),
        (
            "one program against itself",
            "code",
            "real-paired-code",
            "code",
            "(runs[data, a], c)",
            "(runs[data, b], c)",
        ),
        (
            "two right answers about leaves",
            "notebook",
            "quiz",
            "markdown",
            "No. A balanced tree of",
            "Right. A balanced tree of",
        ),
    )
]

BOOK_FAULTS = [
    *OUTPUTS,
    *PROSE,
    *STRUCTURE,
    *BOOK,
    *RATIO,
    *C45_CHAPTER,
    *IMPURITY,
    *CART,
    *REGRESSION,
    *OVERFITTING,
    *PESSIMISTIC_CHAPTER,
    *PRICES,
    *PRICE,
    *FOREST,
    *OBLIQUE,
    *APPENDICES,
    *FRONT,
    *REFERENCE,
    *ERRATA,
    *HEART_CHAPTER,
    *LARGER,
    *SIDE_BY_SIDE,
]
