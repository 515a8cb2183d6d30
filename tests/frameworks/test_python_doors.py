"""Python doors: scripts that configure TRL, DeepSpeed, vLLM and SGLang by calls."""

from __future__ import annotations

import pytest
from framework_runs import fact, known, run_of

from grpolint.documents.source import Source
from grpolint.reader import read
from grpolint.world import Supplied

SCRIPT = """\
import os
from peft import LoraConfig
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import GRPOConfig, GRPOTrainer

os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"
MODEL = "Qwen/Qwen2.5-0.5B-Instruct"
G = 8


def reward_len(completions, **kwargs):
    return [0.0 for _ in completions]


tokenizer = AutoTokenizer.from_pretrained("another/tokenizer")
model = AutoModelForCausalLM.from_pretrained(MODEL, torch_dtype="bfloat16")
args = GRPOConfig(
    output_dir="out",
    per_device_train_batch_size=G * 2,
    gradient_accumulation_steps=4,
    num_generations=G,
    learning_rate=1e-6,
    use_vllm=True,
    vllm_mode="colocate",
    vllm_enable_sleep_mode=True,
    max_completion_length=int(os.environ.get("MAXLEN", 1024)),
    gradient_checkpointing_kwargs={"use_reentrant": False},
)
trainer = GRPOTrainer(
    model=model,
    reward_funcs=[reward_len],
    args=args,
    peft_config=LoraConfig(r=64, lora_alpha=128),
)
"""


def one(text, path="train.py", **supplied):
    runs = read(Source(path, text), Supplied(**supplied)).runs
    return runs[0] if runs else None


def test_a_script_of_trl():
    run = one(SCRIPT)
    assert run.trainer == "trl"
    expected = {
        "group_size": 8,
        "micro_batch_per_gpu": 16,
        "learning_rate": 1e-6,
        "rollout_engine": "vllm",
        "rollout_sleep": True,
        "precision": "bf16",
        "reward_kind": "function",
        "lora_rank": 64,
        "lora_alpha": 128,
        "model": "Qwen/Qwen2.5-0.5B-Instruct",
        "response_length": 1024,
    }
    assert {name: fact(run, name) for name in expected} == expected
    assert known(run.environment("PYTORCH_CUDA_ALLOC_CONF")) == "expandable_segments:True"
    assert known(run.value("transformers", "gradient_checkpointing_kwargs.use_reentrant")) is False
    setting = run.setting("trl", "num_generations")
    assert setting.span.text == "num_generations=G"
    assert [origin.span.text for origin in setting.value.origins] == ["num_generations=G", "8"]
    assert run.complaints == []


def test_what_is_given_from_outside_counts():
    assert fact(one(SCRIPT, env={"MAXLEN": "4096"}), "response_length") == 4096


def test_an_argument_that_does_not_exist():
    run = one(SCRIPT.replace("num_generations=G", "num_generation=G"))
    (complaint,) = run.complaints
    assert (complaint.kind, complaint.key, complaint.suggestion) == ("unknown-key", "num_generation", "num_generations")
    assert not complaint.certain  # nobody says which release is in use
    certain = one(
        SCRIPT.replace("num_generations=G", "num_generation=G"), versions={"trl": "1.16.0", "transformers": "5.24.0"}
    )
    assert certain.complaints[0].certain


def test_unknown_values_and_open_ends():
    run = one(SCRIPT.replace("learning_rate=1e-6", "learning_rate=cfg.lr").replace("use_vllm=True", "**extra"))
    assert fact(run, "learning_rate") == "<expression:cfg.lr>"
    assert fact(run, "group_size") == 8
    assert fact(run, "rollout_engine").startswith("<expression:**arguments")


def test_two_configs_of_which_the_trainer_takes_one():
    other = "small = GRPOConfig(output_dir='x', num_generations=2)\n"
    assert fact(one(SCRIPT + other), "group_size") == 8


def test_two_configs_and_no_trainer_leave_differences_unknown():
    text = (
        "from trl import GRPOConfig\n"
        "a = GRPOConfig(num_generations=2, learning_rate=1e-6)\n"
        "b = GRPOConfig(num_generations=8, learning_rate=1e-6)\n"
    )
    run = one(text)
    assert fact(run, "group_size") == "<branch:3>"
    assert fact(run, "learning_rate") == 1e-6


def test_unsloth():
    run = one(
        "from unsloth import FastLanguageModel\n"
        "from trl import GRPOConfig, GRPOTrainer\n"
        "model, tok = FastLanguageModel.from_pretrained(model_name='unsloth/Qwen3-4B', max_seq_length=2048,\n"
        "    load_in_4bit=True, fast_inference=True, max_lora_rank=32, gpu_memory_utilization=0.7)\n"
        "model = FastLanguageModel.get_peft_model(model, r=32, lora_alpha=64)\n"
        "args = GRPOConfig(num_generations=4, vllm_sampling_params=None, output_dir='o', max_grad_norm=0.1)\n"
        "GRPOTrainer(model=model, args=args, reward_funcs=[f])\n"
    )
    expected = {"lora_rank": 32, "lora_alpha": 64.0, "model": "unsloth/Qwen3-4B", "group_size": 4, "clip_norm": 0.1}
    assert {name: fact(run, name) for name in expected} == expected
    assert known(run.value("unsloth", "gpu_memory_utilization")) == 0.7
    assert run.complaints == []  # Unsloth adds arguments of its own


