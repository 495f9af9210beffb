"""Trees from counts: in a database, in batches of rows, in several parts."""

import sqlite3
import sys
from contextlib import closing
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from dtlib import (
    BySurrogates,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ID3Regressor,
    ObliqueTreeClassifier,
)
from dtlib.datasets import load_customers, load_golf, load_loan, load_votes, load_watermelon
from dtlib.dialects import C45Dialect, CARTDialect
from dtlib.out_of_core import grow_from
from dtlib.out_of_core.batches import Batches, columns_of
from dtlib.out_of_core.cells import add, check_source, is_unknown, labels_of, one_type
from dtlib.out_of_core.database import Database
from dtlib.out_of_core.growing import needing_rows
from dtlib.out_of_core.part_weights import PartWeights
from dtlib.prune import ComplexityParameter, HoldoutValidated, Pessimistic, ReducedError
from tests.parts import Together

NOMINAL = [load_loan(), load_watermelon("2.0"), load_customers()]
MIXED = [load_watermelon("3.0"), load_golf()]
ESTIMATORS = [
    C45Classifier(),
    C45Classifier.release8(raising=False),
    C45Classifier.j48(prune=None),
    CARTClassifier(),
    CARTClassifier(criterion="entropy", min_samples_leaf=2),
    CARTClassifier.sklearn(max_depth=3),
    CARTClassifier(min_samples_split=7),
    CARTClassifier(min_samples_split=7, dialect=CARTDialect(samples="rows")),
]
BY_RATIO = C45Classifier(dialect=C45Dialect(threshold_by="gain_ratio"))  # each of its values is counted


@pytest.fixture
def connection():
    with closing(sqlite3.connect(":memory:")) as connection:
        yield connection


def in_database(connection, frame, target, name="data"):
    """Write a frame into a database; return it as a source."""
    frame.to_sql(name, connection, index=False, if_exists="replace")
    types = {n: t for n, t in frame.drop(columns=target).dtypes.items() if isinstance(t, pd.CategoricalDtype)}
    return Database(connection, name, target, dtypes=types)


def in_batches(frame, target, size, **options):
    """Return a frame in batches of so many rows."""
    return Batches(lambda: (frame.iloc[a : a + size] for a in range(0, len(frame), size)), target, **options)


def in_memory(data, estimator):
    """Return the tree's JSON as `fit` grows it."""
    return clone(estimator).fit(data.X, data.y).tree_.to_json()


# The same tree


PAIRS = [(data, estimator) for data in NOMINAL + MIXED for estimator in ESTIMATORS]
PAIRS += [(data, ID3Classifier()) for data in NOMINAL]


@pytest.mark.long
@pytest.mark.parametrize(("data", "estimator"), PAIRS, ids=lambda x: getattr(x, "name", type(x).__name__))
def test_the_data_files_give_the_same_tree(connection, data, estimator):
    expected = in_memory(data, estimator)
    sources = [in_database(connection, data.frame, data.target)]
    sources += [in_batches(data.frame, data.target, size) for size in (1, 4, len(data.frame))]
    for source in sources:
        assert grow_from(source, estimator).tree_.to_json() == expected


@pytest.mark.long
@pytest.mark.parametrize("data", [load_votes(), load_watermelon("2.0a")], ids=lambda d: d.name)
def test_the_data_files_with_missing_values_give_the_same_tree(connection, data):
    for estimator in CARTClassifier(missing="majority"), C45Classifier(missing="majority"):
        expected = in_memory(data, estimator)
        for source in (
            in_database(connection, data.frame, data.target),
            in_batches(data.frame, data.target, 50),
        ):
            assert grow_from(source, estimator).tree_.to_json() == expected


def test_a_file_on_disk_and_a_csv_in_chunks(tmp_path):
    load_watermelon("3.0").frame.to_csv(tmp_path / "melons.csv", index=False)
    whole = pd.read_csv(tmp_path / "melons.csv")
    with closing(sqlite3.connect(tmp_path / "melons.db")) as connection:
        whole.to_sql("melons", connection, index=False)
        connection.commit()
    expected = CARTClassifier().fit(whole.drop(columns="good"), whole["good"]).tree_.to_json()
    with closing(sqlite3.connect(tmp_path / "melons.db")) as connection:
        found = grow_from(Database(connection, "melons", "good"), CARTClassifier())
    assert found.tree_.to_json() == expected
    chunks = Batches(lambda: pd.read_csv(tmp_path / "melons.csv", chunksize=3), "good")
    assert grow_from(chunks, CARTClassifier()).tree_.to_json() == expected


@pytest.mark.parametrize("parts", [1, 2, 3, 15])
def test_parts_add_up(connection, parts):
    loan = load_loan()
    pieces = [loan.frame.iloc[k::parts] for k in range(parts)]
    sources = [in_batches(piece, "approved", 2) for piece in pieces[1:]]
    first = in_database(connection, pieces[0], "approved")
    found = grow_from(Together(first, *sources), ID3Classifier()).tree_
    assert found.to_json() == in_memory(loan, ID3Classifier())


@pytest.mark.parametrize(("feature", "target", "name"), [("x", "y", "node"), ("Node", "y", "_node"),
                                                        ("node", "_NODE", "__node")])  # fmt: skip
def test_the_column_of_nodes_has_a_name_of_its_own(connection, feature, target, name):
    frame = pd.DataFrame({feature: list("pqrr"), target: list("uvww")})
    source, estimator = in_database(connection, frame, target), CARTClassifier()
    query = source.level_query(grow_from(source, estimator).tree_, [0], feature)
    assert query.startswith(f'SELECT "{name}", "{feature}", "{target}", COUNT(*) FROM')
    expected = estimator.fit(frame[[feature]], frame[target]).tree_.to_json()
    assert grow_from(source, estimator).tree_.to_json() == expected


