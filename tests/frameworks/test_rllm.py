"""rLLM from the user's side: its programs, scripts with `hydra.main`, both kinds of trainer, services instead of verl."""

from __future__ import annotations

from pathlib import Path

import pytest
from framework_runs import fact, known, launch, leader, run_of

from grpolint.check import Selection, check
from grpolint.documents import python
from grpolint.documents.source import Source
from grpolint.findings import Outcome
from grpolint.reader import Reading
from grpolint.run import Run
from grpolint.values import Default, Unknown
from grpolint.world import World

LEGACY = (
    "python3 -m examples.search.train_search algorithm.adv_estimator=grpo data.train_batch_size=64 "
    "data.max_prompt_length=2048 data.max_response_length=4096 actor_rollout_ref.model.path=Qwen/Qwen3-4B "
    "actor_rollout_ref.actor.ppo_mini_batch_size=32 actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.n=8 "
    "rllm.agent.max_steps=5 rllm.stepwise_advantage.enable=True trainer.n_gpus_per_node=8 trainer.nnodes=1"
)

AGENT = """
import hydra
from rllm.trainer.agent_trainer import AgentTrainer
from search.agent import SearchAgent, SearchEnv

@hydra.main(config_path="pkg://rllm.trainer.config", config_name="agent_ppo_trainer", version_base=None)
def main(config):
    AgentTrainer(agent_class=SearchAgent, env_class=SearchEnv, config=config, train_dataset=load()).train()

main()
"""

UNIFIED = """
import hydra
from rllm.experimental.unified_trainer import AgentTrainer
from flows import solve, judge

@hydra.main(config_path="pkg://rllm.experimental.config", config_name="unified", version_base=None)
def main(config):
    AgentTrainer(config=config, agent_flow=solve, evaluator=judge, backend=config.rllm.backend).train()

main()
"""


def project(folder: Path, script: str, path: str = "examples/search/train_search.py") -> Path:
    """A project with one training script."""
    (folder / "pyproject.toml").write_text("")
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(script)
    return folder


def rllm(text: str, folder: Path, *, version: str | None = "0.2.1") -> Run:
    run = run_of(text, folder, versions={"rllm": version} if version else {})
    assert run is not None
    assert run.trainer == "rllm"
    return run


@pytest.mark.parametrize(
    "text",
    [
        "python3 -m rllm.trainer.verl.train_agent_ppo data.train_batch_size=8",
        "python train.py rllm/backend=tinker model.name=Qwen/Qwen3-8B",
        "python train.py actor_rollout_ref.actor.strategy=fsdp actor_rollout_ref.rollout.n=8 rllm.agent.max_steps=5",
    ],
)
def test_programs_and_options_that_only_rllm_has(text: str) -> None:
    framework = leader(launch(text), World(Source("run.sh", text)))
    assert framework is not None
    assert framework.name == "rllm"


@pytest.mark.parametrize(
    "text",
    [
        "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.n=8 actor_rollout_ref.actor.strategy=fsdp",
        "python train.py actor_rollout_ref.actor.strategy=fsdp actor_rollout_ref.rollout.n=8",
        "python train.py --rllm.enable",
        "python -m rllm.cli.main eval gsm8k",
    ],
)
def test_lookalikes(text: str) -> None:
    framework = leader(launch(text), World(Source("run.sh", text)))
    assert framework is None or framework.name != "rllm"


def test_a_script_is_recognised_by_the_configuration_it_names(tmp_path: Path) -> None:
    text = "python3 -m examples.search.train_search data.train_batch_size=64"
    run = rllm(text, project(tmp_path, AGENT))
    assert fact(run, "train_batch_prompts") == 64


def test_options_belong_to_verl_or_to_rllm(tmp_path: Path) -> None:
    run = rllm(LEGACY, project(tmp_path, AGENT))
    assert known(run.value("verl", "actor_rollout_ref.rollout.n")) == 8
    assert known(run.value("rllm", "rllm.agent.max_steps")) == 5
    assert run.value("verl", "rllm.agent.max_steps") is None
    assert run.value("rllm", "actor_rollout_ref.rollout.n") is None
    assert not run.complaints