def test_a_script_without_a_parser_that_a_launch_starts(tmp_path):
    (tmp_path / "train.py").write_text(
        "import argparse\n"
        "from trl import GRPOConfig, GRPOTrainer\n"
        "p = argparse.ArgumentParser()\n"
        "p.add_argument('--lr', type=float, default=1e-6)\n"
        "p.add_argument('--group', type=int, default=8)\n"
        "p.add_argument('--scale', type=int, default=2)\n"
        "a = p.parse_args()\n"
        "args = GRPOConfig(learning_rate=a.lr, num_generations=a.group, output_dir='o',\n"
        "    per_device_train_batch_size=a.scale * 2)\n"
        "GRPOTrainer(model='a/b', args=args, reward_funcs=['org/reward-model'])\n"
    )
    run = run_of("torchrun --nproc_per_node 4 train.py --lr 3e-6 --scale 4", tmp_path)
    assert run.trainer == "trl"
    expected = {
        "learning_rate": 3e-6,
        "group_size": 8,
        "world_size": 4,
        "model": "a/b",
        "reward_kind": "model",
        "micro_batch_per_gpu": "<argument:--scale>",
    }
    assert {name: fact(run, name) for name in expected} == expected
    assert fact(run_of("python train.py $EXTRA", tmp_path), "learning_rate") == "<env:EXTRA>"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "print(1)\n",
        "class GRPOConfig: pass\nGRPOConfig(num_generations=1)\n",
        "from trl import GRPOConfig\n",
        "# from trl import GRPOConfig\nGRPOConfig(a=1)\n",
        "from trl import (GRPOConfig\n",
        "from vllm import LLM\n",
        "LLM(model='a')\n",
        "Engine(1)\n",
        "import sglang\nsqlalchemy.Engine()\n",
        "import deepspeed\ndeepspeed.initialize(model=m)\n",
        "import deepspeed\nother.initialize(config={})\n",
    ],
)
def test_files_that_configure_nothing_of_ours(text):
    assert one(text) is None


def test_deepspeed_initialize_with_a_dictionary():
    run = one(
        "import deepspeed\n"
        "STAGE = 2\n"
        "ds_config = {'train_batch_size': 64, 'zero_optimization': {'stage': STAGE}, 'gradient_clipping': 0.0}\n"
        "engine, *_ = deepspeed.initialize(model=model, config=ds_config)\n"
    )
    assert run.trainer == "deepspeed"
    assert (fact(run, "zero_stage"), fact(run, "clip_norm")) == (2, 0.0)
    assert run.setting("deepspeed", "gradient_clipping").span.text == "'gradient_clipping': 0.0"


def test_deepspeed_initialize_with_a_file(tmp_path):
    (tmp_path / "ds.json").write_text('{"zero_optimization": {"stage": 1}}')
    text = "import deepspeed\ndeepspeed.initialize(model=m, config='ds.json')\n"
    assert fact(one(text, str(tmp_path / "train.py")), "zero_stage") == 1
    unknown = one("import deepspeed\ndeepspeed.initialize(model=m, config=make())\n")
    assert fact(unknown, "zero_stage").startswith("<expression:")


def test_engines_of_vllm_and_sglang():
    run = one(
        "from vllm import LLM\nllm = LLM('a/b', tensor_parallel_size=2, enforce_eager=True, max_model_len=4096)\n"
    )
    assert run.trainer == "vllm"
    assert (fact(run, "model"), fact(run, "rollout_tp"), fact(run, "enforce_eager")) == ("a/b", 2, True)
    run = one("import sglang as sgl\nllm = sgl.Engine(model_path='a/b', tp_size=2, mem_fraction_static=0.7)\n")
    assert run.trainer == "sglang"
    assert (fact(run, "model"), fact(run, "rollout_tp"), fact(run, "rollout_memory")) == ("a/b", 2, 0.7)


def test_transformers_deepspeed_dictionary():
    run = one(
        "from trl import GRPOConfig\n"
        "GRPOConfig(output_dir='o', deepspeed={'zero_optimization': {'stage': 3}, 'gradient_clipping': 'auto'},\n"
        "    max_grad_norm=0.4, num_generations=2)\n"
    )
    assert (fact(run, "zero_stage"), fact(run, "clip_norm"), fact(run, "engine")) == (3, 0.4, "deepspeed")


def test_spelling_of_arguments():
    from grpolint.frameworks.trl import FRAMEWORK

    run = one(SCRIPT)
    setting = run.setting("trl", "num_generations")
    assert FRAMEWORK.spell("num_generations", 16, setting, run) == "num_generations=16"
    nested = run.setting("transformers", "gradient_checkpointing_kwargs.use_reentrant")
    assert FRAMEWORK.spell(nested.key, True, nested, run) == '"use_reentrant": True'
    assert FRAMEWORK.spell("vllm_mode", "server", None, run) == "vllm_mode='server'"