def test_parts_that_lack_a_name_or_a_class():
    frame = pd.DataFrame({"a": list("pqrr"), "x": [1, 2, 2.5, 9], "y": list("uvww")})
    parts = Together(*(Batches([frame.iloc[[i]]], "y") for i in (3, 0, 2, 1)))
    for estimator in C45Classifier(), CARTClassifier():
        expected = estimator.fit(frame[["a", "x"]], frame["y"]).tree_.to_json()
        assert grow_from(parts, estimator).tree_.to_json() == expected


def test_columns_without_any_value(connection):
    frame = pd.DataFrame({"x": [np.nan] * 4, "a": [None] * 4, "b": [1.0, np.nan, np.nan, np.nan]})
    frame = frame.assign(c=[1, 2, 3, 4], y=list("nnyy"))
    estimator = CARTClassifier(missing="majority")
    expected = estimator.fit(frame.drop(columns="y"), frame["y"]).tree_.to_json()
    frame.to_sql("data", connection, index=False)
    assert grow_from(in_batches(frame, "y", 1), estimator).tree_.to_json() == expected
    found = Database(connection, "data", "y", dtypes={"x": float})
    assert grow_from(found, estimator).tree_.to_json() == expected


def test_names_that_sql_must_quote(connection):
    frame = pd.DataFrame(
        {
            "select": list("aabbc"),
            'the "size"': [1.5, 2.5, 2.5, 3.5, 0.5],
            "node": ["it's", "'; DROP TABLE data; --", "it's", '"', "\\"],
            "Größe 字": [True, False, True, True, False],
            "level": [3, 3, 4, 4, 4],
        }
    )
    frame["group"] = ["n", "y", "n", "y", "y"]
    frame.to_sql('x"; DROP TABLE y', connection, index=False)
    source = Database(connection, 'x"; DROP TABLE y', "group", dtypes={"Größe 字": "bool"})
    for estimator in CARTClassifier(), C45Classifier():
        expected = estimator.fit(frame.drop(columns="group"), frame["group"]).tree_.to_json()
        assert grow_from(source, estimator).tree_.to_json() == expected
    assert connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone() == (1,)


@pytest.mark.parametrize("name", ["NODE", "Node", "node", "_Node", "Level", "DATA"])
def test_names_that_a_database_reads_without_case(connection, name):
    """The query calls the node "node": no column with that name, in any case, may be taken for it."""
    frame = pd.DataFrame({name: [1, 1, 2, 2, 3, 3], "b": list("klklkl"), "y": list("pnppnp")})
    expected = CARTClassifier().fit(frame[[name, "b"]], frame["y"]).tree_
    assert expected.node_count > 1
    assert grow_from(in_database(connection, frame, "y"), CARTClassifier()).tree_ == expected
    frame = frame.rename(columns={name: "x", "y": name})
    expected = CARTClassifier().fit(frame[["x", "b"]], frame[name]).tree_
    assert grow_from(in_database(connection, frame, name), CARTClassifier()).tree_ == expected


def test_a_query_that_ends_with_a_comment(connection):
    loan = load_loan()
    expected = grow_from(in_database(connection, loan.frame, "approved"), CARTClassifier()).tree_
    types = dict(loan.X.dtypes)
    query = "SELECT * FROM data -- all of them"
    source = Database(connection, query=query, target="approved", dtypes=types)
    assert grow_from(source, CARTClassifier()).tree_ == expected


def test_a_query_instead_of_a_table(connection):
    loan = load_loan()
    loan.frame.to_sql("loan", connection, index=False)
    query = "SELECT has_job, owns_house, approved FROM \"loan\" WHERE age <> 'old';"
    some = loan.frame[loan.frame["age"] != "old"]
    expected = ID3Classifier().fit(some[["has_job", "owns_house"]], some["approved"]).tree_.to_json()
    assert (
        grow_from(Database(connection, query=query, target="approved"), ID3Classifier()).tree_.to_json()
        == expected
    )


def test_chosen_features_in_their_order(connection):
    loan = load_loan()
    loan.frame.to_sql("loan", connection, index=False)
    source = Database(connection, "loan", "approved", features=["has_job", "age"])
    expected = ID3Classifier().fit(loan.X[["has_job", "age"]].astype(object), loan.y).tree_.to_json()
    assert grow_from(source, ID3Classifier()).tree_.to_json() == expected


@pytest.mark.parametrize("y", [[0, 1, 0, 1], [2.0, 3.0, 2.0, 3.0], [True, False, True, True], list("nnyn")])
def test_classes_of_every_type(y):
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "y": y})
    expected = CARTClassifier().fit(frame[["x"]], frame["y"])
    found = grow_from(in_batches(frame, "y", 2), CARTClassifier())
    assert found.tree_.to_json() == expected.tree_.to_json()
    np.testing.assert_array_equal(found.predict(frame[["x"]]), expected.predict(frame[["x"]]))
    assert found.classes_.dtype == expected.classes_.dtype


def test_one_class_is_a_leaf(connection):
    frame = pd.DataFrame({"x": [1, 2], "y": ["a", "a"]})
    for source in in_database(connection, frame, "y"), in_batches(frame, "y", 1):
        assert grow_from(source, CARTClassifier()).tree_.node_count == 1


def test_numbers_that_are_names(connection):
    frame = pd.DataFrame({"zip": [10, 20, 30, 10], "y": list("abca")})
    frame.to_sql("data", connection, index=False)
    source = Database(connection, "data", "y", dtypes={"zip": "category"})
    expected = C45Classifier().fit(frame[["zip"]].astype("category"), frame["y"]).tree_
    assert grow_from(source, C45Classifier()).tree_.to_json() == expected.to_json()


