"""verl from the user's side: launches, checkouts, private configurations, forks and whole YAML files."""

from __future__ import annotations

from pathlib import Path

import pytest
from framework_runs import fact, known, launch, leader, run_of
from hypothesis import given, settings
from hypothesis import strategies as st

from grpolint.changes import SetOption
from grpolint.check import consider, find_entry
from grpolint.documents import yaml
from grpolint.documents.source import Source
from grpolint.facts import FACTS
from grpolint.findings import Outcome
from grpolint.frameworks.verl import FRAMEWORK
from grpolint.run import Run
from grpolint.values import Default, Known, Unknown
from grpolint.world import World

GRPO = (
    "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_files=$DATA/train.parquet "
    "data.train_batch_size=256 data.max_prompt_length=1024 data.max_response_length=2048 "
    "actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct actor_rollout_ref.actor.optim.lr=1e-6 "
    "actor_rollout_ref.actor.ppo_mini_batch_size=64 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 "
    "actor_rollout_ref.actor.use_kl_loss=True actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.n=8 "
    "actor_rollout_ref.rollout.gpu_memory_utilization=0.6 trainer.n_gpus_per_node=8 trainer.nnodes=2"
)


def verl(text: str, folder: Path | None = None, *, version: str | None = "0.9.1", **options: object) -> Run:
    """The run of a line under one release, None for the newest one assumed."""
    run = run_of(text, folder, versions={"verl": version} if version else {}, **options)
    assert run is not None
    return run


def files(folder: Path, **texts: str) -> Path:
    """Write files; `__` in a name stands for a folder, the suffix is .yaml."""
    (folder / "pyproject.toml").write_text("")
    for name, text in texts.items():
        target = folder / (name.replace("__", "/") + ".yaml")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return folder


@pytest.mark.parametrize(
    "program",
    [
        "python3 -m verl.trainer.main_ppo a=1",
        "python -m verl.trainer.main_ppo_sync a=1",
        "python verl/trainer/main_ppo.py a=1",
        "python /root/verl/verl/trainer/main_ppo.py a=1",
        "python3 -m recipe.dapo.main_dapo a=1",
        "python3 -m recipe.dapo.src.main_dapo a=1",
        "python -m verl.experimental.fully_async_policy.fully_async_main a=1",
        "torchrun --nproc_per_node=8 -m verl.trainer.fsdp_sft_trainer a=1",
        "torchrun --nproc_per_node=8 -m verl.trainer.sft_trainer a=1",
        "python train.py actor_rollout_ref.actor.strategy=fsdp +actor_rollout_ref.rollout.n=4",
    ],
)
def test_programs_are_recognised(program: str) -> None:
    given = launch(program)
    assert leader(given, World(given.span.source)) is FRAMEWORK


@pytest.mark.parametrize(
    "program",
    [
        "python3 -m verl.trainer.main config=x.yaml worker.rollout.n=5",
        "python3 -m verl.model_merger merge --backend fsdp",
        "python train.py actor.lr=1 rollout.n=4",
        "python train.py actor_rollout_ref.rollout.n=4",
        "python3 -m rllm.trainer.main actor_rollout_ref.actor.strategy=fsdp actor_rollout_ref.rollout.n=4",
    ],
)
def test_lookalikes_are_left_alone(program: str) -> None:
    given = launch(program)
    assert not FRAMEWORK.recognise_launch(given, World(given.span.source))


