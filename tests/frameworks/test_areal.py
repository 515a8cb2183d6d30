"""AReaL: YAML alone, scripts and launchers, both ways to allocate devices, and what stays unknown."""

from __future__ import annotations

import pytest
from framework_runs import fact, known, run_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grpolint.documents.source import read_source
from grpolint.facts import FACTS
from grpolint.frameworks.areal.allocation import Malformed, parse
from grpolint.reader import read
from grpolint.world import Supplied

COMMON = """\
experiment_name: exp
trial_name: t0
tokenizer_path: ${actor.path}
cluster: {n_nodes: 2, n_gpus_per_node: 8, fileroot: /tmp/areal}
gconfig:
  n_samples: 8
  max_new_tokens: 2048
train_dataset:
  batch_size: 64
  path: openai/gsm8k
  type: rl
  max_length: 512
saver:
  freq_steps: 10
recover:
  mode: disabled
stats_logger:
  fileroot: ${cluster.fileroot}
"""
ACTOR = """\
actor:
  path: Qwen/Qwen2.5-1.5B-Instruct
  dtype: bfloat16
  mb_spec:
    max_tokens_per_mb: 10240
  optimizer:
    type: adam
    lr: 1.7e-5
    gradient_clipping: 1.0
  kl_ctl: 0.0
  ppo_n_minibatches: 4
  reward_norm:
    mean_level: group
    std_level: group
    group_size: ${gconfig.n_samples}
"""
NEW = (
    COMMON
    + ACTOR
    + "  backend: megatron:d2t2p2\n"
    + """\
rollout:
  backend: sglang:d2t4
sglang:
  mem_fraction_static: 0.8
  dtype: ${actor.dtype}
"""
)
OLD = COMMON + ACTOR + "allocation_mode: sglang:d4t2+d8\nrollout: {max_head_offpolicyness: 2}\n"


def written(folder, text=NEW, name="grpo.yaml"):
    (folder / "pyproject.toml").touch()
    (folder / name).write_text(text)
    return folder


def document(folder, text=NEW, versions=None):
    reading = read(read_source(written(folder, text) / "grpo.yaml"), Supplied(versions=versions or {}))
    return reading.runs[0] if reading.runs else None


EXPECTED = {
    "nodes": 2,
    "gpus_per_node": 8,
    "world_size": 8,
    "tp": 2,
    "pp": 2,
    "cp": 1,
    "ep": 1,
    "dp": 2,
    "engine": "megatron",
    "rollout_engine": "sglang",
    "rollout_tp": 4,
    "rollout_memory": 0.8,
    "rollout_dtype": "bfloat16",
    "rollout_colocated": False,
    "context_length": 32768,
    "advantage": "grpo",
    "group_relative": True,
    "group_size": 8,
    "uses_critic": False,
    "kl_in_reward": False,
    "kl_in_loss": False,
    "train_batch_prompts": 64,
    "train_batch_samples": 512,
    "mini_batch_prompts": 16,
    "dynamic_batch": True,
    "optimizer": "adamw",
    "learning_rate": 1.7e-5,
    "clip_norm": 1.0,
    "precision": "bf16",
    "lora_rank": 0,
    "model": "Qwen/Qwen2.5-1.5B-Instruct",
    "prompt_length": 512,
    "response_length": 2048,
    "save_every": 10,
}


def test_a_yaml_alone(tmp_path):
    run = document(tmp_path)
    assert run.trainer == "areal"
    assert {name: fact(run, name) for name in EXPECTED} == EXPECTED
    assert run.complaints == []


@pytest.mark.parametrize(
    "start",
    ["python3 examples/train.py", "python3 -m areal.infra.launcher.ray examples/train.py", "python examples/train.py"],
)
def test_a_launch(tmp_path, start):
    run = run_of(f"{start} --config grpo.yaml gconfig.n_samples=4 +actor.use_lora=true", written(tmp_path))
    assert run.trainer == "areal"
    assert (fact(run, "group_size"), fact(run, "train_batch_samples"), fact(run, "lora_rank")) == (4, 256, 32)
    assert known(run.value("areal", "actor.reward_norm.group_size")) == 4
    assert run.setting("areal", "gconfig.n_samples").form == "override"
    assert run.complaints == []


