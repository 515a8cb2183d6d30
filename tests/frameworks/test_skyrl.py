"""SkyRL from the user's side: both packages' entry points, programs on top, Hydra's and OmegaConf's command lines."""

from __future__ import annotations

import pytest
from framework_runs import fact, known, launch, leader, run_of

from grpolint.documents.source import Source
from grpolint.frameworks.skyrl import FRAMEWORK
from grpolint.run import Run
from grpolint.values import Default
from grpolint.world import World

COMMON = (
    "trainer.algorithm.advantage_estimator=grpo trainer.policy.model.path=Qwen/Qwen2.5-1.5B-Instruct "
    "trainer.placement.policy_num_gpus_per_node=4 trainer.train_batch_size=512 trainer.policy_mini_batch_size=128 "
    "trainer.micro_train_batch_size_per_gpu=16 generator.n_samples_per_prompt=8 trainer.policy.optimizer_config.lr=1e-6"
)
NEW = f"python -m skyrl.train.entrypoints.main_base {COMMON} generator.inference_engine.num_engines=4"
OLD = f"python -m skyrl_train.entrypoints.main_base {COMMON} generator.num_inference_engines=4 generator.inference_engine_tensor_parallel_size=1"


def skyrl(text: str, **versions: str) -> Run:
    run = run_of(text, versions=versions)
    assert run is not None
    assert run.trainer == "skyrl"
    return run


@pytest.mark.parametrize(
    "text",
    [
        "python -m skyrl.train.entrypoints.main_base trainer.epochs=1",
        "python -m skyrl_train.entrypoints.main_generate trainer.epochs=1",
        "python skyrl-train/skyrl_train/entrypoints/main_base.py trainer.epochs=1",
        f"python -m examples.train.algorithms.dapo.main_dapo {COMMON}",
    ],
)
def test_entry_points_and_programs_on_top(text: str) -> None:
    framework = leader(launch(text), World(Source("run.sh", text)))
    assert framework is not None
    assert framework.name == "skyrl"


@pytest.mark.parametrize(
    "text",
    [
        "python -m skyrl.train.main_sft model.path=x",
        "python -m verl.trainer.main_ppo trainer.nnodes=1 actor_rollout_ref.rollout.n=8",
        "python train.py trainer.epochs=3 generator.n=2 model.path=x",
    ],
)
def test_lookalikes(text: str) -> None:
    framework = leader(launch(text), World(Source("run.sh", text)))
    assert framework is None or framework.name != "skyrl"


@pytest.mark.parametrize(
    ("text", "versions"),
    [(NEW, {"skyrl": "0.3.0"}), (OLD, {"skyrl-train": "0.3.0"}), (OLD, {"skyrl": "0.3.0"})],
)
def test_facts_of_both_packages(text: str, versions: dict[str, str]) -> None:
    run = skyrl(text, **versions)
    expected = {
        "world_size": 4,
        "dp": 4,
        "group_size": 8,
        "group_relative": True,
        "train_batch_samples": 4096,
        "mini_batch_prompts": 128,
        "gradient_accumulation": 16,
        "rollout_tp": 1,
        "rollout_engine": "vllm",
        "rollout_colocated": True,
        "rollout_memory": 0.8,
        "kl_in_loss": True,
        "context_length": 1536,
        "learning_rate": 1e-6,
    }
    assert {name: fact(run, name) for name in expected} == expected
    assert not run.complaints


def test_defaults_are_those_of_the_release() -> None:
    old, new = skyrl(OLD, **{"skyrl-train": "0.3.0"}), skyrl(NEW, skyrl="0.3.0")
    for run, framework, strategy in ((old, "skyrl-train", "fsdp2"), (new, "skyrl", "fsdp")):
        value = run.value("skyrl", "trainer.strategy")
        assert isinstance(value, Default)
        assert (value.framework, value.value) == (framework, strategy)


def test_megatron_shares_the_devices_by_its_own_sizes() -> None:
    text = f"{NEW} trainer.strategy=megatron trainer.policy.megatron_config.tensor_model_parallel_size=2"
    run = skyrl(text, skyrl="0.3.0")
    assert (fact(run, "tp"), fact(run, "dp"), fact(run, "sp")) == (2, 2, 1)


def test_the_two_command_lines_differ_in_the_plus() -> None:
    assert [each.kind for each in skyrl(f"{NEW} +trainer.mine=1", skyrl="0.3.0").complaints] == [
        "bad-override",
        "unknown-key",
    ]
    assert not skyrl(f"{OLD} +generator.engine_init_kwargs.max_model_len=4096", **{"skyrl-train": "0.3.0"}).complaints


def test_unknown_options_are_refused_by_its_own_entry_points_alone() -> None:
    added = "trainer.policy_minibatch_size=64"
    for text, versions in ((NEW, {"skyrl": "0.3.0"}), (OLD, {"skyrl-train": "0.3.0"})):
        complaints = skyrl(f"{text} {added}", **versions).complaints
        assert [(each.kind, each.certain) for each in complaints] == [("unknown-key", True)]
        own = text.replace("skyrl_train.entrypoints.main_base", "mine.main").replace(
            "skyrl.train.entrypoints.main_base", "mine.main"
        )
        assert not skyrl(f"{own} {added}", **versions).complaints
    other = f"{NEW} trainer.override_entrypoint=mine.main {added}"
    assert not skyrl(other, skyrl="0.3.0").complaints


def test_environments_and_dictionaries_take_any_option() -> None:
    text = f"{NEW} environment.skyrl_gym.search.topk=3 generator.inference_engine.engine_init_kwargs.max_model_len=4096"
    run = skyrl(text, skyrl="0.3.0")
    assert not run.complaints
    assert known(run.value("skyrl", "generator.inference_engine.engine_init_kwargs.max_model_len")) == 4096


def test_a_program_on_top_is_told_by_its_options() -> None:
    text = f"python -m examples.main_dapo {COMMON} generator.gpu_memory_utilization=0.5 +trainer.mine=1"
    run = skyrl(text, **{"skyrl-train": "0.2.0"})
    assert fact(run, "rollout_memory") == 0.5
    assert known(run.value("skyrl", "trainer.mine")) == 1


def test_unknown_values() -> None:
    run = skyrl(NEW.replace("n_samples_per_prompt=8", "n_samples_per_prompt=$N"), skyrl="0.3.0")
    assert fact(run, "group_size") == "<env:N>"
    assert fact(skyrl(f"{NEW} $MORE", skyrl="0.3.0"), "rollout_memory") == "<env:MORE>"


def test_lists_and_quotes_on_the_command_line() -> None:
    run = skyrl(f"{NEW} 'data.train_data=[a.parquet,b.parquet]' trainer.run_name=", skyrl="0.3.0")
    assert known(run.value("skyrl", "data.train_data")) == ["a.parquet", "b.parquet"]


def test_spelling() -> None:
    run = skyrl(f"{OLD} +generator.engine_init_kwargs.max_model_len=4096", **{"skyrl-train": "0.3.0"})
    key = "generator.engine_init_kwargs.max_model_len"
    assert FRAMEWORK.spell(key, 8192, run.setting("skyrl", key), run) == f"+{key}=8192"
    assert FRAMEWORK.spell("trainer.seed", 1, None, run) == "trainer.seed=1"
