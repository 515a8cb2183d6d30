"""slime: options of three parsers under their owners, what it derives, and what stays unknown."""

from __future__ import annotations

import pytest
from framework_runs import fact, known, run_of
from hypothesis import given, settings
from hypothesis import strategies as st

from grpolint.facts import FACTS

START = "ray job submit --address http://127.0.0.1:8265 -- python3 train.py"
MODEL = " --num-layers 36 --hidden-size 2560 --num-attention-heads 32 --swiglu --norm-epsilon 1e-6"
ARGS = (
    " --actor-num-nodes 2 --actor-num-gpus-per-node 8 --colocate --hf-checkpoint /models/Qwen3-4B --ref-load /models/dist"
    " --prompt-data /data/train.jsonl --rm-type deepscaler --num-rollout 100 --rollout-batch-size 32 --n-samples-per-prompt 8"
    " --rollout-max-response-len 8192 --num-steps-per-rollout 2 --save /out --save-interval 20"
    " --tensor-model-parallel-size 2 --sequence-parallel --context-parallel-size 2 --use-dynamic-batch-size"
    " --max-tokens-per-gpu 9216 --use-kl-loss --kl-loss-coef 0.01 --optimizer adam --rollout-num-gpus-per-engine 4"
    " --sglang-mem-fraction-static 0.7 --sglang-pipeline-parallel-size 2"
)


def test_facts():
    run = run_of(START + ARGS + MODEL)
    assert run.trainer == "slime"
    expected = {
        "nodes": 2,
        "gpus_per_node": 8,
        "world_size": 16,
        "tp": 2,
        "pp": 1,
        "cp": 2,
        "ep": 1,
        "dp": 4,
        "rollout_tp": 2,
        "advantage": "grpo",
        "group_relative": True,
        "group_size": 8,
        "distillation": False,
        "uses_critic": False,
        "kl_in_loss": True,
        "kl_in_reward": False,
        "reward_kind": "function",
        "train_batch_prompts": 32,
        "train_batch_samples": 256,
        "mini_batch_prompts": 16,
        "micro_batch_per_gpu": None,
        "gradient_accumulation": None,
        "dynamic_batch": True,
        "optimizer": "adamw",
        "learning_rate": 1e-6,
        "clip_norm": 1.0,
        "precision": "bf16",
        "engine": "megatron",
        "offload_optimizer": "none",
        "rollout_engine": "sglang",
        "rollout_colocated": True,
        "rollout_sleep": True,
        "rollout_memory": 0.7,
        "enforce_eager": False,
        "response_length": 8192,
        "model": "/models/Qwen3-4B",
        "moe": False,
        "save_every": 20,
    }
    assert {name: fact(run, name) for name in expected} == expected


def test_each_option_belongs_to_the_framework_that_owns_it():
    run = run_of(START + ARGS + MODEL)
    assert known(run.value("slime", "rollout_batch_size")) == 32
    assert known(run.value("megatron", "tensor_model_parallel_size")) == 2
    assert known(run.value("megatron", "save_interval")) == 20  # slime resets its default, the option is Megatron's
    assert known(run.value("sglang", "mem_fraction_static")) == 0.7
    assert known(run.value("sglang", "pp_size")) == 2
    assert "sglang_mem_fraction_static" not in run.settings["slime"]
    assert not run.complaints


@pytest.mark.parametrize(
    ("framework", "key", "value"),
    [
        ("megatron", "lr", 1e-6),
        ("megatron", "micro_batch_size", 1),
        ("megatron", "eval_interval", None),
        ("megatron", "use_distributed_optimizer", True),
        ("megatron", "bf16", True),
        ("megatron", "global_batch_size", 128),
        ("megatron", "weight_decay", 0.01),
        ("sglang", "tp_size", 2),
        ("sglang", "enable_memory_saver", True),
        ("sglang", "nnodes", 1),
        ("sglang", "model_path", "/models/Qwen3-4B"),
        ("sglang", "trust_remote_code", True),
        ("slime", "eps_clip", 0.2),
    ],
)
def test_defaults_are_those_that_slime_leaves(framework, key, value):
    assert known(run_of(START + ARGS + MODEL).value(framework, key)) == value


def test_half_precision():
    run = run_of(START + ARGS + " --fp16")
    assert fact(run, "precision") == "fp16"
    assert known(run.value("megatron", "bf16")) is False
    assert known(run.value("sglang", "dtype")) == "float16"