def test_the_common_allocation_of_older_releases(tmp_path):
    run = document(tmp_path, OLD)
    assert run.settings["areal"].version.text == "1.0.2"  # the newest that has no backend for each engine
    names = ("world_size", "dp", "tp", "engine", "rollout_engine", "rollout_tp")
    assert [fact(run, name) for name in names] == [8, 8, 1, "fsdp2", "sglang", 2]
    assert known(run.value("sglang", "tp_size")) == 2


def test_defaults_stop_at_a_section_that_is_null(tmp_path):
    run = document(tmp_path)
    assert known(run.value("areal", "actor.eps_clip")) == 0.2
    assert known(run.value("areal", "actor.reward_norm.std_unbiased")) is True
    assert run.value("areal", "critic.path") is None
    assert run.value("areal", "ref.path") is None
    text = NEW.replace("  reward_norm:\n    mean_level: group\n    std_level: group\n", "").replace(
        "    group_size: ${gconfig.n_samples}\n", "  reward_norm: null\n"
    )
    run = document(tmp_path, text)
    assert run.value("areal", "actor.reward_norm.group_size") is None
    assert [fact(run, name) for name in ("advantage", "group_relative")] == ["reinforce", False]


@pytest.mark.parametrize(
    ("extra", "facts"),
    [
        ("critic:\n  path: ${actor.path}\n  backend: fsdp:d4\n", {"advantage": "gae", "uses_critic": True}),
        ("ref: ${actor}\n", {"kl_in_reward": False}),
        ("eval_gconfig: ${gconfig}\n", {"group_size": 8}),
    ],
)
def test_sections_that_may_be_null(tmp_path, extra, facts):
    run = document(tmp_path, NEW + extra)
    assert {name: fact(run, name) for name in facts} == facts


def test_vllm(tmp_path):
    text = NEW.replace("sglang:d2t4", "vllm:d2t2p2") + "vllm: {gpu_memory_utilization: 0.6, max_model_len: 4096}\n"
    run = document(tmp_path, text)
    assert [fact(run, name) for name in ("rollout_engine", "rollout_memory", "context_length")] == ["vllm", 0.6, 4096]
    assert known(run.value("vllm", "pipeline_parallel_size")) == 2
    assert "sglang" not in run.settings


def test_what_hydra_refuses(tmp_path):
    start = "python3 train.py --config grpo.yaml "
    folder = written(tmp_path)
    (found,) = run_of(start + "actor.eps_clip=0.3", folder).complaints
    assert (found.kind, found.suggestion, found.certain) == ("unknown-key", "+actor.eps_clip", True)
    (found,) = run_of(start + "gconfig.n_sample=4", folder).complaints
    assert (found.kind, found.suggestion) == ("unknown-key", "gconfig.n_samples")
    (found,) = run_of(start + "+gconfig.n_samples=4", folder).complaints
    assert found.kind == "append-exists"
    assert fact(run_of(start + "actor.eps_clip=0.3", folder), "group_size") == 8


def test_what_the_dataclasses_refuse(tmp_path):
    text = NEW.replace("  kl_ctl: 0.0", "  kl_ctrl: 0.0")
    run = document(tmp_path, text, {"areal": "1.0.4"})
    assert [(each.key, each.suggestion, each.certain) for each in run.complaints] == [
        ("actor.kl_ctrl", "actor.kl_ctl", False)
    ]
    (tmp_path / "train.py").write_text(
        "from areal.api.cli_args import load_expr_config\nload_expr_config(args, GRPOConfig)\n"
    )
    run = run_of("python3 train.py --config grpo.yaml", written(tmp_path, text), versions={"areal": "1.0.4"})
    assert [each.certain for each in run.complaints] == [True]
    own = NEW + "my_agent:\n  turns: 3\n"
    assert document(tmp_path, own, {"areal": "1.0.4"}).complaints == []


def test_an_option_that_was_renamed(tmp_path):
    text = NEW.replace("  kl_ctl: 0.0", "  kl_ctl: 0.0\n  behave_imp_weight_cap: 5.0")
    assert document(tmp_path, text).settings["areal"].version.text == "1.0.3"  # by its options
    (found,) = document(tmp_path, text, {"areal": "1.0.4"}).complaints
    assert (found.kind, found.suggestion) == ("renamed-key", None)
    assert "actor.rejection_sampling" in found.detail