@pytest.mark.parametrize(("rllm_version", "verl_version"), [("0.2.0", "0.5.0"), ("0.2.1.post1", "0.6.1")])
def test_a_release_brings_its_release_of_verl(tmp_path: Path, rllm_version: str, verl_version: str) -> None:
    run = rllm(LEGACY, project(tmp_path, AGENT), version=rllm_version)
    assert run.settings["verl"].version.text == verl_version
    assert not run.settings["verl"].version.assumed


def test_defaults_say_which_of_the_two_they_are_of(tmp_path: Path) -> None:
    run = rllm(LEGACY, project(tmp_path, AGENT))
    mode = run.value("verl", "actor_rollout_ref.rollout.mode")
    assert isinstance(mode, Default)
    assert (mode.value, mode.framework) == ("async", "rllm")
    clip = run.value("verl", "actor_rollout_ref.actor.clip_ratio")
    assert isinstance(clip, Default)
    assert clip.framework == "verl"


def test_the_resolver_that_rllm_registers(tmp_path: Path) -> None:
    run = rllm(
        LEGACY + " rllm.rejection_sample.enable=True rllm.rejection_sample.multiplier=2", project(tmp_path, AGENT)
    )
    assert known(run.value("verl", "data.gen_batch_size")) == 128


def test_facts_of_verl_hold(tmp_path: Path) -> None:
    run = rllm(LEGACY, project(tmp_path, AGENT))
    found = {name: fact(run, name) for name in ("group_size", "world_size", "mini_batch_prompts", "rollout_engine")}
    assert found == {"group_size": 8, "world_size": 8, "mini_batch_prompts": 32, "rollout_engine": "vllm"}
    assert fact(run, "group_relative") is True


def test_unknown_options_are_refused_with_their_owner(tmp_path: Path) -> None:
    run = rllm(LEGACY + " rllm.agent.max_stepz=3 trainer.nnodez=2", project(tmp_path, AGENT))
    assert [(each.framework, each.key, each.certain) for each in run.complaints] == [
        ("rllm", "rllm.agent.max_stepz", True),
        ("verl", "trainer.nnodez", True),
    ]


def test_an_assumed_release_gives_way_to_one_that_has_the_options(tmp_path: Path) -> None:
    folder = project(tmp_path, UNIFIED)
    text = "python -m examples.search.train_search rllm/backend=tinker +sampling.train.top_k=5 training.group_size=4"
    assert rllm(text, folder, version=None).settings["rllm"].version.text == "0.3.0rc0"


def test_values_and_files_that_are_not_known(tmp_path: Path) -> None:
    run = rllm(LEGACY.replace("rollout.n=8", "rollout.n=$N"), project(tmp_path, AGENT))
    assert fact(run, "group_size") == "<env:N>"
    absent = rllm("python3 -m jobs.train rllm.agent.max_steps=5 actor_rollout_ref.rollout.n=8", tmp_path / "other")
    assert known(absent.value("rllm", "rllm.agent.max_steps")) == 5
    assert isinstance(absent.value("verl", "data.train_batch_size"), Unknown)
    assert known(absent.value("rllm", "rllm.workflow.use_workflow")) == "<file:jobs/train.py>"


def test_a_training_service_has_no_verl(tmp_path: Path) -> None:
    text = (
        "python -m examples.search.train_search rllm/backend=tinker model.name=Qwen/Qwen3-8B model.lora_rank=16 "
        "training.group_size=8 validation.group_size=1 training.learning_rate=4e-5 data.train_batch_size=32"
    )
    run = rllm(text, project(tmp_path, UNIFIED), version="0.3.0rc0")
    assert "verl" not in run.settings
    found = {name: fact(run, name) for name in ("group_size", "lora_rank", "train_batch_prompts", "learning_rate")}
    assert found == {"group_size": 8, "lora_rank": 16, "train_batch_prompts": 32, "learning_rate": 4e-5}
    assert fact(run, "advantage") == "grpo"


def test_the_unified_trainer_on_verl_repeats_prompts_by_its_own_option(tmp_path: Path) -> None:
    text = (
        "python -m examples.search.train_search rllm/backend=verl actor_rollout_ref.rollout.name=vllm "
        "algorithm.adv_estimator=rloo rllm.rollout.n=6"
    )
    run = rllm(text, project(tmp_path, UNIFIED), version="0.3.0rc0")
    assert fact(run, "advantage") == "rloo"
    assert fact(run, "group_size") == 6
    assert known(run.value("verl", "actor_rollout_ref.rollout.n")) == 1


