"""What other rooms do with a tree, as methods of it: they explain, tell, draw and export it.

A tree knows none of these rooms, as they stand above its own. Whoever holds a tree wants to write
``tree.to_sql()`` all the same: so these methods, and nothing else in the library, import from above, each
when it is called. `tests/unit/test_house.py` lists what they may import.

Examples
--------
>>> from dtlib import ID3Classifier
>>> from dtlib.datasets import load_loan
>>> loan = load_loan()
>>> tree = ID3Classifier().fit(loan.X, loan.y).tree_
>>> type(tree).from_json(tree.to_json()) == tree
True
"""

import json
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd

from dtlib.numbers import fault_in, shown
from dtlib.table.parameters import check_choice

if TYPE_CHECKING:
    from dtlib.tree.tree import Tree

WRITTEN = "JSON as to_json() writes it"
DRAWN = 100  # nodes; a notebook shows the first levels of a larger tree


class Conveniences:
    """The methods of a tree that other rooms carry out."""

    @property
    def _tree(self) -> "Tree":
        """The tree itself, which alone has these methods."""
        return cast("Tree", self)

    @cached_property
    def importances(self) -> np.ndarray:
        """Share of each feature in the decrease of impurity, see `dtlib.importance.decrease_importances`."""
        from dtlib.importance.decrease import decrease_importances

        return decrease_importances(self._tree)

    def explain(self, node: int = 0, feature: str | None = None) -> pd.DataFrame:
        """List what could be asked at a node, with its score and why it was or was not chosen.

        Parameters
        ----------
        node : int
            Number of the node.
        feature : str, optional
            List all splits of this feature; default: the best split of each feature.

        Returns
        -------
        DataFrame with one row per candidate
            ``feature``, ``split`` (the question), ``children`` (what each branch holds), ``impurity``
            (weighted mean of the branches), ``gain``, ``split_information`` (bits), ``gain_ratio`` (gain by
            split information; NaN if that is 0), ``chosen``, ``reason``. For C4.5 also ``charge`` (bits;
            the gain is what is left), ``known`` (the share of the weight whose value is known, by which the
            gain is multiplied) and ``average_gain`` of the node's candidates; for CART ``known``, if values
            may be missing.

        Raises
        ------
        ValueError
            If the tree has no training data to count: it was loaded or unpickled, or the data were too large
            to keep. If the tree has no such feature, or it has too many values to list all groups of them.

        Examples
        --------
        >>> from dtlib import ID3Classifier
        >>> from dtlib.datasets import load_loan
        >>> loan = load_loan()
        >>> ID3Classifier().fit(loan.X, loan.y).tree_.explain(0)[["feature", "gain", "chosen"]].round(3)
              feature   gain  chosen
        0         age  0.083   False
        1     has_job  0.324   False
        2  owns_house  0.420    True
        3      credit  0.363   False
        """
        from dtlib.telling.explain import explain

        return explain(self._tree[node], feature)

    def trace(self, candidates: bool = False) -> pd.DataFrame:
        """Return the growth step by step: one row per node, in the order in which they were grown.

        Parameters
        ----------
        candidates : bool, default False
            Return what C4.5 prints when it is told to be verbose, and rpart's ``summary``: a row for all that
            was considered at each node.

        Returns
        -------
        DataFrame indexed by node
            ``path``, ``n`` (training weight), ``counts`` (of the classes; of numbers, ``summary``),
            ``impurity``, ``split``, ``gain``, ``leaf`` (what a leaf predicts) and ``reason``.
            With candidates: ``path``, ``n``, ``role`` ("split", "competitor", "surrogate"; of a leaf all are
            competitors), and the columns of `explain` and `surrogates_of`.

        Raises
        ------
        ValueError
            If candidates are wanted, and the tree has no training data to count.

        Examples
        --------
        >>> from dtlib import C45Classifier
        >>> from dtlib.datasets import load_golf
        >>> golf = load_golf()
        >>> steps = C45Classifier(max_depth=1).fit(golf.X, golf.y).tree_.trace(candidates=True)
        >>> steps.loc[0, ["role", "feature", "gain", "gain_ratio"]].round(3)
                    role      feature   gain  gain_ratio
        node
        0          split      outlook  0.247       0.156
        0     competitor  temperature  0.113       0.305
        0     competitor     humidity  0.152       0.152
        0     competitor        windy  0.048       0.049
        """
        from dtlib.telling import explain, text

        check_choice("candidates", candidates, (True, False))
        return explain.trace_candidates(self._tree) if candidates else text.trace_growth(self._tree)

    def surrogates_of(self, node: int) -> pd.DataFrame:
        """List the surrogates of a node, the best one first.

        Parameters
        ----------
        node : int
            Number of the node.

        Returns
        -------
        DataFrame with one row per surrogate
            ``feature``, ``split`` (its question), ``first`` (what takes the node's first branch),
            ``agreement`` (share of the weight that it sends as the node's own question does), ``adjusted``
            (how much of what is possible that is more than if all went to the larger branch) and ``rows``
            (how many training rows it has sent).

        Raises
        ------
        ValueError
            If the tree was not grown with surrogates.

        Examples
        --------
        >>> from dtlib import CARTClassifier
        >>> from dtlib.datasets import load_watermelon
        >>> melons = load_watermelon("3.0")
        >>> cart = CARTClassifier(missing="surrogate").fit(melons.X, melons.y)
        >>> cart.tree_.surrogates_of(0)[["feature", "first", "agreement", "adjusted"]].head(2).round(3)
          feature                   first  agreement  adjusted
        0   sugar          sugar > 0.2045      1.000     1.000
        1   color  color in {green, dark}      0.706     0.375
        """
        from dtlib.telling.text import surrogates_of

        return surrogates_of(self._tree, self._tree[node].id)

    def rules(self) -> pd.DataFrame:
        """Return the tree as if-then rules, one per leaf, first branch first.

        Each bound is said once: of ``x > 1`` and ``x > 2`` below it, ``x > 2``.

        Returns
        -------
        DataFrame
            ``rule``, ``class`` (for numbers ``value``), ``support`` (training weight that fulfils the rule),
            ``confidence`` (the share of the class, as `predict_proba` gives it, NaN if no row came; for
            numbers ``impurity``). Numbers have as many digits as it takes for the rules, read back, to send
            each training row where the tree does, see `dtlib.tree.digits`.

        Examples
        --------
        >>> from dtlib import ID3Classifier
        >>> from dtlib.datasets import load_loan
        >>> loan = load_loan()
        >>> rules = ID3Classifier().fit(loan.X, loan.y).tree_.rules()
        >>> rules["rule"][0]
        'if owns_house = no and has_job = no then no'
        """
        from dtlib.telling.text import as_rules

        return as_rules(self._tree)

    def __str__(self) -> str:
        from dtlib.telling.text import as_text

        return as_text(self._tree)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        from dtlib import draw

        nodes = np.cumsum(np.bincount(self._tree.depth))  # up to each level
        upto = np.flatnonzero(nodes <= DRAWN)  # a huge picture helps nobody
        return draw.tree(self._tree, depth=int(upto.max(initial=0)))._repr_mimebundle_()

    def to_graphviz(self) -> Any:
        """Return the tree as a ``graphviz.Source``; rendering it needs the program ``dot``."""
        from dtlib import draw

        return draw.to_graphviz(self._tree)

    def to_dict(self) -> dict[str, Any]:
        """Return the tree as plain lists, numbers and strings; `from_dict` is the exact inverse.

        What it does with missing values is written too, its surrogates and its loss; what it was grown from
        is not.
        """
        from dtlib import export

        return export.to_dict(self._tree)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Tree":
        """Build a tree from what `to_dict` returned, also that of an earlier version.

        Raises
        ------
        ValueError
            If the data are of another format, a part of them is missing, or they describe no tree.
        """
        from dtlib import export

        return export.from_dict(cast("type[Tree]", cls), data)

    def to_json(self) -> str:
        """Return the tree as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> "Tree":
        """Build a tree from what `to_json` returned.

        Parameters
        ----------
        text : str
            Or bytes of UTF-8.

        Returns
        -------
        Tree

        Raises
        ------
        TypeError
            If it is no text.
        ValueError
            If it is no JSON, or says no tree, see `from_dict`.
        """
        try:
            data = json.loads(text)
        except RecursionError:
            raise ValueError(f"text is {shown(text)}; wanted {WRITTEN}: it is nested too deeply") from None
        except (TypeError, ValueError) as error:
            raise fault_in("text", text, WRITTEN, error) from None
        return cls.from_dict(data)

    @classmethod
    def from_sklearn(
        cls, model: Any, index: int | None = None, feature_names: Sequence[str] | None = None
    ) -> "Tree":
        """Read a fitted tree of scikit-learn: it answers as there, and can be drawn, told, exported, pruned.

        Parameters
        ----------
        model : DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier or ExtraTreeRegressor
            Fitted; or a random forest, extra trees or bagging, of which `index` says the tree.
        index : int, optional
            Of a forest: which of its trees, from 0. The classes and features have the names of the forest,
            whose trees know them by numbers.
        feature_names : sequence of d str, optional
            Default: the columns of the frame of training; of an array x0, x1, ...

        Returns
        -------
        Tree
            With ``single=True``, as scikit-learn rounds numbers to float32. The nodes are numbered level by
            level. Class shares are those of `predict_proba` to the last bit.

        Raises
        ------
        TypeError
            If the model is no tree and no forest of scikit-learn; of one that holds some, as a pipeline, a
            search, or boosting, it is said where.
        NotFittedError
            If it is not fitted.
        ValueError
            If `index` is none of a forest, the names are not as many as the features, or a node has a weight
            that is not above 0, as with negative sample weights.

        See Also
        --------
        to_sklearn : The way back.

        Notes
        -----
        Missing values go where scikit-learn sends them, to a branch of each question; a tree that refuses
        them there refuses them here. A question with an infinite threshold asks whether the value is known.
        Where two classes have the same share but for rounding, scikit-learn predicts the one that came out
        larger; to predict it here too, its weight is made larger by 2e-12 of itself.

        `impurity` is that of the criterion: "log_loss" is the entropy in bits, "friedman_mse" has the squared
        error. What was counted for growing, the rows, is not kept by scikit-learn: so `explain` refuses.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.ensemble import RandomForestClassifier
        >>> from dtlib import Tree
        >>> iris = load_iris(as_frame=True)
        >>> forest = RandomForestClassifier(5, max_depth=2, random_state=0)
        >>> forest = forest.fit(iris.data, iris.target_names[iris.target])
        >>> Tree.from_sklearn(forest, 2).rules()["rule"][0]
        'if sepal length (cm) ≤ 5.549999952 and petal width (cm) ≤ 0.8000000119 then setosa'
        """
        from dtlib import export

        return export.from_sklearn(cast("type[Tree]", cls), model, index, feature_names)

    def to_sklearn(self, missing: str | None = None, unseen: str | None = None) -> Any:
        """Return the tree as a fitted estimator of scikit-learn, for the tools that want one.

        Parameters
        ----------
        missing : {None, "majority"}
            Where rows go whose value is missing: as the tree has it; or to the branch of the largest weight,
            for trees that ask surrogates, or that sent parts of rows in training, which scikit-learn cannot.
        unseen : {None, "missing"}
            What becomes of a name that the tree does not know: it is refused where the tree answers it
            otherwise than a missing one; or it is taken for a missing one.

        Returns
        -------
        DecisionTreeClassifier, DecisionTreeRegressor or Pipeline
            A pipeline where features are names: what makes numbers of them, and the tree.

        See Also
        --------
        dtlib.export.to_sklearn : With what becomes of names, numbers, missing values and shares.
        from_sklearn : The way back.

        Examples
        --------
        >>> from sklearn.tree import export_text
        >>> from dtlib import CARTRegressor
        >>> from dtlib.datasets import load_regression_points
        >>> points = load_regression_points()
        >>> tree = CARTRegressor(max_depth=1).fit(points.X, points.y).tree_
        >>> print(export_text(tree.to_sklearn(), feature_names=["x"]))
        |--- x <= 5.50
        |   |--- value: [5.06]
        |--- x >  5.50
        |   |--- value: [8.18]
        <BLANKLINE>
        """
        from dtlib import export

        return export.to_sklearn(self._tree, missing, unseen)

    def to_python(self, name: str = "predict", proba: bool = False) -> str:
        """Return the tree as the source text of a function in Python, which needs no import.

        Parameters
        ----------
        name : str
            Of the function, which takes a mapping of feature names to values and returns the prediction,
            that of the estimator also where values are missing.
        proba : bool, default False
            Whether it returns the share of each class instead, a dict.

        Returns
        -------
        str

        See Also
        --------
        dtlib.export.to_python : With what becomes of missing values and unknown names.

        Examples
        --------
        >>> from dtlib import CARTRegressor
        >>> from dtlib.datasets import load_regression_points
        >>> points = load_regression_points()
        >>> print(CARTRegressor(max_depth=1).fit(points.X, points.y).tree_.to_python())
        def predict(sample):
            if sample["x"] <= 5.5:
                return 5.0600000000000005
            if sample["x"] > 5.5:
                return 8.175999999999998
            raise ValueError("x is missing")
        <BLANKLINE>
        """
        from dtlib import export

        return export.to_python(self._tree, name, proba)

    def to_sql(self, table: str | None = None, proba: bool = False) -> str:
        """Return the tree as a ``CASE`` expression of SQL, or as a ``SELECT`` from a table.

        Parameters
        ----------
        table : str, optional
            A table with the features as columns.
        proba : bool, default False
            Whether it has the share of each class instead of the prediction, a column for each.

        Returns
        -------
        str

        See Also
        --------
        dtlib.export.to_sql : With what becomes of NULL and unknown names, and with the limits of SQL.

        Examples
        --------
        >>> from dtlib import CARTRegressor
        >>> from dtlib.datasets import load_regression_points
        >>> points = load_regression_points()
        >>> print(CARTRegressor(max_depth=1).fit(points.X, points.y).tree_.to_sql("points"))
        SELECT "points".*,
        CAST(CASE
          WHEN "points"."x" <= 5.5 THEN 5.0600000000000005E0
          WHEN "points"."x" > 5.5 THEN 8.175999999999998E0
        END AS DOUBLE PRECISION) AS "predicted_y"
        FROM "points"
        """
        from dtlib import export

        return export.to_sql(self._tree, table, proba)
