"""Methods of a tree that other packages carry out: explaining, printing, drawing and exporting it.

The package `dtlib.tree` imports none of these packages, as they are built on it. So that users can write
``tree.to_sql()``, these methods import from them when they are called, which no other code of the library may
do. `tests/unit/test_house.py` lists what they may import.

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
    """The methods of a tree that other packages carry out."""

    @property
    def _tree(self) -> "Tree":
        """The tree itself, for the type checker."""
        return cast("Tree", self)

    @cached_property
    def importances(self) -> np.ndarray:
        """Share of each feature in the decrease of impurity, see `dtlib.importance.decrease_importances`."""
        from dtlib.importance.decrease import decrease_importances

        return decrease_importances(self._tree)

    def explain(self, node: int = 0, feature: str | None = None) -> pd.DataFrame:
        """List the candidate splits of a node, with their scores and why each was or was not chosen.

        Parameters
        ----------
        node : int
            Index of the node.
        feature : str, optional
            List all splits of this feature; default: the best split of each feature.

        Returns
        -------
        DataFrame with one row per candidate
            ``feature``, ``split`` (its test), ``children`` (the summary of each branch), ``impurity``
            (weighted mean over the branches), ``gain``, ``split_information`` (bits), ``gain_ratio`` (gain
            divided by split information; NaN if that is 0), ``chosen``, ``reason``. For C4.5 also ``charge``
            (the MDL correction in bits, already subtracted from the gain), ``known`` (the share of the weight
            whose value is known, by which the gain is multiplied) and ``average_gain`` of the node's
            candidates; for CART ``known``, if values may be missing.

        Raises
        ------
        ValueError
            If the tree has no training data: it was loaded or unpickled, or the data were too large to keep.
            If the tree has no such feature, or the feature has too many categories to list all their groups.

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
        """List how the tree was grown: one row per node, in the order in which the nodes were grown.

        Parameters
        ----------
        candidates : bool, default False
            List every candidate of each node, as C4.5 does with its verbose option, and rpart's ``summary``.

        Returns
        -------
        DataFrame indexed by node
            ``path``, ``n`` (training weight), ``counts`` (of the classes; for regression, ``summary``),
            ``impurity``, ``split``, ``gain``, ``leaf`` (the prediction of a leaf) and ``reason``. With
            candidates: ``path``, ``n``, ``role`` ("split", "competitor", "surrogate"; at a leaf, all are
            competitors), and the columns of `explain` and `surrogates_of`.

        Raises
        ------
        ValueError
            If `candidates` is True and the tree has no training data.

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
        """List the surrogate splits of a node, the best one first.

        Parameters
        ----------
        node : int
            Index of the node.

        Returns
        -------
        DataFrame with one row per surrogate
            ``feature``, ``split`` (its test), ``first`` (the condition that leads to the node's first
            branch), ``agreement`` (share of the weight that it sends as the node's own split does),
            ``adjusted`` (the agreement above that of sending all rows to the larger branch, as a share of the
            most that is possible) and ``rows`` (the number of training rows that it has sent).

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

        Conditions on the same feature are merged: ``x > 1`` and ``x > 2`` below it become ``x > 2``.

        Returns
        -------
        DataFrame
            ``rule``, ``class`` (for regression ``value``), ``support`` (training weight that fulfils the
            rule), ``confidence`` (the share of the class as in `predict_proba`, NaN at a leaf without
            training rows; for regression ``impurity``). Thresholds have as many digits as are needed for the
            rules to send each training row where the tree does, see `dtlib.tree.digits`.

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

        The handling of missing values, the surrogates and the loss are included; the training data are not.
        """
        from dtlib import export

        return export.to_dict(self._tree)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Tree":
        """Build a tree from the result of `to_dict`.

        Raises
        ------
        ValueError
            If the data have another format, lack an entry, or describe no tree.
        """
        from dtlib import export

        return export.from_dict(cast("type[Tree]", cls), data)

    def to_json(self) -> str:
        """Return the tree as JSON text."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> "Tree":
        """Build a tree from the result of `to_json`.

        Parameters
        ----------
        text : str
            JSON text, or its UTF-8 bytes.

        Returns
        -------
        Tree

        Raises
        ------
        TypeError
            If it is neither text nor bytes.
        ValueError
            If it is not JSON, or describes no tree, see `from_dict`.
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
        """Read a fitted tree of scikit-learn, with the same predictions, to draw, print, export or prune it.

        Parameters
        ----------
        model : DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier or ExtraTreeRegressor
            Fitted; or a fitted random forest, extra trees or bagging model, with `index`.
        index : int, optional
            Index of the tree in a forest, from 0. The names of classes and features are those of the forest.
        feature_names : sequence of d str, optional
            Default: the columns of the training frame; for an array x0, x1, ...

        Returns
        -------
        Tree
            With ``single=True``, as scikit-learn rounds features to float32. Nodes are indexed level by
            level. Class shares are those of `predict_proba` to the last bit.

        Raises
        ------
        TypeError
            If the model is neither a tree nor a forest of scikit-learn; for a model that contains some, such
            as a pipeline, a search, or boosting, the error says where they are.
        NotFittedError
            If it is not fitted.
        ValueError
            If the forest has no tree `index`, the number of names is not that of the features, or a node has
            a weight that is not above 0, as with negative sample weights.

        See Also
        --------
        to_sklearn : The inverse.

        Notes
        -----
        Missing values take the branch to which scikit-learn sends them; a tree that refuses them in
        scikit-learn refuses them here. A split with an infinite threshold tests whether the value is known.
        If two classes have the same share but for rounding, scikit-learn predicts the one whose float is
        larger; so that it is predicted here too, its weight is multiplied by 1 + 2e-12.

        `impurity` is that of the criterion: "log_loss" is the entropy in bits, "friedman_mse" has the squared
        error. scikit-learn does not keep the training rows, so `explain` raises an error.

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
        """Return the tree as a fitted estimator of scikit-learn, for tools that need one.

        Parameters
        ----------
        missing : {None, "majority"}
            Where rows go whose value is missing: None as in the tree; "majority" to the branch with the
            largest weight, for trees with surrogate splits or fractional instances, which scikit-learn does
            not have.
        unseen : {None, "missing"}
            How unseen categories are treated: with None they are refused, if the tree routes them in another
            way than missing values; with "missing" they are missing values.

        Returns
        -------
        DecisionTreeClassifier, DecisionTreeRegressor or Pipeline
            A pipeline of an encoder and the tree, if there are categorical features.

        See Also
        --------
        dtlib.export.to_sklearn : Details on categories, rounding, missing values and class shares.
        from_sklearn : The inverse.

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
            Name of the function. It takes a mapping of feature names to values and returns the prediction of
            the estimator, also if values are missing.
        proba : bool, default False
            Whether the function returns a dict with the share of each class instead.

        Returns
        -------
        str

        See Also
        --------
        dtlib.export.to_python : Details on missing values and unseen categories.

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
            Whether the result is the share of each class, a column for each, instead of the prediction.

        Returns
        -------
        str

        See Also
        --------
        dtlib.export.to_sql : Details on NULL and unseen categories, and the limits of SQL.

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
