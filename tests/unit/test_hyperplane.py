"""The search for hyperplanes, step by step: what a move, a climb and a jump do, and what is rounded."""

from dataclasses import fields

import numpy as np
import pytest

from dtlib import ObliqueTreeClassifier
from dtlib.oblique import hyperplane
from dtlib.oblique.hyperplane import (
    RANDOM,
    Climbers,
    Plane,
    Search,
    axis_parallel,
    best_cuts,
    best_moves,
    best_plane,
    in_between,
    in_own_units,
    oriented,
    placed,
    short_threshold,
    simpler,
    started,
)
from tests.unit.test_oblique import node_of

LINE = np.arange(6.0)[:, None]


class Dice:
    """A random generator that throws what it is told, and notes what was asked."""

    def __init__(self, share=0.5, normal=0.0):
        self.share, self.normal, self.asked = share, normal, []

    def random(self, size):
        return np.full(size, self.share)

    def integers(self, low, high, size):
        self.asked.append((low, high, size))
        return np.full(size, len(self.asked) % high)

    def standard_normal(self, shape):
        return np.full(shape, self.normal)


def test_scores_of_sides_that_weigh_enough():
    """Six rows, three of each class; a side of weight 2 is enough, nothing and all are no sides."""
    for least, possible in ((0, [1, 2, 3, 4, 5]), (2, [2, 3, 4]), (3, [3]), (4, [])):
        points = node_of(LINE, [0, 0, 0, 1, 1, 1], least=least)
        side = np.stack([np.minimum(np.arange(7), 3), np.maximum(np.arange(7) - 3, 0)]).astype(float)
        assert np.flatnonzero(np.isfinite(points.scores(side))).tolist() == possible
        assert points.scores(side)[3] == (points.perfect if least < 4 else -np.inf)
    assert points.totals.n == 6
    assert points.totals.channels == [3]
    assert points.totals.rows == 6


def test_of_equal_cuts_the_lowest_and_of_equal_features_the_first():
    y = [0, 1, 1, 1, 1, 0]  # cutting off either end is as good
    points = node_of(LINE, y)
    cut = best_cuts(points, np.stack([LINE[:, 0], -LINE[:, 0], np.zeros(6)]))
    assert cut.low.tolist()[:2] == [0, -5]
    assert cut.high.tolist()[:2] == [1, -4]
    assert cut.score[0] == cut.score[1] > 0
    assert cut.score[2] == -np.inf  # equal numbers are not parted
    alike, none = LINE[:, 0], np.zeros(6)
    for columns, f in (([alike, alike], 0), ([none, alike], 1), ([alike % 5, none, alike], 2)):
        plane = axis_parallel(
            node_of(np.stack(columns, axis=1), [0, 1, 1, 1, 1, 0] if f < 2 else [0] + [1] * 5)
        )
        assert plane.normal.tolist() == [float(k == f) for k in range(len(columns))]
        assert plane.threshold == 0.5
    assert axis_parallel(node_of(np.zeros((6, 2)), y)) is None
    assert axis_parallel(node_of(LINE, y, least=4)) is None


def test_a_move_ends_halfway_between_two_places_where_points_change_sides_or_one_beyond_the_last():
    points = node_of(LINE, [0, 0, 1, 1, 1, 1])
    move, score = best_moves(points, LINE.T - 0.25, np.ones((1, 6)))
    assert move[0] == -1.25  # from x > 0.25 to x > 1.5
    assert score[0] == points.perfect
    ends = node_of([[0.0], [4.0]], [0, 1])
    move, _ = best_moves(ends, np.array([[-1.0, -1.0]]), np.array([[0.0, 1.0]]))
    assert move[0] == 2  # the one point that can change sides does at 1; one beyond that
    move, _ = best_moves(ends, np.array([[-1.0, 3.0]]), np.array([[0.0, 1.0]]))
    assert move[0] == -2  # parted already: one below the place where it would no longer be
    move, score = best_moves(ends, np.array([[1.0, 1.0]]), np.zeros((1, 2)))
    assert (move[0], score[0]) == (0, -np.inf)  # nothing moves


