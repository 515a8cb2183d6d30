"""OpenRLHF: both spellings of its options, what it derives, and what stays unknown."""

from __future__ import annotations

import pytest
from framework_runs import fact, known, run_of

NEW = (
    "ray job submit --address http://127.0.0.1:8265 -- python3 -m openrlhf.cli.train_ppo_ray"
    " --actor.num_nodes 2 --actor.num_gpus_per_node 8 --vllm.num_engines 16 --vllm.tensor_parallel_size 1"
    " --vllm.gpu_memory_utilization 0.6 --vllm.enable_sleep --train.colocate_all --algo.advantage.estimator group_norm"
    " --rollout.n_samples_per_prompt 8 --rollout.batch_size 128 --train.batch_size 1024 --train.micro_batch_size 2"
    " --ds.zero_stage 3 --ds.adam_offload --ds.ring_attn_size 2 --actor.adam.lr 5e-7 --algo.kl.use_loss"
    " --algo.kl.init_coef 1e-3 --reward.remote_url /r/reward.py --actor.model_name_or_path Qwen/Qwen3-8B --data.max_len 4096"
)
OLD = (
    "python3 -m openrlhf.cli.train_ppo_ray --actor_num_nodes 1 --actor_num_gpus_per_node 8 --vllm_num_engines 8"
    " --vllm_tensor_parallel_size 1 --colocate_all_models --vllm_enable_sleep --advantage_estimator rloo"
    " --n_samples_per_prompt 4 --rollout_batch_size 256 --train_batch_size 128 --micro_train_batch_size 8"
    " --zero_stage 3 --bf16 --actor_learning_rate 5e-7 --init_kl_coef 1e-4 --pretrain a/b --reward_pretrain c/d"
    " --packing_samples --max_len 8192"
)


def test_dotted_names():
    run = run_of(NEW)
    assert run.trainer == "openrlhf"
    assert run.settings["openrlhf"].version.text == "0.11.2"
    expected = {
        "world_size": 16,
        "nodes": 2,
        "sp": 2,
        "dp": 8,
        "group_size": 8,
        "group_relative": True,
        "uses_critic": False,
        "kl_in_loss": True,
        "kl_in_reward": False,
        "reward_kind": "function",
        "train_batch_samples": 1024,
        "mini_batch_prompts": 128,
        "gradient_accumulation": 64,
        "zero_stage": 3,
        "offload_optimizer": "cpu",
        "precision": "bf16",
        "optimizer": "adamw",
        "learning_rate": 5e-7,
        "clip_norm": 1.0,
        "rollout_engine": "vllm",
        "rollout_memory": 0.6,
        "rollout_colocated": True,
        "rollout_sleep": True,
        "sleep_level": 1,
        "enforce_eager": False,
        "lora_rank": 0,
        "model": "Qwen/Qwen3-8B",
        "context_length": 4096,
        "save_every": -1,
    }
    assert {name: fact(run, name) for name in expected} == expected


def test_underscored_names_tell_the_release():
    run = run_of(OLD)
    version = run.settings["openrlhf"].version
    assert version.text == "0.9.1.post1"  # the last one with --bf16
    assert version.assumed
    assert version.origin == "inferred from its options"
    expected = {
        "world_size": 8,
        "advantage": "rloo",
        "group_size": 4,
        "precision": "bf16",
        "zero_stage": 3,
        "rollout_sleep": True,
        "reward_kind": "model",
        "mini_batch_prompts": 32,
        "learning_rate": 5e-7,
        "model": "a/b",
    }
    assert {name: fact(run, name) for name in expected} == expected
    assert known(run.value("openrlhf", "packing_samples")) is True


def test_the_newest_release_that_knows_the_options_is_taken():
    version = run_of(OLD.replace("--bf16", "--param_dtype bf16")).settings["openrlhf"].version
    assert version.text == "0.10.1.post2"
    strange = run_of("python -m openrlhf.cli.train_ppo_ray --zero_stage 3 --my_own_option 4 --pretrain a/b")
    assert strange.settings["openrlhf"].version.text == "0.10.1.post2"
    assert run_of("python -m openrlhf.cli.train_ppo_ray").settings["openrlhf"].version.text == "0.11.2"


def test_a_release_that_is_named_is_believed():
    assert run_of(OLD, versions={"openrlhf": "0.9.1"}).settings["openrlhf"].version.text == "0.9.1"


def test_the_default_group_is_one_response():
    run = run_of("python -m openrlhf.cli.train_ppo_ray --algo.advantage.estimator rloo --actor.num_nodes 1")
    assert fact(run, "group_size") == 1
    assert fact(run, "group_relative") is True