def test_the_releases_below_are_those_of_the_image():
    run = run_of(START + ARGS, versions={"slime": "0.2.0"})
    assert run.settings["megatron"].version.text == "0.14.0"
    assert run.settings["sglang"].version.text == "0.5.5.post1"
    assert run.settings["sglang"].version.assumed
    run = run_of(START + ARGS, versions={"slime": "0.2.0", "sglang": "0.5.9"})
    assert run.settings["sglang"].version.text == "0.5.9"


def test_the_checkout_around_the_script_names_the_release(tmp_path):
    (tmp_path / "setup.py").write_text('setup(\n    name="slime",\n    version="0.2.4",\n)\n')
    parser = tmp_path / "slime" / "utils" / "arguments.py"
    parser.parent.mkdir(parents=True)
    parser.write_text('parser.add_argument("--rollout-batch-sizes")\n')
    (tmp_path / "pyproject.toml").touch()
    run = run_of(START + ARGS + " --rollout-batch-sizes 3 --rollout-batch-siz 3", tmp_path)
    version = run.settings["slime"].version
    assert (version.text, version.assumed, version.origin) == ("0.2.4", True, "checkout")
    assert [each.key for each in run.complaints] == ["rollout_batch_siz"]  # the other one is the fork's own


@pytest.mark.parametrize(
    ("release", "words"), [("0.2.1", "refuses to start"), ("0.2.3", "ignores --n-sample-per-prompt")]
)
def test_a_slip_of_the_pen(release, words):
    run = run_of(START + ARGS + " --n-sample-per-prompt 4", versions={"slime": release})
    (found,) = run.complaints
    assert (found.kind, found.framework, found.suggestion, found.certain) == (
        "unknown-key",
        "slime",
        "n_samples_per_prompt",
        True,
    )
    assert words in found.detail


@pytest.mark.parametrize(
    "extra",
    [
        "--use-gated-attention",  # of the patched Megatron of the image
        "--my-search-url http://127.0.0.1:8000",
        "--router-policy cache_aware",
        "--sglang-router-ip 127.0.0.1",
        "--sglang-mem-fraction-stat 0.6",  # argparse takes the beginning of a name
    ],
)
def test_what_may_be_an_option_of_somebody_is_no_complaint(extra):
    assert run_of(START + ARGS + " " + extra, versions={"slime": "0.3.1"}).complaints == []


def test_a_parser_of_ones_own_makes_nothing_certain(tmp_path):
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "train.py").write_text("args = parse_args(add_custom_arguments=more)\n")
    run = run_of(START + ARGS + " --n-sample-per-prompt 4", tmp_path, versions={"slime": "0.3.1"})
    assert [each.certain for each in run.complaints] == [False]


def test_the_fsdp_backend_has_no_megatron():
    text = (
        "python train.py --train-backend fsdp --actor-num-nodes 1 --actor-num-gpus-per-node 8 --rollout-num-gpus 8"
        " --hf-checkpoint /m --rollout-batch-size 16 --n-samples-per-prompt 4 --global-batch-size 32 --lr 2e-6"
        " --context-parallel-size 2 --gradient-checkpointing --attn-implementation flash_attention_2"
    )
    run = run_of(text, versions={"slime": "0.2.1"})
    assert "megatron" not in run.settings
    assert [fact(run, name) for name in ("engine", "dp", "cp", "mini_batch_prompts", "gradient_accumulation")] == [
        "fsdp2",
        4,
        2,
        8,
        8,
    ]
    assert (fact(run, "learning_rate"), fact(run, "optimizer"), fact(run, "tp")) == (2e-6, "adamw", None)
    assert run.complaints == []


def test_kinds_of_training():
    sft = run_of(START + ARGS + " --loss-type sft_loss --disable-compute-advantages-and-returns --debug-train-only")
    assert [fact(sft, name) for name in ("advantage", "group_relative", "rollout_engine")] == [None, None, None]
    ppo = run_of(START + ARGS + " --advantage-estimator ppo")
    assert [fact(ppo, name) for name in ("advantage", "group_relative", "uses_critic")] == ["ppo", False, True]
    raw = run_of(START + ARGS + " --disable-rewards-normalization")
    assert fact(raw, "group_relative") is False
    own = run_of(START + ARGS + " --custom-reward-post-process-path a.b")
    assert fact(own, "group_relative").startswith("<computed:")
    assert fact(run_of(START + ARGS + " --use-opd --opd-type sglang"), "distillation") is True