def test_facts_of_a_grpo_run() -> None:
    run = verl(GRPO)
    facts = {
        "world_size": 16, "dp": 16, "sp": 1, "advantage": "grpo", "group_relative": True, "group_size": 8,
        "distillation": False, "uses_critic": False, "kl_in_reward": False, "kl_in_loss": True,
        "reward_kind": "function", "train_batch_prompts": 256, "mini_batch_prompts": 64, "train_batch_samples": 2048,
        "micro_batch_per_gpu": 4, "gradient_accumulation": 8, "dynamic_batch": False, "optimizer": "adamw",
        "learning_rate": 1e-6, "clip_norm": 1.0, "precision": "bf16", "rollout_dtype": "bfloat16", "engine": "fsdp",
        "offload_optimizer": "none", "offload_params": "none", "fsdp_version": 1, "rollout_engine": "vllm",
        "rollout_colocated": True, "rollout_memory": 0.6, "enforce_eager": False, "rollout_sleep": True,
        "rollout_tp": 2, "lora_rank": 0, "model": "Qwen/Qwen2.5-7B-Instruct", "prompt_length": 1024,
        "response_length": 2048, "context_length": 3072, "save_every": -1, "tp": None, "zero_stage": None,
    }  # fmt: skip
    assert {name: fact(run, name) for name in facts} == facts
    assert run.complaints == []


def test_settings_say_who_decided() -> None:
    run = verl(GRPO)
    settings = run.settings["verl"]
    n = settings.value("actor_rollout_ref.rollout.n")
    assert isinstance(n, Known) and n.origins[0].span is not None
    assert n.origins[0].span.text == "actor_rollout_ref.rollout.n=8"
    eager = settings.value("actor_rollout_ref.rollout.enforce_eager")
    assert isinstance(eager, Default) and (eager.version, eager.source) == ("0.9.1", "rollout/rollout.yaml")
    # a default that is an interpolation of something the launch sets is the launch's doing
    followed = settings.value("actor_rollout_ref.rollout.prompt_length")
    assert isinstance(followed, Known) and followed.value == 1024
    assert any(origin.span is not None for origin in followed.origins)
    assert isinstance(settings.value("data.train_files"), Unknown)
    assert settings.value("no.such.key") is None
    assert known(settings.default("actor_rollout_ref.rollout.n")) == 1


@pytest.mark.parametrize(
    ("version", "eager", "clip"),
    [("0.4.1", True, 0.5), ("0.7.0", False, 0.5), ("0.9.1", False, 1.0)],
)
def test_the_release_decides_defaults_and_where_options_count(version: str, eager: bool, clip: float) -> None:
    run = verl(GRPO + " actor_rollout_ref.actor.grad_clip=0.5", version=version)
    assert fact(run, "enforce_eager") is eager
    assert fact(run, "clip_norm") == clip


def test_megatron_by_its_configuration_and_by_the_group() -> None:
    parallel = (
        " actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2"
        " actor_rollout_ref.actor.megatron.pipeline_model_parallel_size=2 actor_rollout_ref.actor.megatron.param_offload=True"
    )
    by_name = verl(GRPO + " --config-name=ppo_megatron_trainer.yaml" + parallel)
    by_group = verl(GRPO + " model_engine=megatron" + parallel)
    for run in (by_name, by_group):
        assert run.complaints == []
        assert [fact(run, name) for name in ("engine", "tp", "pp", "cp", "ep", "dp")] == ["megatron", 2, 2, 1, 1, 4]
        assert [fact(run, name) for name in ("offload_params", "precision", "optimizer", "fsdp_version")] == [
            "cpu", "bf16", "adam", None,
        ]  # fmt: skip
    plain = verl(GRPO + parallel)
    assert {complaint.kind for complaint in plain.complaints} == {"unknown-key"}


def test_gae_trains_a_critic_and_dynamic_batches_have_no_size() -> None:
    run = verl(GRPO.replace("=grpo", "=gae") + " actor_rollout_ref.actor.use_dynamic_bsz=True")
    assert [fact(run, name) for name in ("uses_critic", "group_relative", "micro_batch_per_gpu")] == [True, False, None]
    assert fact(verl(GRPO + " critic.enable=True"), "uses_critic") is True


def test_a_custom_estimator_is_not_guessed() -> None:
    assert fact(verl(GRPO.replace("=grpo", "=my_grpo")), "group_relative").startswith("<computed:")


