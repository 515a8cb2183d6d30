"""What is taken for a slip of the pen, and what for a name of somebody's own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grpolint.suggest import slip


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("gpu_memory_utilisation", "gpu_memory_utilization"),
        ("logging_steps1", "logging_steps"),
        ("export_model_parallel_size", "expert_model_parallel_size"),
        ("vllm_enable_is_correction", "enable_vllm_is_correction"),
        ("num-train-epoch", "num_train_epochs"),
        ("log_prob_micro_batch_size_per_gup", "log_prob_micro_batch_size_per_gpu"),
    ],
)
def test_letters_and_words_slip(word: str, meant: str) -> None:
    assert slip(word, meant) and slip(meant, word)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("grad_offload", "param_offload"),
        ("val_temperature", "temperature"),
        ("noise_strategy", "save_strategy"),
        ("use_kl_loss", "use_sft_loss"),
        ("lam", "lr"),
    ],
)
def test_other_words_are_names_of_their_own(word: str, meant: str) -> None:
    assert not slip(word, meant) and not slip(meant, word)


NAMES = st.lists(st.text("abcdefgh", min_size=3, max_size=8), min_size=1, max_size=4).map("_".join)


@given(NAMES, st.data())
def test_one_letter_amiss_is_a_slip(name: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(name) - 1))
    assert slip(name[:at] + name[at + 1 :], name)
    assert slip(name[:at] + "x" + name[at:], name)
    swapped = name[:at] + name[at : at + 2][::-1] + name[at + 2 :]
    assert slip(swapped, name)


@given(NAMES, st.text("mnop", min_size=3, max_size=6))
def test_a_whole_word_more_is_none(name: str, word: str) -> None:
    assert not slip(f"{word}_{name}", name)