def test_unknown_parts():
    run = run_of(START + ARGS.replace("--actor-num-nodes 2", "--actor-num-nodes $NODES"))
    assert [fact(run, name) for name in ("world_size", "dp", "tp")] == ["<env:NODES>", "<env:NODES>", 2]
    run = run_of(START + ARGS + " $EXTRA_ARGS")
    assert fact(run, "tp") == 2
    assert fact(run, "pp") == "<env:EXTRA_ARGS>"
    assert known(run.value("slime", "eps_clip")) == "<env:EXTRA_ARGS>"
    run = run_of(START + ARGS + " --eval-prompt-data aime $DATA/aime.jsonl")
    assert known(run.value("slime", "eps_clip")) == 0.2  # a path hides no options


def test_files_that_the_launch_names(tmp_path):
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "own.yaml").write_text(
        "max_turns: 4\nrollout_batch_size: 16\nsglang_mem_fraction_static: 0.5\nlr: 0.1\n"
    )
    (tmp_path / "roles.yaml").write_text(
        "megatron:\n- name: a\n  role: actor\n  overrides:\n    tensor_model_parallel_size: 4\n"
        "- name: c\n  role: critic\n  overrides:\n    lr: 1.0\n"
    )
    run = run_of(START + ARGS + " --custom-config-path own.yaml --megatron-config-path conf/roles.yaml", tmp_path)
    assert known(run.value("slime", "max_turns")) == 4
    assert [fact(run, name) for name in ("train_batch_prompts", "rollout_memory", "learning_rate")] == [16, 0.5, 0.1]
    run = run_of(START + ARGS + " --megatron-config-path roles.yaml", tmp_path)
    assert (fact(run, "tp"), fact(run, "learning_rate")) == (4, 1e-6)
    run = run_of(START + ARGS + " --custom-config-path gone.yaml", tmp_path)
    assert known(run.value("slime", "eps_clip")) == "<file:gone.yaml>"
    assert known(run.value("megatron", "weight_decay")) == 0.01


@pytest.mark.parametrize(
    "text",
    [
        "python3 train.py --lr 1e-3 --batch-size 32",
        "python3 -m openrlhf.cli.train_ppo_ray --rollout_batch_size 32 --n_samples_per_prompt 8",
        "python3 train.py --hf-checkpoint /m --epochs 3",
        "python3 train.py --use-miles-router" + ARGS,
        "python3 convert.py --hf-checkpoint /m --ref-load /n --num-layers 3",
    ],
)
def test_lookalikes(text):
    run = run_of(text)
    assert run is None or run.trainer != "slime"


def test_spelling():
    from grpolint.frameworks.registry import framework

    run = run_of(START + ARGS)
    slime, sglang = framework("slime"), framework("sglang")
    setting = run.setting("slime", "n_samples_per_prompt")
    assert slime.spell("n_samples_per_prompt", 16, setting, run) == "--n-samples-per-prompt 16"
    assert slime.spell("rollout_num_gpus", 8, None, run) == "--rollout-num-gpus 8"
    assert slime.spell("colocate", False, run.setting("slime", "colocate"), run) == ""
    setting = run.setting("sglang", "mem_fraction_static")
    assert sglang.spell("mem_fraction_static", 0.6, setting, run) == "--sglang-mem-fraction-static 0.6"


NAMES = [
    "--actor-num-nodes",
    "--rollout-num-gpus-per-engine",
    "--sglang-pipeline-parallel-size",
    "--num-steps-per-rollout",
    "--fp16",
    "--global-batch-size",
    "--tensor-model-parallel-size",
    "--colocate",
    "--offload",
    "--no-offload-rollout",
    "--kl-coef",
    "--num-experts",
    "--train-backend",
    "--custom-config-path",
    "--megatron-config-path",
    "--sglang-config",
    "--eval-prompt-data",
    "--debug-rollout-only",
]
VALUES = ["0", "-1", "8", "1e400", "x", "fsdp", "$X", "$X/y", "", "1 2 3", "none.yaml", "'{}'", "9" * 30]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(VALUES)), max_size=8))
def test_whatever_is_given_every_fact_can_be_asked_for(pairs):
    run = run_of(START + ARGS + "".join(f" {name} {value}" for name, value in pairs))
    assert run.trainer == "slime"
    for name in FACTS:
        run.fact(name)
    for framework, options in run.settings.items():
        for key in options.keys():  # noqa: SIM118 - Settings is no mapping
            run.value(framework, key)