def test_unknown_parts(tmp_path):
    folder = written(tmp_path)
    run = run_of("python3 train.py --config grpo.yaml actor.backend=fsdp:d$N gconfig.n_samples=$M", folder)
    assert [fact(run, name) for name in ("world_size", "group_size", "rollout_tp")] == ["<env:N>", "<env:M>", 4]
    (tmp_path / "train.py").write_text("from areal.api.cli_args import load_expr_config\n")
    run = run_of("python3 train.py --config gone.yaml gconfig.n_samples=4", folder)
    assert (fact(run, "group_size"), fact(run, "learning_rate")) == (4, "<file:gone.yaml>")
    assert run.complaints == []


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("sglang:d4p1t1+d4p1t1", [("sglang", 4), ("", 4)]),
        ("sglang[rollout]:d2t2+fsdp[actor]:d4|fsdp[critic]:d4", [("sglang", 4), ("fsdp", 4), ("fsdp", 4)]),
        ("vllm:d2t4+megatron:(attn:d1p2t4|ffn:d1p2e4)", [("vllm", 8), ("megatron", 8)]),
        ("sglang:d4t2 + eval", [("sglang", 8)]),
        ("archon:d2t2c2", [("archon", 8)]),
    ],
)
def test_allocations(text, sizes):
    assert [(each.backend, each.world_size) for each in parse(text)] == sizes


@pytest.mark.parametrize(
    "text", ["", "sglang.d4+d4", "sglang:d4e2", "fsdp", "trt:d4", "fsdp:d0", "sglang:d4+", "fsdp d4x2"]
)
def test_what_is_no_allocation(text):
    with pytest.raises(Malformed):
        parse(text)


@given(st.text(alphabet="sglanfdptce:[]()|+0123456789 ", max_size=30))
def test_any_text_is_read_or_refused(text):
    try:
        assert all(each.world_size >= 1 for each in parse(text))
    except Malformed as error:
        assert str(error)


@pytest.mark.parametrize(
    "text",
    [
        "experiment_name: a\ntrial_name: b\nmodel: x\n",
        "actor:\n  path: a\nrollout:\n  n: 4\ncluster: {}\n",
        "trainer:\n  project_name: a\nactor_rollout_ref:\n  actor: {}\n  rollout: {}\ndata: {}\n",
    ],
)
def test_lookalikes(tmp_path, text):
    run = document(tmp_path, text)
    assert run is None or run.trainer != "areal"
    run = run_of("python3 train.py --config grpo.yaml", written(tmp_path, text))
    assert run is None or run.trainer != "areal"


def test_spelling(tmp_path):
    from grpolint.frameworks.registry import framework

    areal = framework("areal")
    run = run_of("python3 train.py --config grpo.yaml gconfig.n_samples=4", written(tmp_path))
    assert areal.spell("gconfig.n_samples", 8, run.setting("areal", "gconfig.n_samples"), run) == "gconfig.n_samples=8"
    assert areal.spell("actor.eps_clip", 0.3, None, run) == "+actor.eps_clip=0.3"
    assert areal.spell("actor.kl_ctl", 0.1, run.setting("areal", "actor.kl_ctl"), run) == "kl_ctl: 0.1"


LINES = [
    "actor: null",
    "rollout: [1, 2]",
    "gconfig: {n_samples: x}",
    "allocation_mode: [1]",
    "ref: {path: null}",
    "critic: ${nowhere}",
    "train_dataset: {batch_size: 0}",
    "cluster: 8",
    "sglang: ${vllm}",
    "defaults: [other]",
    "? [a]\n: b",
]
OVERRIDES = [
    "actor.backend=sglang:d1",
    "gconfig=null",
    "~actor",
    "+a.b=1",
    "actor.optimizer.lr=x",
    "rollout.backend=$X",
    "a b",
]


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(LINES), max_size=4), st.lists(st.sampled_from(OVERRIDES), max_size=4))
def test_whatever_is_given_every_fact_can_be_asked_for(tmp_path, lines, overrides):
    text = NEW + "\n".join(lines) + "\n"
    for run in (
        document(tmp_path, text),
        run_of("python3 train.py --config grpo.yaml " + " ".join(overrides), written(tmp_path, text)),
    ):
        for name in FACTS if run is not None else ():
            run.fact(name)
        for framework, options in run.settings.items() if run is not None else ():
            for key in options.keys():  # noqa: SIM118 - Settings is no mapping
                run.value(framework, key)
