"""Memory, against published parameter counts and the arithmetic of the papers."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grpolint.lab import memory
from grpolint.lab.memory import GIB, Plan
from grpolint.models import architectures

PUBLISHED = {
    "qwen2.5-0.5b": 494_032_768,
    "qwen2.5-1.5b": 1_543_714_304,
    "qwen2.5-3b": 3_085_938_688,
    "qwen2.5-7b": 7_615_616_512,
    "qwen2.5-32b": 32_763_876_352,
    "qwen3-0.6b": 596_049_920,
    "qwen3-4b": 4_022_468_096,
    "qwen3-8b": 8_190_735_360,
    "qwen3-30b-a3b": 30_532_122_624,
    "llama-3.1-8b": 8_030_261_248,
}
"""Numbers of parameters that the hub counts in the published weights."""

MODELS = {name: model for name, model in architectures().items() if model.plain}
SEVEN = MODELS["qwen2.5-7b"]
plans = st.builds(
    Plan,
    st.sampled_from(list(MODELS.values())),
    gpus=st.integers(1, 64),
    shard=st.sampled_from(list(memory.SHARDED)),
    precision=st.sampled_from(list(memory.PRECISIONS)),
    optimizer=st.sampled_from(list(memory.MOMENTS)),
    lora=st.integers(0, 64),
    tokens=st.integers(0, 100_000),
    share=st.floats(0, 1),
    tensor_parallel=st.sampled_from([1, 2, 4, 8]),
)


def device(plan):
    return sum(item.device for item in memory.trainer(plan) if not item.passing)


@pytest.mark.parametrize("name", PUBLISHED)
def test_parameters_are_those_of_the_published_weights(name):
    assert MODELS[name].parameters == PUBLISHED[name]


@pytest.mark.parametrize(
    ("shard", "wanted"),
    [("none", 16), ("zero1", 4 + 12 / 8), ("zero2", 2 + 14 / 8), ("zero3", 16 / 8), ("fsdp", 16 / 8)],
)
def test_stages_are_those_of_the_zero_paper(shard, wanted):
    plan = Plan(SEVEN, gpus=8, shard=shard, precision="mixed")
    assert device(plan) == pytest.approx(wanted * SEVEN.parameters)


@settings(deadline=None)
@given(plan=plans)
def test_one_gpu_shards_nothing(plan):
    whole = device(replace(plan, gpus=1, shard="none"))
    for shard in memory.SHARDED:
        assert device(replace(plan, gpus=1, shard=shard)) == whole


@settings(deadline=None)
@given(plan=plans)
def test_each_stage_holds_no_more_than_the_one_before(plan):
    sizes = [device(replace(plan, shard=shard)) for shard in ("none", "zero1", "zero2", "zero3")]
    assert sizes == sorted(sizes, reverse=True)


@settings(deadline=None)
@given(plan=plans)
def test_offload_moves_bytes_and_loses_none(plan):
    away = replace(plan, offload=frozenset({"optimizer"}))
    before, after = memory.trainer(plan), memory.trainer(away)
    total = sum(item.device + item.host for item in after)
    assert total == pytest.approx(sum(item.device + item.host for item in before))
    assert all(item.device == 0 for item in after if "optimizer" in item.what)


@settings(deadline=None)
@given(plan=plans)
def test_equations_compute_what_is_shown(plan):
    every = [*memory.trainer(plan), memory.logits(plan), memory.reference(plan), memory.rollout(plan)[1]]
    for item in every:
        text = item.equation.replace(",", "").replace(" tokens", "").replace(" B", "").replace(" in bf16", "")
        value = 1.0
        for place, part in enumerate(text.replace(" / ", " x /").split(" x ")):
            part = part.strip()
            value = value / float(part[1:]) if part.startswith("/") else value * float(part) if place else float(part)
        assert value == pytest.approx(item.device + item.host), item.equation


def test_lora_counts_both_factors_of_each_linear_layer():
    """Qwen2.5-7B, rank 1: q 3584+3584, k and v 3584+512, o 3584+3584, gate, up and down 3584+18944, in 28 layers."""
    assert SEVEN.lora(1) == 28 * (7168 + 2 * 4096 + 7168 + 3 * 22528)
    assert memory.trained(Plan(SEVEN, lora=32)) == 32 * SEVEN.lora(1)


@settings(deadline=None)
@given(rank=st.integers(1, 128))
def test_lora_trains_adapters_and_freezes_the_base(rank):
    items = {item.what: item.device for item in memory.trainer(Plan(SEVEN, gpus=1, lora=rank, precision="mixed"))}
    assert items["frozen base"] == 2 * SEVEN.parameters
    assert items["optimizer states"] == 12 * SEVEN.lora(rank)
    assert items["gradients"] == 2 * SEVEN.lora(rank)


def test_kv_cache_of_a_token():
    """Llama 3.1 8B: 2 x 32 layers x 8 heads x 128 x 2 bytes = 128 KiB."""
    llama = MODELS["llama-3.1-8b"]
    assert memory.kv_bytes_per_token(llama, 2) == 128 * 1024
    assert memory.kv_bytes_per_token(llama, 1, 4) == 16 * 1024
    assert memory.kv_bytes_per_token(llama, 2, 16) == memory.kv_bytes_per_token(llama, 2, 8) == 16 * 1024


def test_logits_of_a_vocabulary():
    assert memory.logits(Plan(SEVEN, tokens=16384)).device == 16384 * 152064 * 4


@settings(deadline=None)
@given(plan=plans)
def test_cache_holds_as_many_tokens_as_fit(plan):
    tokens, whole = memory.sequences(plan)
    each = memory.kv_bytes_per_token(plan.model, plan.kv_bytes, plan.tensor_parallel)
    left = memory.rollout(plan)[2].device
    assert tokens * each <= max(left, 0) < (tokens + 1) * each or left < 0 == tokens
    assert whole == tokens // plan.length


def test_a_seven_billion_model_does_not_train_on_24_gib_but_its_adapters_do():
    """All weights need 16 bytes each, 113 GiB; a frozen bf16 base with rank 32 takes about 15."""
    assert device(Plan(SEVEN, gpus=1, shard="none", precision="mixed")) / GIB == pytest.approx(113.5, abs=0.1)
    assert device(Plan(SEVEN, gpus=1, shard="none", precision="mixed", lora=32)) / GIB < 17