def checkout(folder: Path) -> Path:
    """A checkout of the sources since options are copied onto verl's, with what matters of its configuration."""
    project(folder, UNIFIED.replace("experimental.", "trainer."))
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "rllm"\nversion = "0.3.0.pre"\n[x]\ny = ["verl==0.8.0"]\n'
    )
    own = folder / "rllm/trainer/config"
    texts = {
        "agent_ppo_trainer": "defaults: [ppo_trainer, _self_]\n",
        "unified": "defaults:\n- rllm: base\n- rllm/backend: verl\n- _self_\nhydra:\n  searchpath: ['pkg://verl.trainer.config']\n",
        "rllm/base": (
            "data: {train_batch_size: 64, max_prompt_length: 2048}\nrollout: {n: 8}\nalgorithm: {adv_estimator: grpo, kl_beta: 0.0}\n"
            "async_training: {enable: false, mini_batch_size: 64}\n"
        ),
        "rllm/backend/verl": "# @package _global_\ndefaults:\n- /ppo_trainer\n- _self_\nrllm:\n  backend: verl\n",
    }
    for name, text in texts.items():
        path = own / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_a_checkout_names_both_releases_and_its_options_replace_those_of_verl(tmp_path: Path) -> None:
    text = "python -m examples.search.train_search rllm.rollout.n=4 actor_rollout_ref.rollout.n=16 trainer.nnodes=2"
    run = rllm(text, checkout(tmp_path), version=None)
    assert (run.settings["rllm"].version.text, run.settings["verl"].version.text) == ("0.3.0rc0", "0.8.0")
    assert fact(run, "group_size") == 4
    assert known(run.value("verl", "data.train_batch_size")) == 64
    native = rllm(
        "python -m examples.search.train_search actor_rollout_ref.rollout.n=16", checkout(tmp_path), version=None
    )
    assert fact(native, "group_size") == 16


def test_separate_training_takes_the_mini_batch_of_its_own(tmp_path: Path) -> None:
    text = "python -m examples.search.train_search rllm.async_training.enable=true actor_rollout_ref.actor.ppo_mini_batch_size=256"
    run = rllm(text, checkout(tmp_path), version=None)
    assert fact(run, "mini_batch_prompts") == 64
    assert fact(run, "rollout_colocated") is False


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (AGENT, 1),
        (
            AGENT.replace("agent_class=SearchAgent, env_class=SearchEnv", "workflow_class=Solve"),
            "<computed:trajectories of a rollout>",
        ),
    ],
)
def test_one_rollout_of_a_workflow_may_hold_several_trajectories(tmp_path: Path, script: str, expected: object) -> None:
    run = rllm(LEGACY.replace("rollout.n=8", "rollout.n=1"), project(tmp_path, script))
    assert fact(run, "group_size") == expected


def test_a_script_on_its_own_tells_what_it_passes_to_the_trainer() -> None:
    document = python.parse(Source("train.py", AGENT))
    from grpolint.frameworks.rllm import FRAMEWORK

    assert FRAMEWORK.recognise_python(document)
    assert not FRAMEWORK.recognise_python(python.parse(Source("t.py", AGENT.replace("rllm.trainer", "other.trainer"))))
    run = Run("rllm", document.source)
    FRAMEWORK.compose(run, World(document.source), document)
    assert known(run.value("rllm", "AgentTrainer.agent_class")) == "SearchAgent"
    assert known(run.value("rllm", "rllm.agent.max_steps")) == "<file:command line>"


@pytest.mark.parametrize(
    ("version", "codes"), [("0.2.0", {"VE001", "VE002"}), ("0.2.1", set()), ("0.3.0rc0", {"VE001", "VE002"})]
)
def test_what_verl_checks_at_the_start_holds_where_rllm_calls_it(tmp_path: Path, version: str, codes: set[str]) -> None:
    text = LEGACY.replace("batch_size=64", "batch_size=9").replace("n_gpus_per_node=8", "n_gpus_per_node=5")
    run = rllm(text + " actor_rollout_ref.actor.use_dynamic_bsz=False", project(tmp_path, AGENT), version=version)
    results = check(Reading(run.source, "shell", runs=(run,)), Selection(("VE001", "VE002"))).results
    assert {result.rule for _, result in results if result.outcome is Outcome.FAIL} == codes
