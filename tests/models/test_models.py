"""Architectures: names are found as people write them, numbers agree with each other, config.json files are read."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import grpolint.models
from grpolint.documents.source import Source
from grpolint.models import ATTENTION, architectures, find_model
from grpolint.models.config import from_config
from grpolint.records import replace

MODELS = architectures()
ROWS = json.loads((Path(grpolint.models.__file__).parent / "data.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "path",
    [
        "Qwen/Qwen3-8B",
        "qwen/qwen3-8b",
        "/data/models/Qwen3-8B/",
        "~/.cache/huggingface/hub/models--Qwen--Qwen3-8B/snapshots/b968826d9c46",
        "./Qwen3-8B_torch_dist",
        "unsloth/Qwen3-8B",
        "/root/Qwen3-8B-bf16",
    ],
)
def test_a_model_is_found_by_what_people_write(path):
    assert find_model(path) is MODELS["qwen3-8b"]


@pytest.mark.parametrize(
    "path",
    ["unsloth/Qwen3-8B-unsloth-bnb-4bit", "Qwen/Qwen3-8B-FP8", "Qwen/Qwen3-8B-AWQ", "Qwen/Qwen3-8B-GPTQ-Int4"],
)
def test_a_quantized_form_has_the_same_architecture(path):
    assert find_model(path) == replace(MODELS["qwen3-8b"], quantized=True)


def test_a_model_that_is_published_quantized_is_known_in_16_bits_too():
    assert find_model("openai/gpt-oss-20b").quantized
    assert not find_model("lmsys/gpt-oss-20b-bf16").quantized


def test_the_default_model_of_verl_is_known():
    model = find_model("~/models/deepseek-llm-7b-chat")
    assert (model.layers, model.heads, model.kv_heads, model.context) == (30, 32, 32, 4096)


@pytest.mark.parametrize(
    "path",
    ["", "/", "Qwen3-8B-my-own", "my/Qwen3", "checkpoints/global_step_100", "-hf", "-fp8", "Qwen3-8B-fp8-sft", "fp8"],
)
def test_an_unknown_model_is_unknown(path):
    assert find_model(path) is None


def test_names_are_unique_whatever_their_case():
    names = [name.lower() for row in ROWS for name in row["names"]]
    assert len(names) == len(set(names))
    assert not [name for name in names if "/" in name or name != name.strip()]


def test_rows_are_one_line_each():
    text = (Path(grpolint.models.__file__).parent / "data.json").read_text(encoding="utf-8")
    assert len(text.splitlines()) == len(ROWS) + 2


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("Qwen2.5-0.5B", 494_032_768),
        ("Qwen2.5-1.5B", 1_543_714_304),
        ("Qwen2.5-3B", 3_085_938_688),
        ("Qwen2.5-7B", 7_615_616_512),
        ("Qwen2.5-14B", 14_770_033_664),
        ("Qwen2.5-32B", 32_763_876_352),
        ("Qwen2.5-72B", 72_706_203_648),
        ("Qwen3-0.6B", 596_049_920),
        ("Qwen3-4B", 4_022_468_096),
        ("Qwen3-8B", 8_190_735_360),
        ("Qwen3-32B", 32_762_123_264),
        ("Qwen3-30B-A3B", 30_532_122_624),
        ("Qwen3-235B-A22B", 235_093_634_560),
        ("Llama-2-7b-hf", 6_738_415_616),
        ("Llama-3.1-8B", 8_030_261_248),
        ("Llama-3.2-1B", 1_235_814_400),
        ("Llama-3.2-3B", 3_212_749_824),
        ("Llama-3.1-70B", 70_553_706_496),
        ("Mistral-7B-v0.1", 7_241_732_096),
        ("Mixtral-8x7B-v0.1", 46_702_792_704),
        ("gemma-2b", 2_506_172_416),
        ("gemma-7b", 8_537_680_896),
        ("SmolLM2-135M", 134_515_008),
        ("deepseek-llm-7b-chat", 6_910_365_696),
    ],
)
def test_parameters_are_those_that_the_hub_counts(name, published):
    assert MODELS[name.lower()].parameters == published


@pytest.mark.parametrize(("name", "billions"), [("gpt-oss-20b", 20.9), ("gpt-oss-120b", 116.8), ("gemma-2-9b", 9.24)])
def test_parameters_are_what_the_publisher_rounds(name, billions):
    assert MODELS[name].parameters / 1e9 == pytest.approx(billions, rel=5e-3)


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("Qwen3-4B", (36, 2560, 32, 8, 9728, 151936, True)),
        ("Qwen3-14B", (40, 5120, 40, 8, 17408, 151936, False)),
        ("Qwen2.5-3B", (36, 2048, 16, 2, 11008, 151936, True)),
        ("Llama-3.2-3B-Instruct", (28, 3072, 24, 8, 8192, 128256, True)),
        ("MiMo-7B-RL", (36, 4096, 32, 8, 11008, 151680, False)),
        ("Moonlight-16B-A3B-Instruct", (27, 2048, 16, 16, 11264, 163840, False)),
        ("GLM-4.5-Air", (46, 4096, 96, 8, 10944, 151552, False)),
        ("Qwen3.5-9B", (32, 4096, 16, 4, 12288, 248320, False)),
        ("Qwen3-Next-80B-A3B-Instruct", (48, 2048, 16, 2, 5120, 151936, False)),
    ],
)
def test_numbers_are_those_of_the_launch_scripts_of_slime(name, numbers):
    """layers, hidden, heads, query groups, feed-forward, vocabulary and tied embeddings of scripts/models."""
    model = MODELS[name.lower()]
    found = (model.layers, model.hidden, model.heads, model.kv_heads, model.intermediate, model.vocabulary, model.tied)
    assert found == numbers


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
    assert not model.quantized or model.experts
    assert model.hidden % 64 == 0
    assert model.total is None or not model.plain


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


def test_layers_with_states_are_counted():
    model = from_config(
        config(model_type="nemotron_h", hybrid_override_pattern="MEM*EM*E", ssm_state_size=128, num_hidden_layers=8)
    )
    assert (model.attention, model.full_layers, model.plain) == ("hybrid", 2, False)


def test_a_model_of_a_type_that_nobody_counted_has_no_number_of_parameters():
    assert from_config(config()).plain
    assert not from_config(config(model_type="my_own")).plain
    assert not from_config(config(model_type="qwen3_moe", num_experts=8, decoder_sparse_step=2)).plain


@pytest.mark.parametrize(
    ("scaling", "context"),
    [
        (None, 40960),
        ({"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}, 131072),
        ({"type": "linear", "factor": 4.0}, 163840),
        ({"rope_type": "llama3", "factor": 8.0, "original_max_position_embeddings": 8192}, 40960),
        ({"rope_type": "default", "mrope_section": [16, 24, 24]}, 40960),
        ({"rope_type": "linear", "factor": "8"}, 40960),
        ({"rope_type": "linear", "factor": 1e30}, 40960),
        ([], 40960),
    ],
)
def test_rope_scaling_lengthens_the_context(scaling, context):
    assert from_config(config(rope_scaling=scaling)).context == context


def test_ties_follow_the_type_where_the_file_says_nothing():
    def tied(kind):
        values = json.loads(config(model_type=kind).text)
        del values["tie_word_embeddings"]
        return from_config(Source("m/config.json", json.dumps(values))).tied

    assert [tied(kind) for kind in ("gemma3_text", "gemma2", "llama", "qwen3")] == [True, True, False, False]


def test_a_quantized_checkpoint_says_so():
    assert from_config(config(quantization_config={"quant_method": "fp8"})).quantized
    assert not from_config(config(quantization_config=None)).quantized


def test_experts_without_their_number_are_no_dense_model():
    assert from_config(config(num_experts_per_tok=8, moe_intermediate_size=768)) is None


NUMBERS = st.one_of(
    st.none(), st.booleans(), st.text(max_size=3), st.floats(), st.integers(), st.lists(st.integers(), max_size=2)
)


@given(
    st.dictionaries(
        st.sampled_from(
            [
                *json.loads(config().text),
                "num_experts",
                "num_experts_per_tok",
                "moe_intermediate_size",
                "kv_lora_rank",
                "rope_scaling",
                "first_k_dense_replace",
                "full_attention_interval",
                "layer_types",
                "architectures",
                "text_config",
                "hybrid_override_pattern",
            ]
        ),
        NUMBERS,
    )
)
def test_a_hostile_config_gives_nothing_or_sane_numbers(numbers):
    model = from_config(config(**numbers))
    if model is not None:
        assert model.parameters > 0
        assert model.cached > 0
        assert model.lora(8) > 0
        assert model.heads % model.kv_heads == 0
        assert model.dense_layers < model.layers


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"model_type": "bert"}', '{"hidden_size": "many"}', '{"hidden_size": -1}']
)
def test_what_is_no_decoder_gives_nothing(text):
    assert from_config(Source("config.json", text)) is None