def climbers(y, w, dice, x=LINE):
    """Return hyperplanes of one feature, from -1 to 1, and a constant."""
    points = node_of(x, y)
    z = np.column_stack([2 * x / x.max(axis=0) - 1, np.ones(len(x))])
    return Climbers(points, z, np.asarray(w, float), dice)


def test_a_move_that_gains_is_taken():
    found = climbers([0, 0, 1, 1, 0, 0], [[1.0, 0.0], [1.0, 0.9]], Dice(1.0))
    found.chance[:] = 0.3
    assert found.perturb(np.array([0]), np.array([1])).tolist() == [True]
    assert (found.z @ found.w[0] > 0).sum() in (2, 4)
    assert found.score[0] == pytest.approx(found.points.scores(np.array([[2.0], [2.0]]))[0])
    assert np.abs(found.w[0]).max() == 1  # the largest coefficient is 1 again
    assert found.chance.tolist() == [1, 0.3]
    assert found.w[1].tolist() == [1.0, 0.9]  # the other one stands still


def test_a_move_that_gains_nothing_is_made_by_a_chance_that_falls():
    """Either end may be cut off: from the lower cut the first of equal moves leads to the upper one."""
    found = climbers([0, 1, 1, 1, 1, 0], [[1.0, 0.8]], Dice(0.75))
    start = found.score[0]
    for k, moved in enumerate((True, True, True, False, False), 1):
        found.w[0] = 1.0, 0.8
        assert found.perturb(np.array([0]), np.array([1])).tolist() == [False]
        assert found.score[0] == start
        assert (found.z @ found.w[0] > 0).sum() == (1 if moved else 5)
        assert found.chance[0] == pytest.approx(1 - 0.1 * k)
    found.climb(np.array([0]), "sequential")
    assert found.chance[0] < 1  # from 1 on again, as it climbs anew
    assert found.chance[0] > 0.7


def test_a_jump_that_gains_nothing_is_not_made():
    found = climbers([0, 1, 1, 1, 1, 0], [[1.0, -0.8]], Dice(0.0, normal=0.5))
    assert found.jump(np.array([0])).tolist() == [False]
    assert found.w[0].tolist() == [1.0, -0.8]
    better = climbers([0, 0, 1, 1, 1, 1], [[1.0, -0.8]], Dice(0.0, normal=0.5))
    assert better.jump(np.array([0])).tolist() == [True]
    assert better.score[0] == pytest.approx(better.points.perfect)


def test_coefficients_drawn_at_random_are_fifty_of_all(monkeypatch):
    dice = Dice()
    found = climbers([0, 1, 0, 1, 1, 0], [[1.0, -0.8], [1.0, 0.1]], dice)
    found.climb(np.arange(2), "random")
    assert dice.asked == [(0, 2, 2)] * 50
    assert RANDOM == 50
    done = []
    monkeypatch.setattr(Climbers, "perturb", lambda self, at, feature: done.append((at[0], feature[0])))
    found.climb(np.array([1]), "random")
    assert done == [(1, k % 2) for k in range(51, 101)]


@pytest.mark.parametrize("gains", [(), (0,), (2,), (0, 1, 4)])
@pytest.mark.parametrize("jumps", [0, 1, 3])
def test_jumps_end_when_so_many_in_a_row_have_gained_nothing(gains, jumps, monkeypatch):
    found, done = climbers([0, 1, 0, 1, 1, 0], [[1.0, -0.8]], Dice()), []
    monkeypatch.setattr(Climbers, "climb", lambda self, at, order: done.append(order))

    def jump(self, at):
        tried = sum(what == "jump" for what in done)
        done.append("jump")
        return np.array([tried in gains])

    monkeypatch.setattr(Climbers, "jump", jump)
    found.search("best", jumps)
    wanted, failed, k = ["best"], 0, 0
    while failed < jumps:
        wanted += ["jump", "best"] if k in gains else ["jump"]
        failed, k = (0 if k in gains else failed + 1), k + 1
    assert done == wanted