@pytest.mark.parametrize(
    ("extra", "kind", "key", "suggestion"),
    [
        ("actor_rollout_ref.rollout.gpu_memory_utilisation=0.5", "unknown-key",
         "actor_rollout_ref.rollout.gpu_memory_utilisation", "actor_rollout_ref.rollout.gpu_memory_utilization"),
        ("+actor_rollout_ref.rollout.temperature=0.5", "append-exists", "actor_rollout_ref.rollout.temperature", None),
        ("data.max_prompt_length=512,1024", "sweep", "data.max_prompt_length", None),
        ("trainer.project_name=a=b", "bad-override", "trainer.project_name=a=b", None),
        ("stray", "bad-override", "stray", None),
        ("model_engine=megatro", "missing-config", "model_engine/megatro", "megatron"),
        ("~trainer.no_such", "unknown-key", "trainer.no_such", None),
    ],
)  # fmt: skip
def test_what_hydra_refuses_is_a_complaint_with_its_place(
    extra: str, kind: str, key: str, suggestion: str | None
) -> None:
    complaints = verl(f"{GRPO} {extra}").complaints
    assert [(each.kind, each.key, each.suggestion) for each in complaints] == [(kind, key, suggestion)]
    assert complaints[0].certain
    assert complaints[0].span is not None and complaints[0].span.text == extra


def test_an_option_without_default_must_be_given() -> None:
    line = GRPO.replace("actor_rollout_ref.rollout.name=vllm ", "")
    assert [(each.kind, each.key) for each in verl(line).complaints] == [
        ("missing-value", "actor_rollout_ref.rollout.name")
    ]
    assert verl(line).complaints[0].certain
    assert not verl(line, version=None).complaints[0].certain  # the releases before 0.6.0 have a default
    assert fact(verl(line, version="0.5.0"), "rollout_engine") == "vllm"


def test_multirun_takes_sweeps() -> None:
    assert verl(GRPO + " --multirun trainer.nnodes=1,2").complaints == []


def test_a_slip_is_told_from_a_fork_and_from_an_older_release() -> None:
    slip = verl(GRPO + " actor_rollout_ref.rollout.gpu_memory_utilisation=0.5", version=None)
    assert slip.settings["verl"].open_reason is None
    assert slip.complaints[0].suggestion == "actor_rollout_ref.rollout.gpu_memory_utilization"
    old = verl(
        GRPO + " actor_rollout_ref.actor.optim.warmup_style=cosine reward_model.micro_batch_size=4", version=None
    )
    version = old.settings["verl"].version
    assert version.assumed and version.origin == "inferred from its options" and version.text != "0.9.1"
    assert old.complaints == []
    fork = verl(GRPO + " max_turns=4 retriever.topk=3", version=None)
    assert fork.settings["verl"].open_reason == "fork:max_turns"
    assert not any(complaint.certain for complaint in fork.complaints)
    assert fact(fork, "enforce_eager") == "<fork:max_turns>"


@pytest.mark.parametrize(
    ("extra", "size"),
    [
        ("actor_rollout_ref.rollout.n_agent=5 max_turns=2 do_search=true", 5),
        ("env.rollout.n=6 env.env_name=alfworld", 6),
        ("algorithm.group_size=4 env.env_name=x", "<fork:algorithm.group_size>"),
        ("env.env_name=alfworld", "<fork:env.env_name>"),
    ],
)
def test_forks_name_the_group_size_themselves(extra: str, size: object) -> None:
    line = GRPO.replace("actor_rollout_ref.rollout.n=8", "actor_rollout_ref.rollout.n=1")
    assert fact(verl(f"{line} {extra}", version=None), "group_size") == size


def test_distillation_is_seen() -> None:
    assert fact(verl(GRPO + " distillation.enabled=True"), "distillation") is True
    assert fact(verl(GRPO + " +distill.teacher_path=x"), "distillation") == "<computed:distill.teacher_path>"