@pytest.mark.long
def test_more_nodes_than_one_query_takes(connection, monkeypatch):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"a": rng.integers(0, 50, 300), "b": rng.normal(size=300), "y": rng.integers(0, 3, 300)}
    )
    monkeypatch.setattr("dtlib.out_of_core.database.NODES", 3)
    monkeypatch.setattr("dtlib.out_of_core.database.FETCHED", 7)
    monkeypatch.setattr("dtlib.out_of_core.tallies.PENDING", 20)
    monkeypatch.setattr("dtlib.out_of_core.spread.FEW_VALUES", 3)
    expected = CARTClassifier().fit(frame[["a", "b"]], frame["y"]).tree_.to_json()
    assert grow_from(in_database(connection, frame, "y"), CARTClassifier()).tree_.to_json() == expected
    assert grow_from(in_batches(frame, "y", 11), CARTClassifier()).tree_.to_json() == expected


# What is fitted


def test_the_estimator_stays_as_it_is_and_the_copy_is_fitted():
    loan, estimator = load_loan(), ID3Classifier(min_gain=0.1)
    found = grow_from(in_batches(loan.frame, "approved", 4), estimator)
    assert not hasattr(estimator, "tree_")
    assert found.get_params() == estimator.get_params()
    assert found.feature_names_in_.tolist() == list(loan.X)
    assert (found.n_features_in_, found.n_classes_, found.n_outputs_) == (4, 2, 1)
    assert (found.predict(loan.X) == loan.y).all()
    with pytest.raises(ValueError, match="training data"):
        found.tree_.explain(0)


def test_the_pruning_path_is_that_of_the_tree():
    melons = load_watermelon("3.0")
    found = grow_from(in_batches(melons.frame, "good", 5), CARTClassifier(ccp_alpha=0.05))
    expected = CARTClassifier(ccp_alpha=0.05).fit(melons.X, melons.y)
    np.testing.assert_array_equal(found.pruning_path_.alphas, expected.pruning_path_.alphas)


# What is read


def test_one_pass_for_the_columns_and_one_for_each_level_of_questions():
    loan = load_loan()
    source = in_batches(loan.frame, "approved", 4)
    tree = grow_from(source, ID3Classifier()).tree_
    assert (tree.max_depth, source.passes) == (2, 1 + 2)
    one_by_one = in_batches(loan.frame, "approved", 4, together=1)
    grow_from(one_by_one, BY_RATIO)
    assert one_by_one.passes == 1 + 2 * 4


def test_a_query_for_each_column_and_for_each_feature_of_a_level(connection):
    loan = load_loan()
    loan.frame.to_sql("loan", connection, index=False)
    source, sent = Database(connection, "loan", "approved"), []
    connection.set_trace_callback(sent.append)
    grow_from(source, ID3Classifier())
    assert len(sent) == 5 + 2 * 4
    assert all("GROUP BY" in query for query in sent)


def test_batches_are_let_go():
    """No more than two frames are alive at any time: the one in use, and the one being made."""
    import gc
    import weakref

    loan, made, most = load_loan().frame, [], 0

    def frames():
        nonlocal most
        for a in range(0, 15, 2):
            frame = loan.iloc[a : a + 2].copy()
            made.append(weakref.ref(frame))
            gc.collect()
            most = max(most, sum(one() is not None for one in made))
            yield frame

    gc.freeze()  # what was there before is not gone through again and again
    try:
        grow_from(Batches(frames, "approved"), ID3Classifier())
    finally:
        gc.unfreeze()
    assert len(made) == 8 * 3
    assert most <= 2


def test_what_waits_to_be_added_up_is_bounded(monkeypatch):
    """The cells of many batches are added up on the way, not at the end."""
    largest = 0

    def watched(*tables):
        nonlocal largest
        largest = max(largest, sum(len(table.node) for table in tables))
        return add(*tables)

    monkeypatch.setattr("dtlib.out_of_core.tallies.add", watched)
    monkeypatch.setattr("dtlib.out_of_core.tallies.PENDING", 50)
    rows = 2000
    monkeypatch.setattr("dtlib.out_of_core.spread.FEW_VALUES", 3)  # more of them are not all known
    frame = pd.DataFrame({"x": np.arange(rows) % 7, "y": np.arange(rows) % 2})
    grow_from(in_batches(frame, "y", 20), clone(BY_RATIO).set_params(max_depth=1))
    assert 50 < largest <= 14 + 50 + 20


# What is refused


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (CARTClassifier(prune="cv"), "prune is 'cv'"),
        (ID3Classifier(prune="reduced_error"), "prune is 'reduced_error'"),
        (C45Classifier(prune="pre"), "prune is 'pre'"),
        (C45Classifier.release8(), r"prune is Pessimistic\(.*wanted Pessimistic\(raising=False\)"),
        (CARTRegressor(criterion="absolute_error"), "criterion is 'absolute_error'.*'squared_error'"),
        (CARTRegressor(criterion="poisson"), "criterion is 'poisson'.*wanted 'squared_error'"),
        (CARTClassifier(dialect=CARTDialect(ties="rounding")), r"dialect is CARTDialect\(ties='rounding'\)"),
        (CARTClassifier(missing="surrogate"), "missing is 'surrogate'"),
        (
            CARTClassifier(missing=BySurrogates(use_surrogates=False)),
            r"missing is BySurrogates\(use_surrogates=False\)",
        ),
        (CARTClassifier(keep_data=True), "keep_data is True"),
        (CARTClassifier(max_depth=-1), "max_depth is -1"),
    ],
)
def test_parameters_that_need_the_rows_are_refused(estimator, message):
    with pytest.raises(ValueError, match=message):
        grow_from(in_batches(load_loan().frame, "approved", 4), estimator)


@pytest.mark.parametrize("estimator", [ID3Regressor(), ObliqueTreeClassifier(), "tree"])
def test_other_estimators_are_refused(estimator):
    with pytest.raises(TypeError, match="wanted an ID3Classifier, C45Classifier, CARTClassifier or CARTRegr"):
        grow_from(in_batches(load_loan().frame, "approved", 4), estimator)


