"""Group sizes, against enumeration and closed forms."""

import itertools
import math
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grpolint.lab import groups
from grpolint.lab.groups import FORMULAS

rates = st.floats(0, 1)


@settings(deadline=None)
@given(p=rates, size=st.integers(1, 6))
def test_dead_is_the_weight_of_the_outcomes_without_difference(p, size):
    total = 0.0
    for outcome in itertools.product((0, 1), repeat=size):
        if len(set(outcome)) == 1:
            total += math.prod(p if reward else 1 - p for reward in outcome)
    assert groups.dead(p, size) == pytest.approx(total)


@settings(deadline=None)
@given(p=rates, size=st.integers(1, 200))
def test_dead_is_symmetric_and_falls_with_the_size(p, size):
    assert groups.dead(p, size) == pytest.approx(groups.dead(1 - p, size))
    assert groups.dead(p, size + 1) <= groups.dead(p, size) + 1e-15
    assert groups.dead(p, 1) == pytest.approx(1)


@pytest.mark.parametrize(("p", "size"), [(-0.1, 2), (1.1, 2), (math.nan, 2), (0.5, 0)])
def test_dead_of_nonsense(p, size):
    with pytest.raises(ValueError, match="pass rate"):
        groups.dead(p, size)


@settings(deadline=None)
@given(size=st.integers(1, 300))
def test_uniform_pass_rates_are_beta_one_one(size):
    assert groups.dead_beta(size, 1, 1) == pytest.approx(2 / (size + 1))
    assert groups.dead_uniform(size) == 2 / (size + 1)


@settings(deadline=None)
@given(size=st.integers(1, 40), alpha=st.floats(1, 5), beta=st.floats(1, 5))
def test_beta_is_the_integral(size, alpha, beta):
    cells = 4000
    points = [(i + 0.5) / cells for i in range(cells)]
    weights = [p ** (alpha - 1) * (1 - p) ** (beta - 1) for p in points]
    wanted = sum(w * groups.dead(p, size) for p, w in zip(points, weights)) / sum(weights)
    assert groups.dead_beta(size, alpha, beta) == pytest.approx(wanted, rel=1e-3)


@settings(deadline=None)
@given(p=st.floats(0.001, 0.999), most=st.floats(0.001, 1))
def test_smallest_group_is_the_smallest(p, most):
    size = groups.smallest_group(p, most)
    assert groups.dead(p, size) <= most
    assert size == 1 or groups.dead(p, size - 1) > most


def test_smallest_groups_of_the_handbook_table():
    assert [groups.smallest_group(p, 0.1) for p in (0.5, 0.3, 0.2, 0.1, 0.05, 0.01)] == [5, 7, 11, 22, 45, 230]
    assert groups.smallest_group(0, 0.1) is groups.smallest_group(1, 0.1) is None


@settings(deadline=None)
@given(size=st.integers(1, 64), share=st.floats(0, 0.99))
def test_generations_are_the_mean_of_a_geometric_number_of_tries(size, share):
    tries = sum(n * share ** (n - 1) * (1 - share) for n in range(1, 5000))
    assert groups.generations_per_kept_group(size, share) == pytest.approx(size * tries)


def test_no_number_of_samples_revives_a_dead_prompt():
    assert groups.generations_per_kept_group(8, 1.0) == math.inf


@settings(deadline=None)
@given(prompts=st.integers(0, 30), generated=st.integers(1, 8), batches=st.integers(1, 4), share=rates)
def test_rounds_suffice_with_the_binomial_tail(prompts, generated, batches, share):
    tries = generated * batches
    wanted = sum(math.comb(tries, n) * (1 - share) ** n * share ** (tries - n) for n in range(prompts, tries + 1))
    assert groups.batches_suffice(prompts, generated, batches, share) == pytest.approx(wanted, abs=1e-9)


@settings(deadline=None)
@given(batches=st.integers(1, 20), share=st.floats(0.01, 0.99))
def test_more_rounds_never_hurt(batches, share):
    few, more = (groups.batches_suffice(128, 384, n, share) for n in (batches, batches + 1))
    assert 0 <= few <= more + 1e-9 <= 1 + 1e-9


# advantages

BY_NAME = {formula.framework: formula for formula in FORMULAS}
rewards = st.lists(st.floats(-10, 10), min_size=2, max_size=16)


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.framework)
@settings(deadline=None)
@given(values=rewards)
def test_advantages_are_the_formula(formula, values):
    mean = statistics.fmean(values)
    plain = groups.advantages(formula, values, std=False)
    assert plain == pytest.approx([value - mean for value in values], abs=1e-9)
    scaled = groups.advantages(formula, values, std=True)
    divisor = statistics.stdev(values) + formula.eps
    assert scaled == pytest.approx([each / divisor for each in plain], rel=1e-6, abs=1e-6)
    assert math.fsum(scaled) == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.framework)
@pytest.mark.parametrize("size", [2, 4, 8, 16])
@pytest.mark.parametrize("reward", [0.0, 0.5, 1.0])
def test_equal_rewards_have_no_advantage(formula, size, reward):
    assert groups.advantages(formula, [reward] * size, std=True) == [0.0] * size


@pytest.mark.parametrize("size", [2, 4, 8, 16, 64])
def test_one_success_has_a_closed_form(size):
    """std of one 1 in G is 1 / sqrt(G), so the advantage is (1 - 1/G) * sqrt(G)."""
    found = groups.advantages(BY_NAME["openrlhf"], [1.0] + [0.0] * (size - 1), std=True)
    assert found[0] == pytest.approx((1 - 1 / size) * math.sqrt(size), rel=1e-6)


def test_a_group_of_one():
    assert groups.advantages(BY_NAME["verl"], [1.0], std=True) == [1 / (1 + 1e-6)]
    assert groups.advantages(BY_NAME["verl"], [0.3], std=False) == [0.3]
    assert math.isnan(groups.advantages(BY_NAME["slime"], [1.0], std=True)[0])
    assert groups.advantages(BY_NAME["slime"], [1.0], std=False) == [0.0]
    assert groups.advantages(BY_NAME["trl"], [1.0], std=True) == "ValueError"
    assert groups.advantages(BY_NAME["openrlhf"], [1.0], std=False) == "AssertionError"