def test_hyperplanes_start_from_the_split_of_one_feature_and_anywhere(monkeypatch):
    x = np.column_stack([np.full(6, 7.0), [4.0, 4, 4, 4, 5, 5], [10.0, 11, 12, 13, 14, 20]])
    points = node_of(x, [0, 0, 0, 1, 1, 1])
    axis, low, span = axis_parallel(points), x.min(0), x.max(0) - x.min(0)
    assert axis.normal.tolist() == [0, 0, 1]
    varies = np.array([1, 2])
    given = varies, low, span[varies], Search(restarts=4)
    (w,) = started(axis, *given, np.random.default_rng(0), 6)
    z = np.column_stack([2 * (x[:, varies] - low[varies]) / span[varies] - 1, np.ones(6)])
    assert w.shape == (5, 3)
    assert (z @ w[0] > 0).tolist() == (x[:, 2] > axis.threshold).tolist()
    assert z @ w[0] == pytest.approx(2 * (x[:, 2] - axis.threshold) / span[2])
    (free,) = started(None, *given, np.random.default_rng(0), 6)
    assert free[1:].tolist() == w[1:].tolist()
    assert free.tolist() == np.random.default_rng(0).standard_normal((5, 3)).tolist()
    monkeypatch.setattr(hyperplane, "CELLS", 13)
    assert [len(part) for part in started(axis, *given, np.random.default_rng(0), 6)] == [2, 2, 1]
    assert [len(part) for part in started(axis, *given, np.random.default_rng(0), 14)] == [1] * 5


@pytest.mark.parametrize(
    ("rows", "threshold"),
    [
        ([0, 2], 1.0),
        ([1, 2], 1.5),
        ([6, 22], 10.0),  # 14 rounded, at the very end of the middle half
        ([8, 24], 20.0),
        ([6.5, 21.5], 14.0),
        ([8.5, 23.5], 16.0),
        ([-22, -6], -10.0),
        ([0.1, 0.2], 0.15),
        ([1000, 1001], 1000.5),
        ([1, 1 + 2**-52], 1.0),
    ],
)
def test_a_threshold_has_as_few_digits_as_the_middle_half_of_the_gap_allows(rows, threshold):
    points = node_of(np.array(rows)[:, None], [0, 1])
    plane = placed(points, np.ones(1), np.ones(1))
    assert plane.threshold == pytest.approx((rows[0] + rows[1]) / 2)
    assert short_threshold(points, plane) == threshold


def test_the_largest_coefficient_is_one():
    for normal, wanted in (
        ([2, -2], [1, -1]),
        ([-2, 2], [1, -1]),
        ([0, 0], [0, 0]),
        ([0.5, -4], [-0.125, 1]),
    ):
        assert oriented(np.array(normal, float)).tolist() == wanted


def test_the_room_of_a_question_is_that_between_the_sides_when_features_have_the_range_one():
    x = np.array([[0.0, 0.0], [3.0, 10.0], [10.0, 100.0]])
    plane = placed(node_of(x, [0, 0, 1]), np.array([1.0, 0.0]), np.array([10.0, 100.0]))
    assert (plane.threshold, plane.room) == (6.5, pytest.approx(0.7))
    plane = placed(node_of(x, [0, 0, 1]), np.array([1.0, 0.2]), np.array([10.0, 100.0]))
    assert plane.room == pytest.approx((30 - 5) / 20)
    assert placed(node_of(x, [0, 0, 1], least=2), np.array([1.0, 0.0]), np.ones(2)) is None


def test_a_simpler_question_scores_no_less_and_leaves_the_room():
    x = np.array([[0.0, 0.0], [1.0, 4.0], [2.0, 0.0], [3.0, 4.0]])
    points, span = node_of(x, [0, 0, 1, 1]), np.array([3.0, 4.0])
    best = placed(points, np.array([1.0, 0.01]), span)
    alone = simpler(points, best, np.array([2.0, 0.0]), span, 0.0)
    assert alone.normal.tolist() == [1.0, 0.0]
    assert alone.room == pytest.approx(1 / 3)
    assert simpler(points, best, np.array([1.0, 0.0]), span, alone.room).normal.tolist() == [1.0, 0.0]
    assert simpler(points, best, np.array([1.0, 0.0]), span, alone.room * 1.01) is best
    assert simpler(points, best, np.array([0.0, 1.0]), span, 0.0) is best  # scores less
    assert simpler(points, best, np.zeros(2), span, 0.0) is best
    assert simpler(points, best, best.normal.copy(), span, 0.0) is best