def test_missing_values_without_a_rule_are_refused(connection):
    frame = pd.DataFrame({"x": [1.0, None, 3.0], "a": ["p", "q", None], "b": list("xyz"), "y": list("nny")})
    for source in in_database(connection, frame, "y"), in_batches(frame, "y", 1):
        for estimator in (
            CARTClassifier(),
            C45Classifier(missing="error"),
            CARTClassifier(missing="fractional"),
        ):
            with pytest.raises(ValueError, match=r"these columns have missing values: x, a; wanted missing="):
                grow_from(source, estimator)


def test_parts_of_rows_that_cannot_be_counted_are_refused(connection):
    frame = pd.DataFrame({"x": [1.0, None, 3.0], "a": ["p", "q", None], "b": list("xyz"), "y": list("nny")})
    batches, whole = in_batches(frame, "y", 1), in_batches(frame.dropna(), "y", 1)
    for source, estimator, held_out, why in [
        (in_database(connection, frame, "y"), C45Classifier(), None, "source is a Database, which does not"),
        (
            batches,
            C45Classifier.release8(raising=False),
            None,
            "dialect adds up fractional weights in float32",
        ),
        (batches, C45Classifier(prune=ReducedError()), whole, "rows are held out"),
        (whole, C45Classifier(prune=ReducedError()), batches, "rows are held out"),
    ]:
        with pytest.raises(ValueError, match=f"missing values: x, a; and {why}.*wanted missing='majority'"):
            grow_from(source, estimator, held_out=held_out)


@pytest.mark.parametrize("last", [3, 4, 5])
def test_parts_of_rows_that_change_are_noticed(last):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.integers(0, 9, 40) * 1.0, "z": rng.integers(0, 9, 40)})
    frame["y"] = frame["x"] + frame["z"] + rng.normal(size=40) > 8
    frame.loc[::4, "x"] = None
    other, asked = frame.assign(x=frame["x"].where(frame.index % 4 != 1)), []

    def frames():
        asked.append(1)
        return [frame if len(asked) <= last else other]

    assert grow_from(Batches([frame], "y"), C45Classifier(prune=None)).tree_.max_depth >= 5
    with pytest.raises(ValueError, match="the data changed"):
        grow_from(Batches(frames, "y"), C45Classifier(prune=None))


def test_weights_that_no_part_had():
    weights = PartWeights(np.array([0, 1]), np.array([0.5, 0.25]), 0.25)
    for node, weight in (0, 0.75), (0, 0.25), (1, 1.0):
        with pytest.raises(ValueError, match="rows are divided otherwise than they were at the level above"):
            weights.place(np.array([node]), np.array([weight]))


def test_missing_classes_are_refused(connection):
    frame = pd.DataFrame({"x": [1, 2], "y": ["a", None]})
    with pytest.raises(ValueError, match="target 'y' is NULL in 1 row:"):
        grow_from(in_database(connection, frame, "y"), CARTClassifier())
    with pytest.raises(ValueError, match="target 'y' of a frame is missing in 1 row, which is row "):
        grow_from(in_batches(frame, "y", 2), CARTClassifier())


def test_no_rows(connection):
    frame = pd.DataFrame({"x": [1.0], "y": ["a"]}).iloc[:0]
    with pytest.raises(ValueError, match="the table has no rows"):
        grow_from(in_database(connection, frame, "y"), CARTClassifier())
    with pytest.raises(ValueError, match="frames has no rows"):
        grow_from(Batches([frame], "y"), CARTClassifier())


def test_unknown_columns(connection):
    frame = pd.DataFrame({"x": [1], "y": ["a"]})
    frame.to_sql("data", connection, index=False)
    for options in (
        {"target": "z"},
        {"target": "y", "features": ["z"]},
        {"target": "y", "dtypes": {"z": "bool"}},
    ):
        with pytest.raises(KeyError, match=r"no column 'z'; the columns are \['x', 'y'\]"):
            Database(connection, "data", **options)
    with pytest.raises(KeyError, match="no column 'z'"):
        Batches([frame], "z").columns()
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        Database(connection, "nothing", "y")


def test_what_a_source_is_made_from(connection):
    frame = pd.DataFrame({"x": [1], "y": ["a"]})
    frame.to_sql("data", connection, index=False)
    with pytest.raises(ValueError, match="wanted one of them"):
        Database(connection, "data", "y", query="SELECT 1")
    with pytest.raises(ValueError, match="wanted one of them"):
        Database(connection, target="y")
    with pytest.raises(ValueError, match="each once, without the target"):
        Database(connection, "data", "y", features=["y"])
    with pytest.raises(TypeError, match="wanted a function"):
        Batches(iter([frame]), "y")
    with pytest.raises(TypeError, match="wanted a function"):
        Batches(frame, "y")
    with pytest.raises(TypeError, match="wanted DataFrames"):
        Batches([frame.to_numpy()], "y").columns()
    with pytest.raises(ValueError, match="together is 0"):
        Batches([frame], "y", together=0)


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        (["a", 1], TypeError, "mixes numbers and text"),
        ([b"a", b"b"], TypeError, "neither text nor a number"),
        ([b"1", b"2"], TypeError, "holds b'1' of type bytes, which is neither text nor a number"),
        ([float("inf"), 1.0], ValueError, "holds inf; wanted finite numbers"),
        ([2**53 + 1, 1], ValueError, "holds 9007199254740993"),
    ],
)
def test_columns_that_cannot_be_used(connection, values, error, message):
    connection.execute('CREATE TABLE "data" (x, y)')
    connection.executemany('INSERT INTO "data" VALUES (?, ?)', zip(values, "ab", strict=True))
    with pytest.raises(error, match=message):
        grow_from(Database(connection, "data", "y"), CARTClassifier())


