"""By which measure the tree of a picture was grown, as far as the cells of its page say so."""

from __future__ import annotations

import ast

LEARNERS = {"ID3Classifier": "gain", "C45Classifier": "ratio", "CARTClassifier": "decrease"}
OTHERS = {"gain": "gain", "gain_ratio": "ratio", "gini": "decrease", "entropy": "gain", "log_loss": "gain"}
NAMES = {"ID3Classifier": "ID3", "C45Classifier": "C4.5", "CARTClassifier": "CART"}


def grown_by(sources: list[str]) -> tuple[str, str] | None:
    """Return the algorithm that grew the tree which the last of some cells draws, and what it compares.

    The name that is drawn is followed back through its assignments. Where that leads to no learner, or to
    more than one, nothing is said.

    >>> grown_by(["cart = CARTClassifier().fit(X, y)", "T1 = best_subtree(cart.tree_, 2)", "marked(T1)"])
    ('CART', 'decrease')
    >>> grown_by(["tree = C45Classifier(criterion='gain').fit(X, y).tree_", "draw.tree(tree, depth=1)"])
    ('C4.5', 'gain')
    >>> grown_by(["draw.tree(tree)"])
    """
    statements = [statement for source in sources for statement in parsed(source)]
    if not statements or not isinstance(statements[-1], ast.Expr):
        return None
    shown = statements[-1].value
    if isinstance(shown, ast.Call) and shown.args:
        shown = shown.args[0]
    calls = list(reached(shown, statements[:-1]))
    learners = {name_of(call) for call in calls}
    if len(learners) != 1:
        return None
    criteria = {word.value for call in calls for word in call.keywords if word.arg == "criterion"}
    [learner] = learners
    if not criteria:
        return NAMES[learner], LEARNERS[learner]
    said = [getattr(value, "value", None) for value in criteria]
    return (NAMES[learner], OTHERS[said[0]]) if len(said) == 1 and said[0] in OTHERS else None


def parsed(source: str) -> list[ast.stmt]:
    """Return the statements of a cell; none of one that is not plain Python."""
    try:
        return ast.parse(source).body
    except SyntaxError:
        return []


def reached(expression: ast.expr, before: list[ast.stmt]) -> list[ast.Call]:
    """Return the calls of learners that an expression leads back to."""
    calls = [node for node in ast.walk(expression) if isinstance(node, ast.Call) and name_of(node)]
    for name in {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}:
        given = [(i, s.value) for i, s in enumerate(before) if isinstance(s, ast.Assign) and assigns(s, name)]
        if given:
            place, value = given[-1]
            calls += reached(value, before[:place])
    return calls


def assigns(statement: ast.Assign, name: str) -> bool:
    """Tell whether a statement gives a name its value."""
    nodes = (node for target in statement.targets for node in ast.walk(target))
    return any(isinstance(node, ast.Name) and node.id == name for node in nodes)


def name_of(call: ast.Call) -> str:
    """Return the learner of a call such as ``CARTClassifier()`` or ``CARTClassifier.rpart()``, or nothing."""
    made = call.func.value if isinstance(call.func, ast.Attribute) else call.func
    return made.id if isinstance(made, ast.Name) and made.id in LEARNERS else ""
