"""TRL through its doors: command, script with recipe, recipe alone, server."""

from __future__ import annotations

from pathlib import Path

import pytest
from framework_runs import fact, known, run_of

from grpolint.documents.source import Source
from grpolint.reader import read
from grpolint.run import Hardware
from grpolint.world import Supplied

RECIPE = """\
# a recipe
model_name_or_path: Qwen/Qwen2.5-1.5B-Instruct
attn_implementation: flash_attention_2
dataset_name: org/data
bf16: true
use_vllm: true
vllm_mode: colocate
vllm_gpu_memory_utilization: 0.4
vllm_enable_sleep_mode: true
gradient_accumulation_steps: 4
gradient_checkpointing: true
gradient_checkpointing_kwargs:
  use_reentrant: false
learning_rate: 1e-6
num_generations: 16
max_completion_length: 2048
per_device_train_batch_size: 16
output_dir: data/out
save_strategy: "epoch"
max_grad_norm: 0.2
beta: 0.04
"""

ACCELERATE = """\
compute_environment: LOCAL_MACHINE
distributed_type: DEEPSPEED
deepspeed_config:
  zero_stage: 3
  offload_optimizer_device: cpu
  offload_param_device: none
  zero3_init_flag: true
mixed_precision: bf16
num_machines: 1
num_processes: 8
"""


def read_text(path, text, **supplied):
    return read(Source(str(path), text), Supplied(**supplied))


def facts(run, *names):
    return {name: fact(run, name) for name in names}


def test_command_with_flags():
    run = run_of(
        "trl grpo --model_name_or_path a/b --num_generations 8 --per_device_train_batch_size 4 --num_processes 8"
        " --gradient_accumulation_steps 2 --learning-rate 5e-6 --use_peft --lora_r 64 --bf16 false --fp16 --max_grad_norm 0"
    )
    assert run.trainer == "trl"
    assert facts(
        run, "advantage", "group_size", "world_size", "train_batch_samples", "train_batch_prompts", "learning_rate"
    ) == {
        "advantage": "grpo",
        "group_size": 8,
        "world_size": 8,
        "train_batch_samples": 64,
        "train_batch_prompts": 8,
        "learning_rate": 5e-6,
    }
    assert facts(run, "lora_rank", "precision", "kl_in_loss", "rollout_engine") == {
        "lora_rank": 64,
        "precision": "fp16",
        "kl_in_loss": False,
        "rollout_engine": "hf",
    }


def test_options_belong_to_the_release_that_declares_them_and_are_found_under_both():
    run = run_of("trl grpo --per_device_train_batch_size 4 --learning_rate 1e-5")
    assert run.setting("transformers", "per_device_train_batch_size") is not None
    assert run.setting("trl", "learning_rate") is not None
    assert known(run.value("trl", "per_device_train_batch_size")) == 4
    assert known(run.value("transformers", "learning_rate")) == 1e-5
    assert known(run.value("transformers", "max_grad_norm")) == 1.0
    assert known(run.value("trl", "max_grad_norm")) == 1.0
    assert run.value("trl", "num_generations").source == "trl/trainer/grpo_config.py"


def test_command_with_recipe_and_launcher_file(tmp_path):
    (tmp_path / "grpo.yaml").write_text(RECIPE)
    (tmp_path / "zero3.yaml").write_text(ACCELERATE)
    run = run_of("trl grpo --config grpo.yaml --accelerate_config zero3.yaml --num_generations 8", tmp_path)
    assert facts(run, "group_size", "world_size", "engine", "zero_stage", "offload_optimizer", "clip_norm") == {
        "group_size": 8,
        "world_size": 8,
        "engine": "deepspeed",
        "zero_stage": 3,
        "offload_optimizer": "cpu",
        "clip_norm": 0.2,  # `auto` of accelerate, filled from max_grad_norm
    }
    assert facts(run, "rollout_sleep", "sleep_level", "rollout_memory", "save_every", "kl_in_loss") == {
        "rollout_sleep": True,
        "sleep_level": 2,
        "rollout_memory": 0.4,
        "save_every": None,
        "kl_in_loss": True,
    }
    assert known(run.value("vllm", "gpu_memory_utilization")) == 0.4
    assert [known(each.value) for each in run.setting("trl", "num_generations").shadows] == [16]