def test_variables_for_the_workers_join_the_environment() -> None:
    key = "+ray_kwargs.ray_init.runtime_env.env_vars"
    run = verl(f"{GRPO} {key}.VLLM_USE_V1=1 {key}.TOKEN=$TOKEN", env={"NCCL_DEBUG": "WARN"})
    assert known(run.environment("VLLM_USE_V1")) == "1"
    assert known(run.environment("TOKEN")) == "<env:TOKEN>"
    assert known(run.environment("NCCL_DEBUG")) == "WARN"


def test_a_private_configuration_over_the_released_one(tmp_path: Path) -> None:
    folder = files(
        tmp_path,
        config__mine="hydra:\n  searchpath:\n    - file://verl/trainer/config\ndefaults:\n  - ppo_trainer\n  - _self_\n"
        "algorithm:\n  adv_estimator: grpo\nactor_rollout_ref:\n  rollout:\n    n: 4\n    name: sglang\n",
    )
    line = f"python3 -m verl.trainer.main_ppo --config-path={folder}/config --config-name=mine actor_rollout_ref.rollout.n=6"
    run = verl(line, folder)
    assert run.complaints == []
    assert [fact(run, name) for name in ("group_size", "rollout_engine", "lora_rank")] == [6, "sglang", 0]
    setting = run.setting("verl", "actor_rollout_ref.rollout.n")
    assert setting is not None and [shadow.form for shadow in setting.shadows] == ["yaml"]
    name = run.setting("verl", "actor_rollout_ref.rollout.name")
    assert name is not None and name.span is not None and name.span.text == "name: sglang" and name.span.line == 12


@pytest.mark.parametrize("given", ["config", "./config", "'config'", "../trainer/config"])
def test_the_folder_of_the_release_may_be_named(given: str) -> None:
    run = verl(f"python3 -m verl.trainer.main_ppo --config-path={given} --config-name=ppo_megatron_trainer")
    assert run.settings["verl"].open_reason is None
    assert fact(run, "engine") == "megatron"


def test_a_configuration_that_is_not_there_leaves_everything_open(tmp_path: Path) -> None:
    run = verl(
        "python3 -m verl.trainer.main_ppo --config-path=/cluster/conf --config-name=x data.train_batch_size=8", tmp_path
    )
    assert run.settings["verl"].open_reason == "file:/cluster/conf"
    assert run.complaints == []
    assert fact(run, "train_batch_prompts") == 8
    assert fact(run, "group_size") == "<file:/cluster/conf>"
    unknown = verl("python3 -m verl.trainer.main_ppo --config-name=$NAME data.train_batch_size=8")
    assert fact(unknown, "group_size") == "<env:NAME>"
    recipe = verl("python3 -m recipe.dapo.main_dapo data.train_batch_size=8")
    assert fact(recipe, "group_size") == "<file:recipe/dapo/main_dapo.py>"


def test_a_recipe_beside_the_script_is_read(tmp_path: Path) -> None:
    folder = files(
        tmp_path,
        recipe__dapo__config__dapo_trainer="hydra:\n  searchpath:\n    - file://verl/trainer/config\ndefaults:\n  - ppo_trainer\n"
        "  - _self_\ndata:\n  gen_batch_size: ${data.train_batch_size}\nreward_model:\n  reward_manager: dapo\n",
    )
    (folder / "recipe/dapo/main_dapo.py").write_text(
        'import hydra\n@hydra.main(config_path="config", config_name="dapo_trainer", version_base=None)\ndef main(config): ...\n'
    )
    run = verl("python3 -m recipe.dapo.main_dapo actor_rollout_ref.rollout.name=vllm data.gen_batch_size=96", folder)
    assert run.settings["verl"].open_reason is None
    assert run.complaints == []
    assert fact(run, "group_size") == 1


