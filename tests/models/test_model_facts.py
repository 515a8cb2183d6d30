"""Facts on the model: from its name, from a `config.json` in the tree, from the arguments of Megatron."""

import json

import pytest

from grpolint.documents.source import read_source
from grpolint.reader import read
from grpolint.report.unknown import supply, why
from grpolint.values import plain

VERL = "python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path={}\n"
MEGATRON = """torchrun --nproc_per_node 8 pretrain_gpt.py --micro-batch-size 1 --num-layers 36 --hidden-size 4096 \\
    --num-attention-heads 32 --vocab-size 151936 --max-position-embeddings 40960 {}
"""


def facts(tmp_path, text, *names):
    script = tmp_path / "run.sh"
    script.write_text(text)
    (run,) = read(read_source(script)).runs
    return [plain(value) if (value := run.fact(name)) is not None else None for name in names]


def test_by_the_name_of_the_model(tmp_path):
    names = ("layers", "attention_heads", "kv_heads", "head_dim", "vocabulary", "model_context", "quantized_weights")
    assert facts(tmp_path, VERL.format("Qwen/Qwen3-8B"), *names) == [36, 32, 8, 128, 151936, 40960, False]


def test_through_a_variable_with_a_default(tmp_path):
    script = 'MODEL_PATH=${MODEL_PATH:-"$HOME/models/Qwen2.5-7B-Instruct"}\n' + VERL.format("$MODEL_PATH")
    assert facts(tmp_path, script, "attention_heads") == [28]


@pytest.mark.parametrize(
    "line",
    [
        VERL.format("$HOME/models/Qwen3-8B"),
        VERL.format('"${ROOT}/Qwen3-8B/"'),
        "accelerate launch train.py\n" + VERL.format("$ROOT/Qwen/Qwen3-8B"),
        "python3 -m vllm.entrypoints.openai.api_server --model $ROOT/Qwen3-8B --port 80\n",
    ],
)
def test_the_folder_may_be_unknown(tmp_path, line):
    (tmp_path / "run.sh").write_text(line)
    run = read(read_source(tmp_path / "run.sh")).runs[-1]
    assert plain(run.fact("attention_heads")) == 32


@pytest.mark.parametrize("path", ["$MODEL", "$ROOT/$NAME", "Qwen/Qwen3-8B$SUFFIX", "$ROOT/Qwen3-$SIZE", "$ROOT/ckpt"])
def test_the_name_itself_may_not(tmp_path, path):
    assert facts(tmp_path, VERL.format(path), "attention_heads") == [None]


def test_a_gap_in_a_template_is_no_model(tmp_path):
    script = 'MODEL="<path_to_your_model>"\n' + VERL.format("$MODEL")
    assert facts(tmp_path, script, "layers") == [None]


def test_a_config_in_the_tree_wins_over_the_name(tmp_path):
    numbers = {
        "model_type": "qwen3",
        "hidden_size": 1024,
        "num_hidden_layers": 4,
        "num_attention_heads": 16,
        "num_key_value_heads": 4,
        "intermediate_size": 2048,
        "vocab_size": 1000,
    }
    folder = tmp_path / "models" / "Qwen3-8B"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(numbers))
    assert facts(tmp_path, VERL.format("models/Qwen3-8B"), "layers", "kv_heads", "vocabulary") == [4, 4, 1000]


def test_an_unknown_model_is_missing_by_its_name(tmp_path):
    script = tmp_path / "run.sh"
    script.write_text(VERL.format("/data/my-own-model"))
    (run,) = read(read_source(script)).runs
    assert run.fact("attention_heads").reason == "model:/data/my-own-model"


@pytest.mark.parametrize(
    ("flags", "numbers"),
    [
        ("", [32, 128, True, False]),
        ("--group-query-attention --num-query-groups 8", [8, 128, True, False]),
        ("--kv-channels 96 --untie-embeddings-and-output-weights", [32, 96, False, False]),
        ("--multi-latent-attention --num-experts 64 --moe-router-topk 6", [None, 128, True, True]),
    ],
)
def test_by_the_arguments_of_megatron(tmp_path, flags, numbers):
    names = ("layers", "model_context", "kv_heads", "head_dim", "tied_embeddings", "moe")
    assert facts(tmp_path, MEGATRON.format(flags), *names) == [36, 40960, *numbers]


def test_the_report_says_how_to_supply_what_the_table_does_not_have():
    reason = "model:/data/my-own-model"
    assert supply("fact:kv_heads", reason) == "--fact kv_heads=..."
    assert "/data/my-own-model" in why(reason)
    assert "config.json" in why(reason)