def test_script_with_recipe_is_recognised_by_its_keys(tmp_path):
    (tmp_path / "recipes").mkdir()
    (tmp_path / "recipes" / "config.yaml").write_text(RECIPE)
    (tmp_path / "zero3.yaml").write_text(ACCELERATE)
    run = run_of(
        "accelerate launch --config_file zero3.yaml --num_processes=4 src/open_r1/grpo.py"
        " --config recipes/config.yaml --vllm_mode server --output_dir $OUT",
        tmp_path,
    )
    assert run.trainer == "trl"
    assert facts(run, "world_size", "rollout_colocated", "rollout_memory", "train_batch_samples") == {
        "world_size": 4,
        "rollout_colocated": False,
        "rollout_memory": None,
        "train_batch_samples": 256,
    }
    assert "vllm" not in run.settings
    value = run.value("transformers", "output_dir")
    assert known(value) == "<env:OUT>"


def test_script_is_recognised_by_its_own_text(tmp_path):
    (tmp_path / "train.py").write_text(
        "from trl import GRPOConfig, GRPOTrainer, TrlParser\nargs = TrlParser((GRPOConfig,)).parse_args_and_config()\n"
    )
    (tmp_path / "other.py").write_text("import argparse\nargparse.ArgumentParser()\n# GRPOConfig, from trl import\n")
    assert run_of("torchrun --nproc_per_node 2 train.py --num_generations 4", tmp_path).trainer == "trl"
    assert run_of("python other.py --num_generations 4", tmp_path) is None


@pytest.mark.parametrize(
    "line",
    [
        "python train.py --num_generations 4",
        "python train.py --learning_rate 1 --bf16",
        "swift rlhf --rlhf_type grpo --num_generations 8 --bf16 1 --learning_rate 1 --max_completion_length 3",
        "trl env",
    ],
)
def test_launches_that_are_not_surely_trl(line):
    run = run_of(line)
    assert run is None or run.trainer != "trl"


def test_a_recipe_that_is_not_there_leaves_everything_unset_unknown():
    run = run_of("trl grpo --config elsewhere.yaml --num_generations 8")
    assert fact(run, "group_size") == 8
    assert fact(run, "learning_rate") == "<file:elsewhere.yaml>"
    assert fact(run, "kl_in_loss") == "<file:elsewhere.yaml>"


def test_without_a_launcher_file_the_users_own_may_decide():
    run = run_of("accelerate launch train.py --num_generations 8 --use_vllm --learning_rate 1e-6 --bf16 true")
    assert fact(run, "world_size").startswith("<file:~/.cache")
    assert fact(run, "engine").startswith("<file:~/.cache")
    told = run_of(
        "accelerate launch train.py --num_generations 8 --use_vllm --learning_rate 1e-6 --bf16 true",
        hardware=Hardware(gpus_per_node=4, nodes=2),
    )
    assert fact(told, "world_size") == 8


def test_deepspeed_file_of_the_trainer(tmp_path):
    (tmp_path / "ds.json").write_text(
        '{"zero_optimization": {"stage": 2}, "bf16": {"enabled": "auto"}, "gradient_clipping": "auto",\n'
        ' "train_batch_size": "auto", "train_micro_batch_size_per_gpu": "auto",\n'
        ' "gradient_accumulation_steps": "auto", "zero_optimization_x": 1}'
    )
    run = run_of(
        "torchrun --nproc_per_node 4 train.py --deepspeed ds.json --num_generations 8 --use_vllm"
        " --per_device_train_batch_size 2 --gradient_accumulation_steps 3 --max_grad_norm 0.5",
        tmp_path,
    )
    assert facts(run, "engine", "zero_stage", "clip_norm") == {"engine": "deepspeed", "zero_stage": 2, "clip_norm": 0.5}
    assert known(run.value("deepspeed", "train_micro_batch_size_per_gpu")) == 2
    assert known(run.value("deepspeed", "bf16.enabled")) is True
    assert not run.setting("deepspeed", "gradient_clipping").shadows


def test_recipe_alone():
    reading = read_text("recipes/grpo.yaml", RECIPE)
    (run,) = reading.runs
    assert run.trainer == "trl"
    assert facts(run, "group_size", "learning_rate", "world_size", "train_batch_samples", "engine") == {
        "group_size": 16,
        "learning_rate": 1e-6,
        "world_size": "<computed:number of processes>",
        "train_batch_samples": "<computed:number of processes>",
        "engine": "<computed:how this is launched>",
    }
    assert fact(run, "clip_norm") == 0.2
    setting = run.setting("trl", "learning_rate")
    assert setting.form == "yaml"
    assert setting.span.text == "learning_rate: 1e-6"
    assert known(run.value("transformers", "gradient_checkpointing_kwargs.use_reentrant")) is False


def test_recipe_alone_with_hardware():
    reading = read_text("recipes/grpo.yaml", RECIPE, hardware=Hardware(gpus_per_node=8, nodes=1))
    assert fact(reading.runs[0], "world_size") == 8


