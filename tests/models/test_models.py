"""Architectures: names are found as people write them, numbers agree with each other, config.json files are read."""

import json

import pytest

from grpolint.documents.source import Source
from grpolint.models import ATTENTION, architectures, find_model
from grpolint.models.config import from_config

MODELS = architectures()


@pytest.mark.parametrize(
    "path",
    [
        "Qwen/Qwen3-8B",
        "qwen/qwen3-8b",
        "/data/models/Qwen3-8B/",
        "~/.cache/huggingface/hub/models--Qwen--Qwen3-8B/snapshots/b968826d9c46",
        "unsloth/Qwen3-8B-unsloth-bnb-4bit",
        "Qwen/Qwen3-8B-FP8",
        "./Qwen3-8B_torch_dist",
    ],
)
def test_a_model_is_found_by_what_people_write(path):
    assert find_model(path) is MODELS["qwen3-8b"]


@pytest.mark.parametrize("path", ["", "/", "Qwen3-8B-my-own", "my/Qwen3", "checkpoints/global_step_100", "-hf"])
def test_an_unknown_model_is_unknown(path):
    assert find_model(path) is None


@pytest.mark.parametrize("name", MODELS)
def test_numbers_agree_with_each_other(name):
    model = MODELS[name]
    assert model.heads % model.kv_heads == 0
    assert model.attention in ATTENTION
    assert (model.latent is not None) == (model.attention == "latent")
    assert bool(model.experts) == bool(model.expert_width) == bool(model.experts_per_token)
    assert model.experts_per_token <= model.experts
    assert model.dense_layers < model.layers
    assert model.full_layers is None or 0 < model.full_layers < model.layers
    assert model.context is None or model.context >= 2048
    assert model.source


def config(**numbers):
    given = {
        "model_type": "qwen3",
        "hidden_size": 4096,
        "num_hidden_layers": 36,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "intermediate_size": 12288,
        "vocab_size": 151936,
        "tie_word_embeddings": False,
        "max_position_embeddings": 40960,
    }
    return Source("m/config.json", json.dumps({**given, **numbers}))


def test_a_config_gives_the_published_number_of_parameters():
    model = from_config(config())
    assert model.parameters == MODELS["qwen3-8b"].parameters == 8_190_735_360
    assert (model.attention, model.kv_heads, model.context, model.tied) == ("full", 8, 40960, False)


def test_a_config_with_experts():
    model = from_config(
        config(num_experts=128, num_experts_per_tok=8, moe_intermediate_size=768, model_type="qwen3_moe")
    )
    assert (model.experts, model.experts_per_token, model.expert_width) == (128, 8, 768)


@pytest.mark.parametrize(
    ("numbers", "kind"),
    [
        ({"kv_lora_rank": 512, "qk_rope_head_dim": 64}, "latent"),
        ({"layer_types": ["linear_attention", "linear_attention", "full_attention"]}, "hybrid"),
        ({"layer_types": ["sliding_attention", "full_attention"], "sliding_window": 1024}, "sliding"),
        ({"sliding_window": 4096}, "sliding"),
        ({"sliding_window": 4096, "use_sliding_window": False}, "full"),
    ],
)
def test_the_kind_of_attention(numbers, kind):
    assert from_config(config(**numbers)).attention == kind


def test_a_model_of_pictures_keeps_its_decoder_in_a_part():
    text = json.loads(config().text)
    source = Source(
        "m/config.json", json.dumps({"model_type": "qwen3_vl", "text_config": text, "vision_config": {"depth": 27}})
    )
    model = from_config(source)
    assert model.multimodal
    assert (model.hidden, model.layers) == (4096, 36)


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"model_type": "bert"}', '{"hidden_size": "many"}', '{"hidden_size": -1}']
)
def test_what_is_no_decoder_gives_nothing(text):
    assert from_config(Source("config.json", text)) is None