def test_types_that_do_not_fit(connection):
    pd.DataFrame({"x": [0, 2], "a": ["p", "q"], "y": ["n", "y"]}).to_sql("data", connection, index=False)
    with pytest.raises(ValueError, match=r"column 'x' holds 2, none of \[False, True\]"):
        Database(connection, "data", "y", dtypes={"x": "bool"}).columns()
    with pytest.raises(ValueError, match="column 'a' holds 'q'"):
        Database(connection, "data", "y", dtypes={"a": pd.CategoricalDtype(["p"])}).columns()
    with pytest.raises(TypeError, match="wanted a categorical type"):
        Database(connection, "data", "y", dtypes={"x": float}).columns()


def test_batches_of_different_types():
    parts = [pd.DataFrame({"x": [1], "y": ["a"]}), pd.DataFrame({"x": ["one"], "y": ["b"]})]
    with pytest.raises(
        TypeError, match="column 'x' is nominal in one part of the data and numeric in another"
    ):
        Batches(parts, "y").columns()
    orders = [
        pd.Categorical(["S"], ["S", "M"], ordered=True),
        pd.Categorical(["S"], ["M", "S"], ordered=True),
    ]
    with pytest.raises(TypeError, match="several orders"):
        Batches([pd.DataFrame({"x": order, "y": ["a"]}) for order in orders], "y").columns()
    other = [pd.DataFrame({"x": [1], "y": ["a"]}), pd.DataFrame({"z": [1], "y": ["b"]})]
    with pytest.raises(ValueError, match=r"a part has the columns \['z'\]"):
        Batches(other, "y").columns()


def test_data_that_change_while_the_tree_grows():
    loan = load_loan().frame

    def frames():
        frames.times = getattr(frames, "times", 0) + 1
        yield loan if frames.times < 3 else loan.iloc[:-1]

    with pytest.raises(ValueError, match="at depth 1 are not those of the level above: the data changed"):
        grow_from(Batches(frames, "approved"), ID3Classifier())


def test_new_names_while_the_tree_grows(connection):
    loan = load_loan()
    source = in_database(connection, loan.frame.astype(object), "approved")
    read = source.columns

    def columns():
        found = read()
        connection.execute("UPDATE data SET age = 'ancient' WHERE age = 'old'")
        return found

    source.columns = columns
    with pytest.raises(ValueError, match="column 'age' has categories now that it had not"):
        grow_from(source, ID3Classifier())


def test_frames_that_can_be_read_only_once():
    frames = iter([load_loan().frame])
    with pytest.raises(ValueError, match=r"frames has no rows; .* pass 2, too: each call of it must start"):
        grow_from(Batches(lambda: frames, "approved"), ID3Classifier())


def test_what_is_no_source_is_named():
    rows = Batches([load_loan().frame], "approved")
    with pytest.raises(TypeError, match="held_out is a DataFrame; wanted"):
        grow_from(rows, CARTClassifier(prune=ReducedError()), held_out=load_loan().frame)
    with pytest.raises(TypeError, match="source is the class Batches; wanted"):
        grow_from(Batches, CARTClassifier())
    with pytest.raises(TypeError, match="progress is 'yes'; wanted True or False"):
        grow_from(rows, CARTClassifier(), progress="yes")


@pytest.mark.parametrize("source", [load_loan().frame, [], None, CARTClassifier()])
def test_what_is_no_source_is_refused(source):
    with pytest.raises(TypeError, match=r"source is a \w+; wanted Arrow\(path, target\), DuckDB or "):
        grow_from(source, CARTClassifier())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"table": 3}, "table is 3; wanted text"),
        ({"table": None, "query": 3}, "query is 3; wanted text"),
        ({"target": None}, "target is None; wanted text"),
        ({"connection": "data.db"}, "connection is a str; wanted one of DB-API"),
        ({"features": "x"}, "features is 'x'; wanted a list"),
        ({"features": 1}, "features is 1; wanted a list"),
        ({"dtypes": "category"}, "dtypes is 'category'; wanted a dict"),
        ({"dtypes": {"x": "numbers"}}, "dtypes has 'numbers' for 'x'; wanted a type of pandas"),
        ({"dtypes": {"x": "str"}}, "dtypes has .* for 'x', which holds 1; wanted 'category'"),
        ({"dtypes": {"a": "float"}}, "dtypes has float64 for 'a'; wanted a categorical type"),
        ({"dtypes": {"a": "datetime64[ns]"}}, "column 'a' is of type datetime64"),
    ],
)
def test_what_a_database_is_not_made_from(connection, change, message):
    frame = pd.DataFrame({"x": [1, 2], "a": ["p", "q"], "y": ["n", "y"]})
    frame.to_sql("data", connection, index=False)
    with pytest.raises(TypeError, match=message):
        Database(**{"connection": connection, "table": "data", "target": "y"} | change).columns()


@pytest.mark.parametrize(
    ("frames", "target", "error", "message"),
    [
        ("loan.csv", "y", TypeError, "frames is a str; wanted a function"),
        (None, "y", TypeError, "frames is a NoneType; wanted a function"),
        (lambda: None, "y", TypeError, r"frames\(\) is a NoneType; wanted DataFrames"),
        (pd.DataFrame, "y", TypeError, r"frames\(\) is a DataFrame; wanted DataFrames"),
        ([pd.DataFrame([[1, 2, 3]], columns=list("xxy"))], "y", ValueError, "each once"),
        ([pd.DataFrame({"y": ["a"]})], "y", ValueError, "wanted the target and features"),
        ([], ["y"], TypeError, "target is .* wanted text"),
    ],
)
def test_what_batches_are_not_made_from(frames, target, error, message):
    with pytest.raises(error, match=message):
        Batches(frames, target).columns()


