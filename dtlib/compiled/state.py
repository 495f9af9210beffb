"""The inputs and outputs of compiled growing: named tuples of arrays, which Numba can compile.

Legend: n is a weight as an integer, in the target's unit; d is the number of features, K that of classes.

Examples
--------
>>> Bounds._fields[:3]
('max_depth', 'min_split', 'min_split_rows')
"""

from typing import NamedTuple

import numpy as np

BINARY, SQUARES, PAIRS, ENTROPY, ERROR, CHANNELS, MEDIANS, RATES = range(8)  # how a cut is scored

# An entry of a line, a whole number of 64 bits (see `dtlib.compiled.scans`).
ROW = 0x3FFFFFFF  # the bits of an entry for the row
OF_SECOND = 30  # the position of the bit of the second of two classes
TAG = 0x7FFFFFFF  # the bits of row and class
NEAR = 0x80000000  # the bit set if the next value is too close for a cut between the two
CODE = 32  # the code of the value is shifted by this many bits: entries sort by value


class Ranks(NamedTuple):
    """A doubly linked list of ranks, from 1 on; the entries before the first and after the last are empty."""

    weight: np.ndarray
    sums: np.ndarray  # weight times distance, whole
    before: np.ndarray  # the rank before it that is still there
    after: np.ndarray
    y: np.ndarray  # its distance from the center of the node, in the unit of the sums
    left: np.ndarray  # for each number of rows on the left of a cut: their absolute error


class CriterionState(NamedTuple):
    """The targets, and how cuts are scored.

    A single output of classes uses `label`; several outputs, or regression, use `channels` of integers.
    """

    kind: int
    is_class: bool
    label: np.ndarray  # uint16, (rows,): the class of each
    weight: np.ndarray  # int64, (rows,), or empty if each counts 1
    share: np.ndarray  # float64, the sample weight of each row
    unit: float  # the sample weight that an integer weight of 1 stands for
    channels: np.ndarray  # int64, (channels, rows)
    ends: np.ndarray  # where the channels of each output end
    y: np.ndarray  # float64, (outputs, rows): regression targets
    centered: np.ndarray  # float64, for medians: distances from the center of the node
    n_classes: int  # if `label` is used, else 0
    table: np.ndarray  # n log2 n, for entropy
    has_rest: bool  # whether each output has a class without a channel, with the rest of the weight
    scale: float  # factor of the squares
    unit_of_sums: float  # of rates: the count that an integer of a channel stands for


class Table(NamedTuple):
    """The features: those of two values as columns, the others as lines of rows in the order of values.

    The last line has the rows in an order that depends on their content alone, in regression by target.
    """

    lines: np.ndarray  # int64, (lines, rows that count)
    place: np.ndarray  # of each feature: its line; or, below 0, -1 minus its column of `twos`
    twos: np.ndarray  # uint8, (rows, features of two values): the codes
    flat: np.ndarray  # float32: the values of features of which some are too close for a cut
    first: np.ndarray  # where the values of each feature begin in `flat`
    missing: np.ndarray  # of each feature: the code of missing values, the largest code; -1 if there are none
    incomplete: np.ndarray  # the features with missing values


class Bounds(NamedTuple):
    """The limits within which a node is split."""

    max_depth: int  # -1: no limit
    min_split: float
    min_split_rows: int
    min_leaf: float  # in the unit of the integer weights
    min_leaf_rows: int  # at least 1
    has_least: bool  # whether a branch must have more than one row
    min_impurity: float
    min_gain: float
    min_decrease: float  # times the weight of the root
    zero_gain: bool
    max_features: int
    key: np.uint64  # random key of the root
    gap: np.float32
    missing_to_majority: bool  # whether missing values go to the larger branch; else they end at the node


class NodeAt(NamedTuple):
    """A node that is searched, in numbers alone."""

    start: int  # where its rows begin
    end: int  # and end
    n: int  # their weight, in the unit of the sums
    slack: float  # how far apart equal scores may be
    key: np.uint64  # of its random numbers


class Work(NamedTuple):
    """Memory for one node at a time."""

    expected: np.ndarray  # for each number of rows on the left: their expected sum
    factor: np.ndarray  # and the factor of the squared distance from it; shares its memory with `spare`
    left: np.ndarray  # sums on the left of a cut
    right: np.ndarray
    random_keys: np.ndarray  # of each feature
    order: np.ndarray  # in which the features are scanned
    one: np.ndarray  # the index of a feature that is scanned alone
    best: np.ndarray  # the best score of each feature
    where: np.ndarray  # the number of rows left of its cut
    near_tie: np.ndarray  # whether an earlier cut may be as good
    side: np.ndarray  # of each row: whether it goes left
    spare: np.ndarray
    ones: np.ndarray  # (sums, features of two values): over the rows with the second value
    of_twos: np.ndarray  # (3, features of two values): number of these rows, sums of squares on both sides
    known: np.ndarray  # sums over the rows whose value of a feature is known
    two_best: np.ndarray  # the score of each feature of two values
    two_where: np.ndarray  # and the number of rows left of its cut
    rank: np.ndarray  # of each row in its node, for medians
    ranks: Ranks


class Waiting(NamedTuple):
    """Two stacks in one array: nodes to be searched grow from the front, branches put aside from the end."""

    where: np.ndarray  # int64, (nodes, 4): where their rows begin and end, their depth, their index
    key: np.ndarray  # uint64: their random keys
    slack: np.ndarray  # how far apart equal scores may be
    active: np.ndarray  # bool, (nodes, d): the features that may still split


class Grown(NamedTuple):
    """The nodes, in the order in which they are made."""

    feature: np.ndarray
    low: np.ndarray  # the entries below and above the cut; for a feature of two values, only their codes
    high: np.ndarray
    child: np.ndarray  # (nodes, 2), -1 at a leaf
    rows: np.ndarray
    n: np.ndarray  # integer weight
    sums: np.ndarray  # of each class, or channel
    mean: np.ndarray  # of each regression target
    impurity: np.ndarray  # of the regression targets
    score: np.ndarray  # of the split, in a unit of each node's own
    unit: np.ndarray
    stop: np.ndarray  # why the node is a leaf, as in `dtlib.tree.reasons`
