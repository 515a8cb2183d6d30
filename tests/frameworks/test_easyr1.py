"""EasyR1 from the user's side: its program beside verl's, the file that `config=` names, copies of its package."""

from __future__ import annotations

from pathlib import Path

import pytest
from framework_runs import fact, known, launch, leader, run_of

from grpolint.changes import SetOption
from grpolint.documents import yaml
from grpolint.documents.source import Source
from grpolint.frameworks.easyr1 import FRAMEWORK
from grpolint.run import Run
from grpolint.values import Default
from grpolint.world import World

CONFIG = """
data:
  rollout_batch_size: 512
  max_prompt_length: 2048
algorithm:
  adv_estimator: grpo
  use_kl_loss: true
worker:
  actor:
    global_batch_size: 128
    micro_batch_size_per_device_for_update: 4
    model: {model_path: Qwen/Qwen2.5-7B-Instruct}
    optim: {lr: 1.0e-6, strategy: adamw}
    offload: {offload_optimizer: true}
  rollout: {n: 5, tensor_parallel_size: 2, gpu_memory_utilization: 0.6}
trainer: {nnodes: 1, n_gpus_per_node: 8, save_freq: 5}
"""

LINE = "python3 -m verl.trainer.main config=examples/config.yaml worker.rollout.n=8 worker.actor.optim.lr=2e-6"


def folder_with(folder: Path, text: str = CONFIG) -> Path:
    (folder / "pyproject.toml").write_text("")
    (folder / "examples").mkdir()
    (folder / "examples/config.yaml").write_text(text)
    return folder


def easyr1(text: str, folder: Path | None = None, version: str | None = "0.3.2") -> Run:
    run = run_of(text, folder, versions={"easyr1": version} if version else {})
    assert run is not None
    assert run.trainer == "easyr1"
    return run


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("python3 -m verl.trainer.main config=examples/config.yaml", "easyr1"),
        ("python3 verl/trainer/main.py data.seed=1", "easyr1"),
        ("python3 -m verl.trainer.main_ppo data.train_batch_size=8", "verl"),
        ("python3 -m verl.trainer.main_eval data.path=x", "verl"),
        ("python3 -m my.trainer.main config=a.yaml", None),
    ],
)
def test_its_program_is_not_one_of_verl(text: str, expected: str | None) -> None:
    framework = leader(launch(text), World(Source("run.sh", text)))
    assert (framework.name if framework is not None else None) == expected


def test_arguments_stand_above_the_file_and_the_file_above_defaults(tmp_path: Path) -> None:
    run = easyr1(LINE, folder_with(tmp_path))
    assert fact(run, "group_size") == 8
    assert fact(run, "learning_rate") == 2e-6
    assert fact(run, "mini_batch_prompts") == 128
    clip = run.value("easyr1", "worker.actor.max_grad_norm")
    assert isinstance(clip, Default)
    assert clip.value == 1.0
    assert not run.complaints


def test_facts(tmp_path: Path) -> None:
    run = easyr1(LINE + " worker.actor.ulysses_size=2 worker.actor.dynamic_batching=false", folder_with(tmp_path))
    expected = {
        "world_size": 8,
        "sp": 2,
        "dp": 4,
        "train_batch_samples": 4096,
        "micro_batch_per_gpu": 4,
        "gradient_accumulation": 64,
        "group_relative": True,
        "kl_in_loss": True,
        "kl_in_reward": False,
        "offload_optimizer": "cpu",
        "offload_params": "none",
        "rollout_tp": 2,
        "rollout_engine": "vllm",
        "precision": "bf16",
        "context_length": 2560,
        "save_every": 5,
    }
    assert {name: fact(run, name) for name in expected} == expected


def test_micro_batches_packed_by_tokens_have_no_count(tmp_path: Path) -> None:
    assert fact(easyr1(LINE, folder_with(tmp_path)), "micro_batch_per_gpu") is None


def test_a_file_that_is_not_there_leaves_the_rest_unknown(tmp_path: Path) -> None:
    run = easyr1(LINE, tmp_path)
    assert fact(run, "group_size") == 8
    assert fact(run, "advantage") == "<file:examples/config.yaml>"


def test_values_behind_variables(tmp_path: Path) -> None:
    folder = folder_with(tmp_path)
    run = easyr1(LINE.replace("n=8", "n=$N") + " data.train_files=$DATA/a.parquet", folder)
    assert fact(run, "group_size") == "<env:N>"
    assert fact(easyr1(LINE + " $EXTRA", folder), "precision") == "<env:EXTRA>"


def test_an_option_that_the_dataclasses_lack(tmp_path: Path) -> None:
    run = easyr1(
        LINE + " worker.rollout.tensor_model_parallel_size=2 worker.actor.model.override_config.a.b=1",
        folder_with(tmp_path),
    )
    assert [(each.kind, each.key, each.certain) for each in run.complaints] == [
        ("unknown-key", "worker.rollout.tensor_model_parallel_size", True)
    ]


def test_an_unknown_option_under_an_assumed_release_is_of_another_one(tmp_path: Path) -> None:
    run = easyr1(LINE + " worker.actor.model.lora.rank=64", folder_with(tmp_path), version=None)
    assert not run.complaints
    assert fact(run, "lora_rank") == 64
    assert fact(run, "precision") == "<fork:worker.actor.model.lora.rank>"


def test_a_copy_of_the_package_names_the_release_it_comes_from(tmp_path: Path) -> None:
    folder = folder_with(tmp_path)
    (folder / "verl/trainer").mkdir(parents=True)
    (folder / "verl/trainer/main.py").write_text("")
    (folder / "verl/__init__.py").write_text('__version__ = "0.3.0"\n')
    version = easyr1(LINE, folder, version=None).settings["easyr1"].version
    assert (version.text, version.assumed) == ("0.3.0", True)


def test_a_configuration_on_its_own() -> None:
    document = yaml.parse(Source("config.yaml", CONFIG))
    assert FRAMEWORK.recognise_document(document)
    assert not FRAMEWORK.recognise_document(yaml.parse(Source("x.yaml", "worker: {actor: {}}\ndata: {seed: 1}\n")))
    run = Run("easyr1", document.source)
    FRAMEWORK.compose(run, World(document.source), document)
    assert fact(run, "group_size") == 5


def test_spelling(tmp_path: Path) -> None:
    run = easyr1(LINE, folder_with(tmp_path))
    change = SetOption("easyr1", "worker.rollout.n", 4)
    setting = run.setting("easyr1", "worker.rollout.n")
    assert FRAMEWORK.spell(change.key, change.value, setting, run) == "worker.rollout.n=4"
    own = run.setting("easyr1", "worker.actor.global_batch_size")
    assert FRAMEWORK.spell("worker.actor.global_batch_size", 64, own, run) == "global_batch_size: 64"
    assert FRAMEWORK.spell("worker.actor.padding_free", True, None, run) == "worker.actor.padding_free=true"
    assert known(run.value("easyr1", "worker.actor.optim.lr")) == 2e-6