def test_numbers_too_large_for_single_precision_are_refused(connection):
    frame = pd.DataFrame({"x": [1e39, 2e39], "y": ["a", "b"]})
    for source in (in_database(connection, frame, "y"), Batches([frame], "y")):
        with pytest.raises(ValueError, match=r"holds 1e\+39, too large for a float32"):
            grow_from(source, CARTClassifier.sklearn())


def test_a_database_that_takes_names_as_equal(connection):
    connection.execute("CREATE TABLE data (a TEXT COLLATE NOCASE, x, y)")
    rows = [("U", 1, "p"), ("u", 2, "n"), ("v", 3, "p"), ("V", 1, "n"), ("w", 2, "p")]
    connection.executemany("INSERT INTO data VALUES (?, ?, ?)", rows)
    with pytest.raises(ValueError, match=r"column 'a' .* the database takes different categories as equal"):
        grow_from(Database(connection, "data", "y"), CARTClassifier())


def test_only_of_a_later_pass_it_is_said_that_the_rows_were_there():
    frames = iter([[load_loan().frame], [], []])
    source = Batches(lambda: next(frames), "approved")
    source.columns()
    with pytest.raises(ValueError, match="at least one in pass 2, too: each call of it must start"):
        source.columns()
    with pytest.raises(ValueError, match=r"wanted at least one$"):
        Batches([], "approved").columns()


@pytest.mark.parametrize("nothing", [pd.Series([np.nan]), pd.Series([None], dtype=object)])
def test_of_parts_without_a_value_the_type_stays_unknown_until_one_has_some(nothing):
    assert one_type("x", [nothing, nothing]) is nothing
    for known in (pd.Series([], dtype=float), pd.Series(["a", "b"], dtype=object)):
        for parts in ([nothing, known], [known, nothing, nothing]):
            pd.testing.assert_series_equal(one_type("x", parts), known, check_names=False)


@pytest.mark.parametrize("values", [[1.0, np.nan], ["a", None]])
def test_a_part_with_a_value_beside_holes_is_known(values):
    assert not is_unknown(pd.Series(values))


def test_what_parts_declare_alike_is_kept_without_a_row():
    parts = [pd.Series(pd.Categorical([name], ["low", "high"], ordered=True)) for name in ("low", "high")]
    found = one_type("x", parts)
    assert (len(found), found.dtype) == (0, parts[0].dtype)


def test_names_of_a_part_are_plain_objects():
    """Whatever type pandas has for text, parts that differ in it can be added up."""
    frame = load_loan().frame.astype("string")
    found = columns_of(frame, "approved").features
    assert {column.dtype for column in found.values()} == {np.dtype(object)}


def test_the_first_class_that_the_first_pass_had_not_is_named():
    loan = load_loan()
    tree = ID3Classifier().fit(loan.X, loan.y).tree_
    assert labels_of(["yes", "no"], tree, "approved").tolist() == [1, 0]
    with pytest.raises(ValueError, match="'approved' holds 'perhaps'"):
        labels_of(["no", "perhaps", "never"], tree, "approved")


def test_a_cursor_is_closed_when_its_lines_are_read_or_left():
    closed = []

    class Cursor:
        description = (("a",), ("b",))

        def execute(self, query):
            self.lines = [(1,), (2,)]

        def fetchmany(self, size):
            lines, self.lines = self.lines, []
            return lines

        def close(self):
            closed.append(self)

    database = Database.__new__(Database)
    database.connection = SimpleNamespace(cursor=Cursor)
    assert list(database.fetch("SELECT")) == [[[1, 2]]]
    next(left := database.fetch("SELECT"))
    left.close()
    database.data = "table"
    assert database._names() == ["a", "b"]
    assert len(closed) == 3


KINDS_OF_MISSING = {
    "error": False, "stay": False, "majority": False, "fractional": False, "learned": False,
    "surrogate": True,
    BySurrogates(): True, BySurrogates(max_surrogates=0): True, BySurrogates(use_surrogates=False): True,
    BySurrogates(use_surrogates=False, max_surrogates=0): False,
}  # fmt: skip


@pytest.mark.parametrize("missing", KINDS_OF_MISSING, ids=str)
def test_which_ways_of_missing_values_need_the_rows(missing):
    model = CARTClassifier(missing=missing)
    named = [name for name, _, _ in needing_rows(model)]
    assert named == ["missing"] * KINDS_OF_MISSING[missing]
    assert [value for _, value, _ in needing_rows(model)] == [missing] * len(named)


@pytest.mark.parametrize(
    ("estimator", "names"),
    [
        (CARTClassifier(), []),
        (CARTClassifier(dialect="sklearn"), []),
        (CARTClassifier(dialect="rpart"), ["dialect"]),
        (CARTClassifier(dialect=CARTDialect(samples="rows")), []),
        (CARTClassifier(dialect=CARTDialect(ties="rounding")), ["dialect"]),
        (CARTClassifier(ccp_alpha=0.1), []),
        (CARTClassifier(prune=ComplexityParameter(0.1)), []),
        (CARTClassifier(prune="validation"), []),
        (CARTClassifier(keep_data=False), []),
        (CARTClassifier(keep_data=True, max_features=1, prune="cv"), ["keep_data", "prune"]),
        (CARTClassifier.rpart(), ["missing", "dialect"]),
        (CARTClassifier.sklearn(class_weight="balanced"), []),
        (CARTRegressor(criterion="absolute_error"), ["criterion"]),
        (ID3Classifier(), []),
        (C45Classifier(), []),
        (C45Classifier(prune="pessimistic"), ["prune"]),
        (C45Classifier(prune=Pessimistic(raising=False)), []),
        (C45Classifier.j48(), ["prune"]),
        (C45Classifier.j48(raising=False), []),
    ],
)
def test_which_parameters_need_the_rows(estimator, names):
    assert [name for name, _, _ in needing_rows(estimator)] == names