def test_sleep_is_off_unless_models_share_devices():
    line = "python -m openrlhf.cli.train_ppo_ray --vllm.num_engines 2 --vllm.enable_sleep"
    assert fact(run_of(line), "rollout_sleep") is False
    assert fact(run_of(line + " --train.colocate_all"), "rollout_sleep") is True


def test_what_openrlhf_writes_for_deepspeed_and_vllm():
    run = run_of(NEW)
    assert known(run.value("deepspeed", "zero_optimization.stage")) == 3
    assert known(run.value("deepspeed", "gradient_clipping")) == 1.0
    assert known(run.value("deepspeed", "zero_optimization.overlap_comm")) is False
    assert run.setting("deepspeed", "zero_optimization.stage") is None
    assert known(run.value("vllm", "max_model_len")) == 4096
    assert known(run.value("vllm", "enable_sleep_mode")) is True


def test_supervised_training_counts_processes_of_the_launcher():
    run = run_of(
        "deepspeed --num_gpus 4 --module openrlhf.cli.train_sft --model.model_name_or_path a/b --train.batch_size 64"
        " --train.micro_batch_size 2 --adam.lr 1e-5 --max_norm 0"
    )
    expected = {"world_size": 4, "gradient_accumulation": 8, "learning_rate": 1e-5, "clip_norm": 0.0, "model": "a/b"}
    assert {name: fact(run, name) for name in expected} == expected
    assert fact(run, "group_size") is None
    assert fact(run, "rollout_engine") is None


def test_unknown_parts():
    run = run_of(
        "python -m openrlhf.cli.train_ppo_ray --rollout.n_samples_per_prompt $N --rollout.batch_size 128 $EXTRA"
    )
    assert fact(run, "group_size") == "<env:N>"
    assert fact(run, "train_batch_samples") == "<env:N>"
    assert fact(run, "train_batch_prompts") == 128
    assert fact(run, "zero_stage") == "<env:EXTRA>"
    assert known(run.value("deepspeed", "gradient_clipping")) == "<env:EXTRA>"


@pytest.mark.parametrize(
    "line",
    ["python -m openrlhf.cli.serve_rm --port 5000", "python -m openrlhf.models.actor", "python openrlhf.py --x 1"],
)
def test_other_programs_are_not_training(line):
    assert run_of(line) is None


def test_spelling_keeps_the_name_as_written():
    from grpolint.frameworks.openrlhf import FRAMEWORK

    run = run_of(NEW)
    setting = run.setting("openrlhf", "rollout.n_samples_per_prompt")
    assert FRAMEWORK.spell(setting.key, 16, setting, run) == "--rollout.n_samples_per_prompt 16"
    assert FRAMEWORK.spell("vllm.enforce_eager", True, None, run) == "--vllm.enforce_eager"
    assert FRAMEWORK.spell("actor.max_norm", 1.0, None, run) == "--actor.max_norm 1.0"


def test_older_releases_answer_to_the_dotted_names():
    from grpolint.frameworks.openrlhf import FRAMEWORK

    run = run_of(OLD)
    setting = run.setting("openrlhf", "rollout.n_samples_per_prompt")
    assert setting is run.setting("openrlhf", "n_samples_per_prompt")
    assert known(run.value("openrlhf", "rollout.n_samples_per_prompt")) == 4
    assert known(run.value("openrlhf", "actor.max_norm")) == 1.0
    assert FRAMEWORK.spell("rollout.n_samples_per_prompt", 8, setting, run) == "--n_samples_per_prompt 8"
    assert FRAMEWORK.spell("actor.max_norm", 0.5, None, run) == "--max_norm 0.5"
    assert FRAMEWORK.spell("vllm.enforce_eager", True, None, run) == "--enforce_eager"
    assert run.setting("openrlhf", "ds.zero_stage").key == "zero_stage"


def test_a_parser_in_the_tree_has_options_of_its_own(tmp_path):
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "openrlhf" / "cli").mkdir(parents=True)
    (tmp_path / "openrlhf" / "cli" / "train_ppo_ray.py").write_text('parser.add_argument("--ref_pretrain", type=str)\n')
    line = "python -m openrlhf.cli.train_ppo_ray --pretrain a/b --ref_pretrain c/d --nothing_knows_me 1"
    run = run_of(line, tmp_path, versions={"openrlhf": "0.8.5"})
    assert [each.key for each in run.complaints] == ["nothing_knows_me"]
    assert known(run.value("openrlhf", "ref_pretrain")) == "c/d"