@pytest.mark.parametrize(
    "text",
    [
        "num_generations: 8\nlearning_rate: 1e-6\n",
        "base_model: a/b\nrl: grpo\ntrl:\n  num_generations: 8\nlearning_rate: 1\nbf16: true\n",
        "stage: sft\nfinetuning_type: lora\nlearning_rate: 1.0e-4\nbf16: true\nmodel_name_or_path: a\ncutoff_len: 1\n",
        "rlhf_type: grpo\nnum_generations: 8\nmax_completion_length: 3\nlearning_rate: 1\nbf16: true\n",
        "model_name_or_path: a\ndataset_name: b\nbeta: 0.1\ncpo_alpha: 1\nloss_type: simpo\nlearning_rate: 1\noutput_dir: x\n",
        "model_name_or_path: a\ndataset_name: b\nbeta: 0.05\nmax_length: 512\nlearning_rate: 1\noutput_dir: x\n",
        "- a\n- b\n",
        "",
        "grpo:\n  num_generations: 8\n  max_completion_length: 3\n",
        "max_completion_length: 3\nvllm_mode: server\nlearning_rate: 1\ngradient_accumulation_steps: 2\n",
        "model_name_or_path: a\ndataset_name: b\nmax_seq_length: 4\nlearning_rate: 1\nwith_tracking: true\noutput_dir: x\n",
    ],
)
def test_files_that_are_not_surely_trl(text):
    assert all(run.trainer != "trl" for run in read_text("x.yaml", text).runs)


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ("beta: 0.1\nloss_type: sigmoid\nmax_length: 1024\n", "dpo"),
        ("beta: 0.1\nprecompute_ref_log_probs: true\n", "dpo"),
        ("packing: true\n", "sft"),
        ("num_generations: 8\nbeta: 0.04\nloss_type: dapo\nmax_completion_length: 512\n", "grpo"),
    ],
)
def test_kind_of_a_recipe_on_its_own(options, kind):
    text = "model_name_or_path: a/b\ndataset_name: c/d\nlearning_rate: 1.0e-6\noutput_dir: out\n" + options
    (run,) = read_text("recipe.yaml", text).runs
    assert (run.trainer, fact(run, "trainer_kind")) == ("trl", kind)


def test_environment_of_the_recipe(tmp_path):
    (tmp_path / "grpo.yaml").write_text("env:\n  NCCL_DEBUG: INFO\n" + RECIPE)
    run = run_of("trl grpo --config grpo.yaml", tmp_path)
    assert known(run.environment("NCCL_DEBUG")) == "INFO"
    assert run.setting("trl", "env.NCCL_DEBUG") is None


def test_a_recipe_with_merged_lists_and_a_bad_end(tmp_path):
    (tmp_path / "grpo.yaml").write_text(
        RECIPE + "reward_funcs:\n- accuracy\n- format\nreward_weights: [1.0, 0.5]\nx: [1\n"
    )
    run = run_of("trl grpo --config grpo.yaml", tmp_path)
    assert known(run.value("trl", "reward_weights")) == [1.0, 0.5]
    assert fact(run, "reward_kind") == "function"


def test_vllm_serve_has_trls_own_defaults():
    run = run_of("trl vllm-serve --model a/b --tensor_parallel_size 2 --max-model-len 4096")
    assert run.trainer == "trl"
    assert facts(run, "rollout_engine", "rollout_tp", "rollout_memory", "model", "context_length") == {
        "rollout_engine": "vllm",
        "rollout_tp": 2,
        "rollout_memory": 0.9,
        "model": "a/b",
        "context_length": 4096,
    }


def test_spelling():
    from grpolint.frameworks.trl import FRAMEWORK

    run = run_of("trl grpo --num-generations 8 --learning_rate=1e-6 --use_vllm")
    number, rate = run.setting("trl", "num_generations"), run.setting("trl", "learning_rate")
    assert FRAMEWORK.spell("num_generations", 16, number, run) == "--num-generations 16"
    assert FRAMEWORK.spell("learning_rate", 1e-5, rate, run) == "--learning_rate=1e-05"
    assert FRAMEWORK.spell("bf16", True, None, run) == "--bf16 True"
    recipe = read_text("r.yaml", RECIPE).runs[0]
    setting = recipe.setting("trl", "num_generations")
    assert FRAMEWORK.spell("num_generations", 8, setting, recipe) == "num_generations: 8"
    assert FRAMEWORK.spell("use_peft", False, None, recipe) == "use_peft: false"