class Half:
    """Something with some of the methods of a source."""

    def __init__(self, **methods):
        vars(self).update(methods)


@pytest.mark.parametrize(
    "source",
    [
        Half(),
        Half(columns=dict),
        Half(count=dict),
        Half(columns=dict, count=None),
        Half(columns={}, count=dict),
        pd.DataFrame({"count": [1]}),
        None,
    ],
)
def test_what_has_not_both_methods_of_a_source_is_none(source):
    with pytest.raises(TypeError, match=f"^source is a {type(source).__name__}; wanted Arrow"):
        check_source("source", source)
    with pytest.raises(TypeError, match="wanted Arrow"):
        grow_from(source, CARTClassifier())
    check_source("source", Half(columns=dict, count=dict))


@pytest.mark.parametrize("make", [CARTClassifier, CARTClassifier.sklearn])
def test_numbers_are_rounded_as_in_memory(connection, make):
    """Between floats that are one float32, there is no threshold where numbers are rounded."""
    frame = pd.DataFrame({"x": [1.0, 1.0 + 1e-9, 2.0, 2.0 + 1e-9], "y": list("abab")})
    tree = grow_from(in_database(connection, frame, "y"), make()).tree_
    assert tree.single is (make is not CARTClassifier)
    assert tree.to_json() == make().fit(frame[["x"]], frame["y"]).tree_.to_json()


# Rows held out, and small nodes


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prune": "validation"}, "prune is 'validation'; wanted held_out=another source, with rows"),
        ({"held_out": None, "prune": "pre"}, "wanted held_out=another source"),
        ({"held_out": "here"}, "held_out is given, but prune is None, which holds out nothing"),
        (
            {"held_out": "here", "prune": ComplexityParameter(0.1)},
            r"prune is ComplexityParameter\(cp=0.1\), which holds out nothing",
        ),
        ({"rows_in_memory": -1}, "rows_in_memory is -1"),
        ({"rows_in_memory": 2.5}, "rows_in_memory is 2.5"),
        ({"rows_in_memory": 5, "class_weight": "balanced"}, "and class_weight is 'balanced'"),
        ({"rows_in_memory": 5, "max_features": 1}, "and max_features is 1"),
    ],
)
def test_options_that_do_not_go_together(options, message):
    source = in_batches(load_loan().frame, "approved", 4)
    own = {name: options.pop(name) for name in ("held_out", "rows_in_memory") if name in options}
    if own.get("held_out"):
        own["held_out"] = source
    with pytest.raises(ValueError, match=message):
        grow_from(source, CARTClassifier(**options), **own)


def test_small_nodes_need_a_stream_and_a_tree_that_grows_by_score(connection):
    loan = load_loan().frame
    with pytest.raises(ValueError, match="source that streams its rows, and source is a Database"):
        grow_from(in_database(connection, loan, "approved"), CARTClassifier(), rows_in_memory=5)
    with pytest.raises(ValueError, match="for ID3 and CART, and estimator is a C45Classifier"):
        grow_from(in_batches(loan, "approved", 4), C45Classifier(), rows_in_memory=5)
    with pytest.raises(TypeError, match="held_out is a str"):
        grow_from(in_batches(loan, "approved", 4), CARTClassifier(prune="pre"), held_out="rows")


@pytest.mark.long
def test_small_nodes_save_passes():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(3000, 3)), columns=list("abc"))
    y = (((X["a"] > 0.2) ^ (X["b"] > 0)) ^ (rng.random(3000) < 0.2)).astype(int)
    expected = in_memory(SimpleNamespace(X=X, y=y), CARTClassifier())
    every, few = (in_batches(X.assign(y=y), "y", 500) for _ in range(2))
    assert grow_from(every, CARTClassifier()).tree_.to_json() == expected
    assert grow_from(few, CARTClassifier(), rows_in_memory=1000).tree_.to_json() == expected
    assert few.passes < every.passes / 2


def table_in(connection, frame, name):
    frame.to_sql(name, connection, index=False)
    return Database(connection, name, "y")


MODELS = {"CART": CARTClassifier(), "C4.5": C45Classifier(), "J48": C45Classifier.j48()}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("source", ["batches, undeclared", "batches, declared", "database"])
def test_classes_and_categories_that_only_held_out_rows_have(model, source):
    """The classes are listed; a category is if it is declared, or if J48 reads the values of all rows."""
    X, y = pd.DataFrame({"a": list("ppqqpqpqr")}), np.array(list("uuvvuvuvw"))
    X = X.astype("category") if source == "batches, declared" else X
    frame, held = X.assign(y=y), np.arange(9) > 5
    model = clone(model).set_params(prune=ReducedError(np.flatnonzero(held)), min_samples_leaf=1)
    with closing(sqlite3.connect(":memory:")) as connection:
        rows, others = (
            table_in(connection, frame[of], name) if source == "database" else Batches([frame[of]], "y")
            for of, name in ((~held, "rows"), (held, "others"))
        )
        found = grow_from(rows, model, held_out=others).tree_
    wanted = clone(model).fit(X, pd.Series(y, name="y")).tree_
    assert found.to_json() == wanted.to_json()
    assert found.pruned_from.to_json() == wanted.pruned_from.to_json()
    assert found.classes == ("u", "v", "w")
    listed = source == "batches, declared" or model._values_of == "all"
    assert found.features[0].values == tuple("pqr" if listed else "pq")
    assert found.n_leaves == 2 + (listed and isinstance(model, C45Classifier))
    assert found.steps["accuracy"].round(3).tolist() == [0.667] * len(found.steps)