def test_coefficients_are_rounded_to_as_few_digits_as_part_the_rows_as_well():
    x = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [0.0, 0.4], [1.0, 1.4], [2.0, 2.4]])
    points, span = node_of(x, [0, 0, 0, 1, 1, 1]), np.array([2.0, 2.4])
    w = np.array([-1.03, 1.0]) * span  # of features from -1 to 1
    long, short = (in_own_units(points, w, span, simplify) for simplify in (False, True))
    assert long.normal.tolist() == pytest.approx([1.0, -1 / 1.03])
    assert long.score == short.score == points.perfect
    assert short.normal.tolist() == [1.0, -1.0]
    assert short.threshold == -0.2
    assert short.room >= long.room / 2


def test_the_question_about_one_feature_stays_unless_another_scores_more():
    x = np.column_stack([[0.0, 1, 2, 3], [5.0, 5, 6, 5]])
    plane = best_plane(node_of(x, [0, 0, 1, 1]), Search(), np.random.default_rng(0))
    assert (plane.normal.tolist(), plane.threshold) == ([1, 0], 1.5)
    same = np.column_stack([[0.0, 1, 2, 3], [9.0] * 4])  # only one feature varies
    plane = best_plane(node_of(same, [0, 1, 0, 1]), Search(), Dice())
    assert plane.normal.tolist() == [1, 0]
    assert best_plane(node_of(x, [0, 0, 1, 1], least=3), Search(restarts=2), np.random.default_rng(0)) is None


def test_a_plane_of_features_that_vary_has_its_coefficients_in_their_places():
    x = np.column_stack([[7.0] * 4, [0.0, 0, 1, 1], [3.0] * 4, [0.0, 1, 0, 1]])
    plane = best_plane(node_of(x, [0, 1, 1, 0]), Search(), np.random.default_rng(0))
    assert isinstance(plane, Plane)
    assert (plane.normal != 0).tolist() == [False, True, False, True]
    side = x @ plane.normal > plane.threshold
    assert sorted([side.sum(), 4 - side.sum()]) == [1, 3]  # of four rows crosswise, one is parted off


def test_places_that_are_too_close_are_not_told_apart():
    low, high = np.array([0.0, 0.0, -1.0, 1e6]), np.array([1e-9, 2e-9, -1 + 2e-9, 1e6 + 9e-4])
    assert np.isnan(in_between(low, high)).tolist() == [True, False, False, True]


def test_a_point_that_hardly_moves_does_not_change_sides():
    """Its value over its step is beyond all floats: it lies on the side that it is on."""
    points = node_of([[0.0], [1.0], [2.0]], [1, 0, 1])
    move, score = best_moves(points, np.array([[1.0, -1.0, 1.0]]), np.array([[5e-324, 1.0, 1.0]]))
    assert score[0] == points.perfect
    assert -1 < move[0] < 1


def test_the_search_ends_when_one_is_as_good_as_can_be():
    found = climbers([0, 1, 1, 1, 1, 0], [[1.0, -0.8], [1.0, 0.8]], Dice())
    points = found.points
    for scores, done in (
        ([0.0, points.perfect], True),
        ([points.perfect - points.slack / 2, 0.0], True),
        ([points.perfect - 3 * points.slack, 0.0], False),
    ):
        found.score = np.array(scores)
        assert found.is_done is done


