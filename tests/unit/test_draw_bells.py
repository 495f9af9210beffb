"""The picture of the bell over the bars of the binomial distribution."""

import pytest
from pictures import overlap, texts
from scipy.stats import binom, norm

from dtlib import messages
from dtlib.book import pictures
from dtlib.prune import added_errors


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    messages.use_language("en")


@pytest.mark.parametrize(("e", "N"), [(1, 16), (3, 10), (20, 100), (0, 6)])
def test_says_both_chances(e, N):
    p = (e + added_errors(e, N, bound="normal")) / N if e else 0.3
    mean, sd = N * p, (N * p * (1 - p)) ** 0.5
    bars, area = binom.cdf(e, N, p), norm.cdf(e + 0.5, mean, sd)
    assert pictures.bell(N, p, e).description.endswith(
        f"Chance of at most {e}: bars {bars:.3f}, area below {e + 0.5:g} {area:.3f}."
    )


def test_at_the_normal_bound_the_area_is_the_confidence():
    p = (1 + added_errors(1, 16, bound="normal")) / 16
    shown = pictures.bell(16, p, 1)
    assert "area below 1.5 0.250" in shown.description
    words = {word.strip() for word, *_ in texts(shown)}
    assert {"0.674 standard deviations", "e + ½ = 1.5", "errors among 16"} <= words


def test_words_do_not_overlap():
    shown = texts(pictures.bell(16, 0.157, 1, title="A bell"))
    assert not any(overlap(a, b) for i, a in enumerate(shown) for b in shown[:i])


@pytest.mark.parametrize(("p", "e"), [(0.0, 0), (1.0, 1), (0.1, 2), (0.2, -1)])
def test_refuses_a_rate_below_what_was_seen(p, e):
    with pytest.raises(ValueError, match="wanted a rate whose mean"):
        pictures.bell(16, p, e)


def test_speaks_chinese():
    messages.use_language("zh")
    assert pictures.bell(16, 0.157, 1).title == "各错误数的概率"