def test_generation_batch_is_what_the_config_computes():
    line = (
        "torchrun --nproc_per_node 4 train.py --num_generations 8 --use_vllm --learning_rate 1"
        " --per_device_train_batch_size 2 --gradient_accumulation_steps 4"
    )
    assert fact(run_of(line), "train_batch_samples") == 32
    assert fact(run_of(line + " --steps_per_generation 8"), "train_batch_samples") == 64
    run = run_of(line + " --generation_batch_size 48")
    assert facts(run, "train_batch_samples", "train_batch_prompts", "mini_batch_prompts") == {
        "train_batch_samples": 48,
        "train_batch_prompts": 6,
        "mini_batch_prompts": 4,
    }
    assert fact(run_of(line + " --generation_batch_size 50"), "train_batch_prompts") is None


def test_hostile_recipe_names(tmp_path):
    for name in ("../../etc/passwd", "\0", "", "a" * 5000, "/dev/zero"):
        run = run_of(f"trl grpo --config '{name}' --num_generations 8", tmp_path)
        assert fact(run, "group_size") == 8
    assert Path(tmp_path).exists()


@pytest.mark.parametrize(
    ("flag", "version", "expected"),
    [
        ("--bf16", None, []),
        ("--bf16", "1.16.0", ["bf16"]),
        ("--bf16", "0.15.2", []),
        ("--num_generations", None, ["num_generations"]),
        ("--num_generations", "1.16.0", ["num_generations"]),
    ],
)
def test_a_value_that_only_some_releases_demand_is_missed_only_in_a_known_release(flag, version, expected):
    line = f"trl grpo --output_dir out --model_name_or_path a/b --dataset_name c {flag}"
    run = run_of(line, versions={"trl": version} if version else {})
    assert [each.key for each in run.complaints if each.kind == "missing-value"] == expected


OWN_CONFIG = """\
from dataclasses import dataclass
from settings import process_args
from my_trainer import SearchGRPOTrainer

SearchGRPOTrainer(args=process_args()).train()
"""

OWN_TRAINER = """\
from trl import GRPOConfig, GRPOTrainer, TrlParser
from trainer import VisionGRPOTrainer, VisionGRPOTrainerEngine

args = TrlParser((GRPOConfig,)).parse_args_and_config()[0]
trainer_cls = VisionGRPOTrainer if not args.use_vllm else VisionGRPOTrainerEngine
trainer_cls(args=args).train()
"""

EXTENDED = """\
from trl import GRPOConfig, GRPOTrainer, TrlParser

class Mine(GRPOTrainer):
    pass

Mine(args=TrlParser((GRPOConfig,)).parse_args_and_config()[0]).train()
"""

ITS_OWN = """\
from trl import (
    GRPOConfig,
    GRPOTrainer,
    TrlParser,
)
from transformers import TrainerCallback

class Log(TrainerCallback):
    pass

GRPOTrainer(args=TrlParser((GRPOConfig,)).parse_args_and_config()[0], callbacks=[Log()]).train()
"""


@pytest.mark.parametrize(
    ("script", "stranger", "defaults"),
    [
        (OWN_CONFIG, "train.py", False),
        (OWN_TRAINER, "VisionGRPOTrainer", True),
        (EXTENDED, "Mine", True),
        (ITS_OWN, "", True),
    ],
)
def test_whose_trainer_and_whose_options_a_script_has(tmp_path, script, stranger, defaults) -> None:
    (tmp_path / "train.py").write_text(script)
    (tmp_path / "pyproject.toml").write_text("")
    line = "torchrun train.py --num_generations 8 --max_completion_length 64 --learning_rate 1e-6 --max_steps 9 --bf16"
    run = run_of(line, tmp_path, versions={"trl": "0.23.0"})
    assert run.stranger == stranger
    assert known(run.value("trl", "num_generations")) == 8
    assert known(run.value("trl", "max_prompt_length")) == (512 if defaults else "<program:train.py>")
    # --bf16 needs a value in TRL 0.23, but not where somebody else reads it
    assert bool(run.complaints) == (stranger == "")


@pytest.mark.parametrize(
    ("more", "stranger"),
    [
        ("", False),
        ("reward_funcs: [accuracy]\ncosine_max_len: 900\nsystem_prompt: x\n", False),  # open-r1 extends TRL's classes
        ("reward_mode: hidden\n", True),
    ],
)
def test_a_recipe_with_options_of_somebody_elses_tells_nothing_of_defaults(more, stranger) -> None:
    run = read_text("conf/grpo.yaml", RECIPE + more).runs[0]
    assert bool(run.stranger) == stranger
    value = known(run.value("trl", "use_peft"))
    assert value == ("<fork:reward_mode>" if stranger else False)
