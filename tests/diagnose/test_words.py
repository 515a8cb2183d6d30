"""Symptoms in words: names, phrases, numbers, negation, what is not understood."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grpolint.diagnose.words import clauses, understand
from grpolint.evidence import symptoms


def meant(text):
    said, _ = understand(text, symptoms())
    return [each.symptom.id for each in said]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nan_loss,expert_0_samples", ["nan_loss", "expert_0_samples"]),
        ("NaN-Loss", ["nan_loss"]),
        ("loss plateaus, grad norm 1e9", ["loss_plateau", "grad_norm_huge"]),
        (
            "zero advantage, reward flat, response length collapse",
            ["zero_advantage", "reward_flat", "response_length_collapse"],
        ),
        (
            "KL explosion; entropy collapse; clipped ratio 0.95",
            ["kl_explodes", "entropy_collapse", "responses_truncated"],
        ),
        ("NaN from step 1", ["nan_first_step"]),
        ("loss stays nan from the very first step", ["nan_loss", "nan_first_step"]),
        ("nan in the loss and exploding gradients", ["grad_norm_huge", "nan_loss"]),
        ("my reward never goes up", ["reward_flat"]),
        ("The advantages are all zeros.", ["zero_advantage"]),
        ("OOM when the vllm engine wakes up", ["oom_wake_up"]),
        ("out of memory at step 37", ["oom_later_step"]),
        ("oom at load", ["oom_at_load"]),
        ("host memory growth", ["host_memory_grows"]),
        ("training hangs at step 1 with nccl timeouts", ["nccl_timeout", "hang"]),
        ("router collapse", ["router_collapse"]),
        ("expert 5 gets no tokens", ["expert_0_samples"]),
        ("stall", ["loss_plateau"]),
        ("overlap", ["overlap_trouble"]),
        ("the model outputs !!!!!!!!", ["exclamation_marks"]),
    ],
)
def test_what_people_say(text, expected):
    assert meant(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("grad norm 1e9", "grad_norm_huge"),
        ("grad_norm=1e+9", "grad_norm_huge"),
        ("grad norm 10^9", "grad_norm_huge"),
        ("grad norm 3 x 10^8", "grad_norm_huge"),
        ("grad norm of 1,000,000,000", "grad_norm_huge"),
        ("the gradient norm went up to 51200000 after a while", "grad_norm_huge"),
        ("grad norm 450", "grad_norm_spikes"),
        ("grad norm is 0", "grad_norm_zero"),
        ("gradient norm: inf", "grad_norm_nan"),
        ("KL blew up to 50", "kl_explodes"),
        ("entropy went down to 0.002", "entropy_collapse"),
        ("entropy is 3.5", "entropy_explodes"),
        ("the loss is stuck at 0", "loss_zero"),
        ("reward_std is 0", "zero_advantage"),
        ("frac_reward_zero_std 0.95", "zero_advantage"),
        ("clipped ratio 97 %", "responses_truncated"),
        ("rollout probs diff 0.08", "rollout_mismatch"),
        ("importance ratio is 0.7", "rollout_mismatch"),
        ("lr is 0", "learning_rate_zero"),
        ("loss scale 1", "loss_scale_minimum"),
    ],
)
def test_numbers_decide(text, expected):
    assert meant(text) == [expected]


@pytest.mark.parametrize("text", ["grad norm 0.3", "kl 0.01", "entropy 0.4", "clipped ratio 2%", "loss scale 65536"])
def test_a_usual_number_means_nothing_and_is_said_to(text):
    said, missed = understand(text, symptoms())
    assert not said
    assert "nothing unusual" in missed[0].why


@pytest.mark.parametrize("text", ["no nan", "the loss is not NaN", "without oom", "never an nccl timeout"])
def test_what_is_absent_means_nothing(text):
    said, missed = understand(text, symptoms())
    assert not said
    assert "not seen" in missed[0].why


def test_unknown_words_get_the_nearest_name():
    said, missed = understand("expert_1_sample, qwertz foo, entropie colapse", symptoms())
    assert not said
    assert [(each.text, each.near) for each in missed] == [
        ("expert_1_sample", "expert_0_samples"),
        ("qwertz foo", ""),
        ("entropie colapse", "entropy_collapse"),
    ]


def test_thousands_separate_no_clauses():
    assert clauses("grad norm 1,000,000, reward flat; oom") == ["grad norm 1,000,000", "reward flat", "oom"]


@given(st.permutations(["loss", "becomes", "nan"]), st.sampled_from(["", "the ", "my "]))
def test_order_does_not_matter(words, article):
    assert meant(article + " ".join(words)) == ["nan_loss"]


@given(st.text(max_size=200))
def test_any_text_is_taken(text):
    said, missed = understand(text, symptoms())
    assert len({each.symptom.id for each in said}) == len(said)
    assert all(0 < each.quality <= 1 for each in said)
    assert all(each.text for each in missed)


def test_long_texts_end():
    understand("nan loss " * 50_000, symptoms())
    understand("," * 100_000, symptoms())
    understand("1" * 100_000, symptoms())
    understand("grad norm " + "is " * 40_000, symptoms())
