"""What a compiled tree grows from and into: tuples of arrays, which Numba knows.

Legend: n is a weight in its own unit, whole; d is the number of features, K that of classes.

Examples
--------
>>> Bounds._fields[:3]
('max_depth', 'min_split', 'min_split_rows')
"""

from typing import NamedTuple

import numpy as np

from dtlib.compiled.medians import Ranks

BINARY, SQUARES, PAIRS, ENTROPY, ERROR, CHANNELS, MEDIANS = range(7)  # how a cut is scored


class CriterionState(NamedTuple):
    """What is to be predicted, and how cuts are scored.

    Of one output of classes, `label` counts; of several, or numbers, `channels`: sums of whole numbers.
    """

    kind: int
    is_class: bool
    label: np.ndarray  # uint16, (rows,): the class of each
    weight: np.ndarray  # int64, (rows,), or empty if each counts 1
    share: np.ndarray  # float64, the same in the unit of a weight
    unit: float  # of a weight
    channels: np.ndarray  # int64, (channels, rows)
    ends: np.ndarray  # of each output among the channels
    y: np.ndarray  # float64, (outputs, rows): numbers
    centered: np.ndarray  # float64, for medians: their distances from the center of their node
    n_classes: int  # if `label` counts, else 0
    table: np.ndarray  # n log2 n, for entropy
    has_rest: bool  # whether a class has what the channels of its output leave
    scale: float  # what a square counts


class Table(NamedTuple):
    """The features: those of two values as they are, of the others the rows in the order of their values.

    The last line has the rows in an order of their own, that of the numbers to be predicted.
    """

    lines: np.ndarray  # int64, (lines, rows that count)
    place: np.ndarray  # of each feature: its line; or -1 less its column of `twos`
    twos: np.ndarray  # uint8, (rows, features of two values): the codes
    flat: np.ndarray  # float32: the values of features some of which are too close to be parted
    first: np.ndarray  # where those of each feature begin
    missing: np.ndarray  # of each feature: the code of rows that miss it, the largest; -1 if there are none
    torn: np.ndarray  # the features that have such rows


class Bounds(NamedTuple):
    """When a node is split."""

    max_depth: int  # -1: no limit
    min_split: float
    min_split_rows: int
    min_leaf: float  # in the unit of the sums
    min_leaf_rows: int  # at least 1
    has_least: bool  # whether a branch must have more than a row
    min_impurity: float
    min_gain: float
    min_decrease: float  # times the weight of the root
    zero_gain: bool
    max_features: int
    key: np.uint64  # of the root's random numbers
    gap: np.float32
    missing_to_majority: bool  # whether rows that miss what is asked go to the larger branch, not nowhere


class NodeAt(NamedTuple):
    """A node that is searched, in numbers alone."""

    start: int  # where its rows begin
    end: int  # and end
    n: int  # their weight, in the unit of the sums
    slack: float  # how far apart equal scores may be
    key: np.uint64  # of its random numbers


class Work(NamedTuple):
    """Room for what is known of one node at a time."""

    expected: np.ndarray  # for each number of rows on the left: what they would have as their share
    factor: np.ndarray  # and what the square of a distance from it counts; the memory is that of `spare`
    left: np.ndarray  # sums on the left of a cut
    right: np.ndarray
    random_keys: np.ndarray  # of each feature
    order: np.ndarray  # in which the features are looked at
    one: np.ndarray  # a feature that is looked at alone
    best: np.ndarray  # the score of each feature
    where: np.ndarray  # after how many rows it is cut
    near_tie: np.ndarray  # whether an earlier cut is as good
    side: np.ndarray  # of each row: whether it goes left
    spare: np.ndarray
    ones: np.ndarray  # (sums, features of two values): over the rows with the second one
    of_twos: np.ndarray  # (3, features of two values): how many these are, and sums of squares on both sides
    known: np.ndarray  # sums over the rows that know a feature
    two_best: np.ndarray  # the score of each of these features
    two_where: np.ndarray  # and after how many rows it is cut
    rank: np.ndarray  # of each row in its node, for medians
    ranks: Ranks


class Waiting(NamedTuple):
    """Nodes that wait to be searched, the one that comes next last; from the end, those put aside."""

    where: np.ndarray  # int64, (nodes, 4): where their rows begin and end, their depth, their place
    key: np.ndarray  # uint64: of their random numbers
    slack: np.ndarray  # how far apart equal scores may be
    active: np.ndarray  # bool, (nodes, d): the features that may still be asked


class Grown(NamedTuple):
    """The nodes, in the order in which they come up."""

    feature: np.ndarray
    low: np.ndarray  # the entries below and above the cut; of a feature of two values, their codes alone
    high: np.ndarray
    child: np.ndarray  # (nodes, 2), -1 at a leaf
    rows: np.ndarray
    n: np.ndarray  # whole
    sums: np.ndarray  # of each class, or channel
    mean: np.ndarray  # of each number to be predicted
    impurity: np.ndarray  # of these
    score: np.ndarray  # of the split, in a unit that is another at each node
    unit: np.ndarray
    stop: np.ndarray  # why it is a leaf, as in `dtlib.tree.reasons`