def test_a_checkout_around_the_script_decides(tmp_path: Path) -> None:
    folder = files(
        tmp_path,
        verl__trainer__config__ppo_trainer="data:\n  train_batch_size: 7\nactor_rollout_ref:\n  rollout:\n    n: 3\n    own: 1\n",
    )
    (folder / "verl/version").mkdir()
    (folder / "verl/version/version").write_text("0.7.0.dev\n")
    line = "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.own=2"
    run = verl(line, folder, version=None)
    assert (run.settings["verl"].version.text, run.settings["verl"].version.origin) == ("0.7.0.dev", "checkout")
    assert run.complaints == []
    assert isinstance(run.value("verl", "actor_rollout_ref.rollout.n"), Default)
    assert fact(run, "group_size") == 3
    assert verl(line, folder, version="0.9.1").complaints[0].kind == "unknown-key"


_KEYS = [
    "data.train_batch_size", "actor_rollout_ref.rollout", "actor_rollout_ref.rollout.n", "trainer.logger.0", "critic",
    "actor_rollout_ref.actor.checkpoint.save_contents", "actor_rollout_ref", "trainer.logger", "model_engine", "rollout",
    "ray_kwargs.ray_init.runtime_env", "ray_kwargs.ray_init.runtime_env.env_vars", "algorithm", "hydra.searchpath", "",
    "env.rollout.n", "rollout@actor_rollout_ref.rollout", "$X", "data.$X.y", "--config-name", "--config-path", "-m",
]  # fmt: skip
_TEXTS = [
    "1", "$X", "[$X,2]", "{a:$X}", "null", "???", "", "[]", "{}", "'q", "${data.train_batch_size}", "${algorithm}", "a,b",
    "${actor_rollout_ref.rollout}", "${oc.env:X}", "${..x}", "${data.train_batch_size", "ppo_trainer", "[file:///x]",
]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["", "", "+", "++", "~"]), st.sampled_from(_KEYS), st.sampled_from(_TEXTS)),
        max_size=6,
    )
)
def test_no_command_line_breaks_the_reading(drawn: list[tuple[str, str, str]]) -> None:
    words = " ".join(f"{mark}{key}={text}" for mark, key, text in drawn)
    run = verl("python3 -m verl.trainer.main_ppo " + words)
    for name in FACTS:
        run.fact(name)
    for setting in list(run.settings["verl"]):
        run.settings["verl"].value(setting.key)
        run.settings["verl"].default(setting.key)


def test_hostile_files_end_in_a_reason(tmp_path: Path) -> None:
    bomb = "a: &a [x,x,x,x,x,x,x,x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(9)
    )
    for text in (bomb, "[" * 5000, "a: [1\n", "\x00", "- 1\n", "text\n", "defaults: 3\n", "defaults:\n  - mine\n"):
        folder = files(tmp_path, config__mine=text, verl__trainer__config__ppo_trainer=text)
        for line in ("--config-path=$X/config --config-name=mine", ""):
            run = verl(f"python3 -m verl.trainer.main_ppo {line} data.train_batch_size=8", folder, version=None)
            assert fact(run, "train_batch_prompts") == 8


def test_supervised_fine_tuning_has_its_own_names() -> None:
    run = verl(
        "torchrun --nnodes=2 --nproc_per_node=4 -m verl.trainer.sft_trainer data.train_batch_size=32 optim.lr=1e-5 "
        "model.path=Qwen/Qwen2.5-0.5B data.micro_batch_size_per_gpu=2"
    )
    names = (
        "world_size",
        "train_batch_prompts",
        "micro_batch_per_gpu",
        "learning_rate",
        "model",
        "engine",
        "group_size",
    )
    assert [fact(run, name) for name in names] == [8, 32, 2, 1e-5, "Qwen/Qwen2.5-0.5B", "fsdp", None]


def test_a_whole_configuration_is_recognised_and_read(tmp_path: Path) -> None:
    text = (
        "data:\n  train_batch_size: 64\nalgorithm:\n  adv_estimator: grpo\nactor_rollout_ref:\n  actor:\n    ppo_mini_batch_size: 16\n"
        "  rollout:\n    n: ${data.train_batch_size}\ntrainer:\n  nnodes: 1\n"
    )
    document = yaml.parse(Source(str(tmp_path / "grpo.yaml"), text))
    assert FRAMEWORK.recognise_document(document)
    run = Run("verl", document.source)
    FRAMEWORK.compose(run, World(document.source), document)
    assert [fact(run, name) for name in ("group_size", "advantage", "nodes")] == [64, "grpo", 1]
    assert fact(run, "rollout_engine").startswith("<file:")