@pytest.mark.parametrize("where", ["batches", "database"])
def test_a_choice_of_alpha_lists_categories_that_only_held_out_rows_have(where):
    """In memory, all rows are read before some are held out; no node has a branch for the category."""
    frame, held = pd.DataFrame({"a": list("rpqqqqp"), "y": [0, 1, 2, 0, 0, 0, 1]}), np.arange(7) % 3 == 0
    model = CARTClassifier(prune=HoldoutValidated(held_out=np.flatnonzero(held), se=0))
    with closing(sqlite3.connect(":memory:")) as connection:
        rows, others = (
            table_in(connection, frame[of], name) if where == "database" else Batches([frame[of]], "y")
            for of, name in ((~held, "rows"), (held, "others"))
        )
        found = grow_from(rows, model, held_out=others)
    wanted = clone(model).fit(frame[["a"]], frame["y"])
    assert found.tree_.to_json() == wanted.tree_.to_json()
    assert found.tree_.features[0].values == ("p", "q", "r")
    assert found.tree_.n_values[0] == 2
    pd.testing.assert_frame_equal(found.cptable_, wanted.cptable_)


@pytest.mark.parametrize("way", [ReducedError, HoldoutValidated])
@pytest.mark.parametrize("texts", [False, True])
def test_a_column_whose_type_only_held_out_rows_show(way, texts):
    """NULL alone has no type in a database: without the rows held out, a number would be read as a name."""
    x = ["u", None, None, "v", None, None, "u"] if texts else [2.0, None, None, 8.0, None, None, 5.0]
    frame = pd.DataFrame({"a": np.arange(7.0), "x": x, "y": [0, 1, 2, 1, 1, 1, 1]})
    held = np.arange(7) % 3 == 0
    model = CARTClassifier(prune=way(np.flatnonzero(held)), missing="majority")
    with closing(sqlite3.connect(":memory:")) as connection:
        rows, others = (
            table_in(connection, frame[of], name) for of, name in ((~held, "rows"), (held, "others"))
        )
        found = grow_from(rows, model, held_out=others).tree_
    assert found.to_json() == clone(model).fit(frame[["a", "x"]], frame["y"]).tree_.to_json()
    assert found.features[1].kind == ("nominal" if texts else "numeric")


def test_settings_for_rows_in_memory_do_not_matter():
    frame = pd.DataFrame({"x": [1, 2, 3, 4, 5, 6], "y": list("uuvvuv")})
    way = HoldoutValidated(held_out=[100, 200], se=0)
    found = grow_from(Batches([frame], "y"), CARTClassifier(prune=way), held_out=Batches([frame], "y"))
    assert found.get_n_leaves() == 4
    assert found.cptable_["xerror"].iloc[-1] == 0
    assert found.get_params()["prune"].held_out == [100, 200]


def test_a_balanced_class_that_only_held_out_rows_have():
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "y": list("uuuv")})
    others = Batches([pd.DataFrame({"x": [1, 4, 4], "y": list("uvw")})], "y")
    model = CARTClassifier(class_weight="balanced", prune="reduced_error")
    tree = grow_from(Batches([frame], "y"), model, held_out=others).tree_
    assert tree.counts[0].round(3).tolist() == [1.333, 1.333, 0]


# What goes wrong on the way


def test_a_failure_says_at_which_level_it_came():
    loan, calls = load_loan().frame, []

    def frames():
        calls.append(1)
        yield loan.head(7)
        if len(calls) == 3:
            raise ConnectionError("the line is dead")
        yield loan.tail(8)

    with pytest.raises(ConnectionError, match="the line is dead") as caught:
        grow_from(Batches(frames, "approved"), ID3Classifier())
    (note,) = caught.value.__notes__
    assert note.startswith("while counting level 1 of the tree, 1 open nodes: the tree was not finished")
    calls.extend([1] * 5)
    assert grow_from(Batches(frames, "approved"), ID3Classifier()).get_n_leaves() == 3
    with pytest.raises(KeyError) as caught:
        grow_from(Batches([loan], "nothing"), ID3Classifier())
    assert caught.value.__notes__[0].startswith("while looking at the columns")


class Bar:
    """Looks like tqdm's, and remembers what was shown."""

    shown: ClassVar[list] = []

    def __init__(self, *, total, desc, **_):
        self.total, self.desc, self.rows = total, desc, 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.shown.append((self.desc.split(",")[0], self.rows, self.total))

    def update(self, rows):
        self.rows += rows


@pytest.fixture
def bars(monkeypatch):
    """Return what bars of progress show."""
    monkeypatch.setitem(sys.modules, "tqdm.auto", SimpleNamespace(tqdm=Bar))
    Bar.shown.clear()
    return Bar.shown


def test_an_interrupt_leaves_everything_as_it_was(bars):
    loan, estimator, calls = load_loan().frame, ID3Classifier(), []

    def frames():
        calls.append(1)
        yield loan.head(7)
        if len(calls) == 2:
            raise KeyboardInterrupt
        yield loan.tail(8)

    source = Batches(frames, "approved")
    with pytest.raises(KeyboardInterrupt):
        grow_from(source, estimator, progress=True)
    assert vars(estimator) == vars(ID3Classifier())
    assert source.bar is None
    assert [rows for _, rows, _ in bars] == [15, 7]
    assert grow_from(source, estimator).tree_.to_json() == in_memory(load_loan(), ID3Classifier())


def test_progress_is_shown(monkeypatch, bars):
    source = in_batches(load_loan().frame, "approved", 4)
    grow_from(source, ID3Classifier(), progress=True)
    assert bars == [
        ("looking at the columns", 15, None),
        ("counting level 0 of the tree", 15, 15),
        ("counting level 1 of the tree", 15, 15),
    ]
    grow_from(source, ID3Classifier())
    assert len(bars) == 3
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError, match="progress=True needs tqdm: pip install"):
        grow_from(source, ID3Classifier(), progress=True)