@pytest.mark.parametrize("order", ["sequential", "best"])
def test_a_climb_goes_on_for_those_that_gained(order, monkeypatch):
    """The first gains by its second feature, twice; the second never does."""
    x = np.column_stack([LINE, LINE[::-1] % 4])
    found, asked = climbers([0, 1, 0, 1, 1, 0], [[1.0, -0.8, 0.3], [1.0, 0.2, 0.1]], Dice(), x), []

    def perturb(self, at, feature):
        asked.append((at.tolist(), feature.tolist()))
        turn = sum(0 in rows for rows, _ in asked)
        return (at == 0) & ((feature == 1) & (turn < 6) if order == "sequential" else turn < 3)

    monkeypatch.setattr(Climbers, "perturb", perturb)
    found.climb(np.arange(2), order)
    if order == "sequential":
        one_round = [2, 0, 1]  # the threshold first
        wanted = [([0, 1], [f, f]) for f in one_round] + [([0], [f]) for f in one_round]
        assert asked == wanted
        return
    best = np.argmax(
        [best_moves(found.points, found.w @ found.z.T, np.tile(z, (2, 1)))[1] for z in found.z.T], axis=0
    )
    assert asked == [([0, 1], best.tolist()), ([0], best[:1].tolist()), ([0], best[:1].tolist())]


def test_after_a_jump_those_climb_that_gained(monkeypatch):
    found, climbed = climbers([0, 1, 0, 1, 1, 0], [[1.0, -0.8], [1.0, 0.2], [1.0, 0.1]], Dice()), []
    monkeypatch.setattr(Climbers, "climb", lambda self, at, order: climbed.append(at.tolist()))
    gains = iter([[False, True, False], [True, False, False], [False, False], [False]])
    monkeypatch.setattr(Climbers, "jump", lambda self, at: np.array(next(gains)[: len(at)]))
    found.search("sequential", 2)
    assert climbed == [[0, 1, 2], [1], [0]]
    assert next(gains, None) is None


def test_features_are_searched_from_minus_one_to_one(monkeypatch):
    x = np.column_stack([[4.0, 5, 9, 4, 6, 8], [1e-3, 2e-3, 3e-3, 1e-3, 2e-3, 1.5e-3], [7.0] * 6])
    seen, real = [], Climbers.__init__

    def noted(self, points, z, w, random):
        seen.append(z)
        real(self, points, z, w, random)

    monkeypatch.setattr(Climbers, "__init__", noted)
    best_plane(node_of(x, [0, 1, 0, 1, 1, 0]), Search(restarts=1), np.random.default_rng(0))
    assert seen[0].min(axis=0).tolist() == [-1, -1, 1]
    assert seen[0].max(axis=0).tolist() == pytest.approx([1, 1, 1])
    assert seen[0][:, 0] == pytest.approx((x[:, 0] - 6.5) / 2.5)


def test_of_equal_hyperplanes_the_first_start_is_taken(monkeypatch):
    """All end where they began: the scores are those of the starts."""
    x, y = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]]), [0, 1, 1, 0]
    monkeypatch.setattr(Climbers, "search", lambda self, order, jumps: None)
    # the first parts the rows in halves, which tells nothing; the others part one row off
    starts = [np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 1.5], [1.0, -1.0, -1.5], [1.0, 1.0, -1.5]])]
    monkeypatch.setattr(hyperplane, "started", lambda *given: starts)
    plane = best_plane(node_of(x, y), Search(simplify=False), Dice())
    assert plane.normal.tolist() == [1.0, 1.0]
    assert plane.threshold == 0.5


def test_a_simpler_question_leaves_half_of_the_room():
    """Without the first feature 1.25 of 2.25 are left; without the third as well, only 1."""
    points = node_of([[0.0, 0, 0], [1.0, 1, 0.25]], [0, 1])
    plane = in_own_units(points, np.ones(3), np.ones(3), True)
    assert plane.normal.tolist() == [0, 1, 1]
    points = node_of([[0.0, 0, 0], [1.0, 1, 0]], [0, 1])
    assert in_own_units(points, np.ones(3), np.ones(3), True).normal.tolist() == [0, 1, 0]  # exactly half


def test_a_search_is_that_of_the_estimator_unless_told_otherwise():
    given = ObliqueTreeClassifier().get_params()
    for field in fields(Search):
        if field.name != "seed":
            assert getattr(Search(), field.name) == given[field.name]
