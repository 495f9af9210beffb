"""All subtrees of a small tree, for tests: the slow way to find the best."""

from itertools import product


def subtrees(tree, node=0):
    """Yield every subtree below a node with the same root, as its frozenset of leaves."""
    yield frozenset([node])
    if tree.feature[node] >= 0:
        below = range(tree.first_child[node], tree.first_child[node] + tree.children[node])
        for parts in product(*(list(subtrees(tree, child)) for child in below)):
            yield frozenset().union(*parts)


def how_many(tree, node=0):
    """Count them without listing them."""
    if tree.feature[node] < 0:
        return 1
    number = 1
    for child in range(tree.first_child[node], tree.first_child[node] + tree.children[node]):
        number *= how_many(tree, child)
    return number + 1


def inside(tree, leaves):
    """Return the nodes above these leaves."""
    return {above for leaf in leaves for above in tree[leaf].ancestors}


def leaves_of(smaller, tree):
    """Return the leaves of a pruned tree by their numbers in the tree from which it was pruned."""
    pairs, found = [(0, 0)], set()
    while pairs:
        small, large = pairs.pop()
        if smaller.feature[small] < 0:
            found.add(large)
        else:
            assert smaller[small].split == tree[large].split
            pairs += [
                (smaller.first_child[small] + i, tree.first_child[large] + i)
                for i in range(tree.children[large])
            ]
    return frozenset(int(leaf) for leaf in found)
