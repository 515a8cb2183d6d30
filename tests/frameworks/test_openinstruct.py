"""open-instruct: its programs alone and behind mason.py, lists and booleans of its parser, what stays unknown."""

from __future__ import annotations

from pathlib import Path

import pytest
from framework_runs import fact

from grpolint.documents.source import read_source
from grpolint.facts import FACTS
from grpolint.frameworks.registry import framework
from grpolint.reader import read
from grpolint.values import Unknown
from grpolint.world import Supplied

RELEASE = Supplied(versions={"open-instruct": "0.3.0"})
FLAGS = """\
    --model_name_or_path Qwen/Qwen3-8B \\
    --num_unique_prompts_rollout 64 \\
    --num_samples_per_prompt_rollout 16 \\
    --num_learners_per_node 8 4 \\
    --sequence_parallel_size 2 \\
    --deepspeed_stage 3 \\
    --max_prompt_token_length 2048 --response_length 8192 --pack_length 10240 \\
    --stop_strings "</answer>" \\
    --beta 0.0 \\
    --vllm_tensor_parallel_size 2 \\
    --apply_verifiable_reward true \\
    --gradient_checkpointing
"""
DIRECT = "uv run python open_instruct/grpo_fast.py \\\n" + FLAGS
MASON = (
    "python mason.py --cluster ai2/jupiter --num_nodes 3 --gpus 8 --env VLLM_ALLOW_LONG_MAX_MODEL_LEN=1 \\\n"
    "    --env A=b -- source configs/ray_node_setup.sh \\&\\& python open_instruct/grpo_fast.py \\\n" + FLAGS
)
WANTED = {
    "trainer_kind": "grpo",
    "world_size": 12,
    "sp": 2,
    "dp": 6,
    "engine": "deepspeed",
    "zero_stage": 3,
    "group_size": 16,
    "group_relative": True,
    "train_batch_samples": 1024,
    "kl_in_loss": False,
    "rollout_engine": "vllm",
    "rollout_tp": 2,
    "rollout_colocated": False,
    "response_length": 8192,
    "clip_norm": 1.0,
    "micro_batch_per_gpu": 1,
    "model": "Qwen/Qwen3-8B",
}


def runs(folder: Path, script: str, supplied: Supplied = RELEASE):
    """The runs of a script that this framework leads."""
    (folder / "run.sh").write_text(script)
    return [run for run in read(read_source(folder / "run.sh"), supplied).runs if run.trainer == "open-instruct"]


@pytest.mark.parametrize("script", [DIRECT, MASON])
def test_both_ways_to_start_it(tmp_path: Path, script: str) -> None:
    """One run either way, with the same facts; words behind mason.py keep their quoting."""
    (run,) = runs(tmp_path, script)
    assert {name: fact(run, name) for name in WANTED} == WANTED
    assert run.value("open-instruct", "stop_strings").value == ["</answer>"]
    assert not run.complaints


def test_what_mason_is_told(tmp_path: Path) -> None:
    """Machines and environment stand before the dashes."""
    (run,) = runs(tmp_path, MASON)
    assert (fact(run, "nodes"), fact(run, "gpus_per_node")) == (3, 8)
    assert run.env["VLLM_ALLOW_LONG_MAX_MODEL_LEN"].text == "1"
    (other,) = runs(tmp_path, MASON.replace("--num_nodes 3", "--num_nodes $NODES"))
    assert other.fact("nodes") is None or isinstance(other.fact("nodes"), Unknown)


@pytest.mark.parametrize(("program", "kind"), [("finetune", "sft"), ("dpo", "dpo"), ("reward_modeling", "reward")])
def test_other_programs(tmp_path: Path, program: str, kind: str) -> None:
    """Programs without rollouts have no group."""
    (run,) = runs(
        tmp_path, f"accelerate launch open_instruct/{program}.py --model_name_or_path x --learning_rate 1e-5\n"
    )
    assert (fact(run, "trainer_kind"), fact(run, "learning_rate"), run.fact("group_size")) == (kind, 1e-5, None)


def test_unknown_parts(tmp_path: Path) -> None:
    """A value behind a variable, words that may hide options."""
    (run,) = runs(tmp_path, DIRECT.replace("rollout 16", "rollout $N"))
    assert isinstance(run.fact("group_size"), Unknown)
    assert fact(run, "dp") == 6
    (run,) = runs(tmp_path, "python open_instruct/grpo_fast.py --beta 0.0 $ARGS\n")
    assert isinstance(run.fact("group_size"), Unknown)


def test_options_are_refused_only_by_a_release_that_is_named(tmp_path: Path) -> None:
    """The main branch has had options that are in no release."""
    script = "python open_instruct/grpo_fast.py --num_sample_per_prompt_rollout 8\n"
    (run,) = runs(tmp_path, script)
    assert [(each.kind, each.suggestion) for each in run.complaints] == [
        ("unknown-key", "num_samples_per_prompt_rollout")
    ]
    (run,) = runs(tmp_path, script, Supplied())
    assert not run.complaints


@pytest.mark.parametrize(
    "command", ["python grpo_fast.py --beta 0", "python mason.py --gpus 8", "python mason.py -- python train.py"]
)
def test_other_programs_are_not_taken(tmp_path: Path, command: str) -> None:
    """Names alone, and mason.py with something else."""
    assert not runs(tmp_path, command + "\n")


def test_spelling(tmp_path: Path) -> None:
    """Underscores, and a value for a boolean."""
    own = framework("open-instruct")
    (run,) = runs(tmp_path, DIRECT)
    assert (
        own.spell("deepspeed_stage", 2, run.setting("open-instruct", "deepspeed_stage"), run) == "--deepspeed_stage 2"
    )
    assert own.spell("pack_length", 4096, None, run) == "--pack_length 4096"
    assert own.spell("use_rho_correction", False, None, run) == "--use_rho_correction false"


def test_every_fact_answers(tmp_path: Path) -> None:
    """No provider has a name that nobody can ask for, and none raises."""
    (run,) = runs(tmp_path, MASON)
    assert {name for provider in run.providers for name in provider} <= set(FACTS)
    for name in FACTS:
        run.fact(name)