@pytest.mark.parametrize(
    "text",
    [
        "actor_rollout_ref:\n  actor: {}\n",
        "trainer: {}\ndata: {}\nalgorithm: {}\n",
        "actor_rollout_ref:\n  n: 1\ntrainer: {}\ndata: {}\n",
        "_target_: verl.workers.config.RolloutConfig\nn: 1\n",
        "- a\n",
    ],
)
def test_other_documents_are_left_alone(text: str) -> None:
    assert not FRAMEWORK.recognise_document(yaml.parse(Source("x.yaml", text)))


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("actor_rollout_ref.rollout.n", 16, "actor_rollout_ref.rollout.n=16"),
        ("trainer.logger", ["console", "wandb"], "trainer.logger=[console,wandb]"),
        ("actor_rollout_ref.rollout.enforce_eager", True, "actor_rollout_ref.rollout.enforce_eager=true"),
        ("trainer.no_such_thing", 1, "+trainer.no_such_thing=1"),
        ("trainer.project_name", "a b", "'trainer.project_name=\"a b\"'"),
        ("extra.key", 2, "++extra.key=2"),
    ],
)
def test_changes_are_spelled_as_overrides(key: str, value: object, text: str) -> None:
    run = verl(GRPO + " ++extra.key=1")
    change = SetOption("verl", key, value)
    assert FRAMEWORK.spell(change.key, change.value, run.setting("verl", key), run) == text


def test_a_checkout_in_a_folder_beside_the_script_is_the_release_in_use(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name, text in {
        "verl/verl/trainer/config/ppo_trainer.yaml": "actor_rollout_ref:\n  rollout:\n    n: 4\n    val_temperature: 0.6\n",
        "verl/verl/version/version": "0.1.0.dev",
        "verl/verl/trainer/main_ppo.py": "@hydra.main(config_path='config', config_name='ppo_trainer', version_base=None)\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    scripts = tmp_path / "scripts" / "train"
    scripts.mkdir(parents=True)
    line = "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.val_temperature=0.9"
    run = verl(line, scripts, version=None)
    assert run.complaints == []
    assert (run.settings["verl"].version.text, run.settings["verl"].version.assumed) == ("0.1.0.dev", False)
    assert known(run.value("verl", "actor_rollout_ref.rollout.n")) == 4
    typo = verl(line.replace("val_temperature", "val_temperatur"), scripts, version=None)
    assert [(each.kind, each.certain) for each in typo.complaints] == [("unknown-key", True)]


@pytest.mark.parametrize(("section", "stranger"), [("", False), ("env:\n  episodes: 8\n", True)])
def test_a_fork_with_a_section_of_its_own_counts_in_its_own_way(tmp_path: Path, section: str, stranger: bool) -> None:
    config = "data:\n  train_batch_size: 1024\nactor_rollout_ref:\n  actor:\n    ppo_mini_batch_size: 256\n  rollout:\n    n: 1\n"
    more = "algorithm:\n  adv_estimator: gae\ntrainer:\n  nnodes: 1\n  n_gpus_per_node: 8\n"
    files(tmp_path, verl__trainer__config__ppo_trainer=config + more + section)
    line = "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=16"
    run = verl(line, tmp_path, version=None)
    assert bool(run.stranger) == stranger
    for rule in ("VE001", "GR001"):
        entry = find_entry(rule)
        assert entry is not None
        result = consider(entry, run)
        # For verl itself both defaults of the base file are faults; in a fork's own counting nobody knows.
        assert result.outcome is (Outcome.UNDECIDED if stranger else Outcome.FAIL)
        assert bool(result.findings) == (not stranger)
        assert [each for each in result.missing if not each.startswith("program:")] == []
        assert bool(result.missing) == stranger
