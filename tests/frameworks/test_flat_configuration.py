"""The handbook's flat configuration: what is taken for one, what its keys say, and what slips of the pen it tells of."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grpolint.cli.main import main
from grpolint.documents.source import Source
from grpolint.frameworks.handbook.keys import KEYS, SIXTEEN, find_key, misfit
from grpolint.profiles import OPTIMAL
from grpolint.reader import read
from grpolint.values import Known, Unknown

SHORT = (
    '{"zero_stage":2,"gradient_clipping":1.0,"overlap_comm":false,"lora_rank":32,"fsdp_mode":"fsdp1","group_size":8}'
)


def run_of(config, path="--config"):
    text = config if isinstance(config, str) else json.dumps(config)
    (run,) = read(Source(path, text)).runs
    return run


def fact(config, name):
    value = run_of(config).fact(name)
    return value.value if isinstance(value, Known) else value


def test_the_sixteen_keys_are_known():
    assert set(OPTIMAL) == SIXTEEN
    assert len(SIXTEEN) == 16


@pytest.mark.parametrize("path", ["--config", "config.json"])
@pytest.mark.parametrize("text", [SHORT, '{"zero_stage":2}', json.dumps(OPTIMAL)])
def test_the_documents_own_examples_are_recognised(path, text):
    run = run_of(text, path)
    assert run.trainer == "handbook"
    assert run.complaints == []


def test_yaml_is_read_as_well():
    run = run_of("zero_stage: 2\noverlap_comm: off\noffload_optimizer: cpu\n", "config.yaml")
    assert run.trainer == "handbook"
    assert run.fact("overlap_comm").value is False


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.json", '{"group_size": 8, "lora_rank": 32, "optimizer": "adamw"}'),  # nothing that only this form has
        ("a.json", '{"zero_stage": 2, "epochs": 3, "data": "x", "lr": 1}'),  # somebody's own configuration
        ("a.json", '{"zero_stage": 2, "optimizer": {"type": "AdamW"}}'),  # nested
        ("a.json", '{"zero_stage": [2]}'),
        ("a.json", '{"architectures": ["X"], "model_type": "qwen2"}'),
        ("a.json", "[2]"),
        ("a.json", "{}"),
        ("a.yaml", "lora_alpha: 32\nr: 16\nbf16: true\nfp16: false\n"),
        (
            "--config",
            '{"train_batch_size": 8, "steps_per_print": 10, "gradient_clipping": 1.0, "wall_clock_breakdown": false}',
        ),
        ("--config", '{"train_micro_batch_size_per_gpu": 1, "zero_optimization": {"stage": 2}}'),
    ],
)
def test_lookalikes_are_not_taken_for_it(path, text):
    assert all(run.trainer != "handbook" for run in read(Source(path, text)).runs)


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (
            OPTIMAL,
            {"zero_stage": 2, "optimizer": "adam", "offload_optimizer": "cpu", "clip_norm": 1.0, "overlap_comm": False},
        ),
        (OPTIMAL, {"lora": True, "lora_rank": 32, "fsdp_version": 1, "group_size": 8, "bypass_mode": True}),
        (OPTIMAL, {"enforce_eager": True, "uses_critic": False, "weight_sync": "naive", "sleep_level": 1}),
        (
            OPTIMAL,
            {"rollout_engine": "sglang", "precision": "bf16", "bf16": True, "fp16": False, "router_dtype": "fp32"},
        ),
        ({"zero_stage": 1}, {"engine": "deepspeed", "fsdp_version": None, "offload_optimizer": None}),
        ({"fsdp_mode": "fsdp2"}, {"engine": "fsdp2", "fsdp_version": 2, "zero_stage": None}),
        ({"fsdp_mode": "none"}, {"engine": None, "fsdp_version": None}),
        ({"fsdp_version": 2}, {"fsdp_version": 2}),
        ({"optimizer": "adamw", "use_critic": False}, {"optimizer": "adamw", "offload_optimizer": "none"}),
        ({"optimizer": "adamw", "cpu_offload": True}, {"optimizer": "adamw", "offload_optimizer": "cpu"}),
        ({"optimizer": "DeepSpeedCPUAdam"}, {"optimizer": "adam", "offload_optimizer": "cpu"}),
        ({"model_dtype": "half"}, {"precision": "fp16", "bf16": False, "fp16": True}),
        ({"bf16": True, "fp16": True}, {"bf16": True, "fp16": True, "precision": None}),
        ({"num_gpus": 8}, {"world_size": 8, "dp": 8}),
        ({"dp": 2, "gpu": "h100"}, {"dp": 2, "gpu_memory": 80, "gpu_capability": (9, 0)}),
        ({"shaped_rewards": False}, {"reward_shape": "outcome"}),
        ({"reward_type": "dense"}, {"reward_shape": "shaped"}),
        ({"num_experts": 0}, {"moe": False}),
        ({"num_experts": 128}, {"moe": True, "experts": 128}),
        ({"algorithm": "PPO"}, {"group_relative": False, "uses_critic": True}),
        ({"algorithm": "grpo"}, {"group_relative": True, "uses_critic": False}),
        ({"echo_loss": True}, {"auxiliary_loss": "echo"}),
        ({"ulimit": 65535}, {"open_files": 65535}),
        ({"lora_sync": "full"}, {"lora_sync": "merged"}),
        ({"lora_rank": 0}, {"lora": False}),
        ({"zero_stage": None}, {"zero_stage": None}),
    ],
)
def test_what_the_keys_say(config, expected):
    assert {name: fact(config, name) for name in expected} == expected


def test_two_engines_leave_the_engine_open():
    assert isinstance(fact({"zero_stage": 2, "fsdp_mode": "fsdp1"}, "engine"), Unknown)


def test_keys_are_read_under_their_other_names():
    assert fact({"gs": 8}, "group_size") == fact({"NUM-GENERATIONS": 8}, "group_size") == 8
    assert fact({"clip_grad": 0.5}, "clip_norm") == fact({"max_grad_norm": 0.5}, "clip_norm") == 0.5


def test_no_name_stands_for_two_keys():
    names = [name for key in KEYS for name in (key.name, *key.others)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("config", "key", "told"),
    [
        ({"zero_stage": 7}, "zero_stage", "from 0 to 3"),
        ({"zero_stage": "two"}, "zero_stage", "whole number"),
        ({"zero_stage": True}, "zero_stage", "whole number"),
        ({"group_size": "eight"}, "group_size", "at least 1"),
        ({"group_size": 2.5}, "group_size", "whole number"),
        ({"overlap_comm": "false"}, "overlap_comm", "true or false"),
        ({"overlap_comm": 0}, "overlap_comm", "true or false"),
        ({"fsdp_mode": "fsdp3"}, "fsdp_mode", "fsdp1, fsdp2"),
        ({"optimizer": 1}, "optimizer", "a text"),
        ({"gradient_clipping": -1}, "gradient_clipping", "at least 0"),
        ({"rollout_engine": "sglnag"}, "rollout_engine", "sglang"),
    ],
)
def test_a_value_that_a_key_does_not_take_is_told_and_counts_for_nothing(config, key, told):
    run = run_of(config)
    (complaint,) = run.complaints
    assert (complaint.kind, complaint.key) == ("flat-value", key)
    assert told in complaint.detail
    assert isinstance(run.value("handbook", key), Unknown)


@pytest.mark.parametrize(
    ("written", "meant"), [("zero_stag", "zero_stage"), ("lora_rnak", "lora_rank"), ("bypas_mode", "bypass_mode")]
)
def test_a_key_that_there_is_not(written, meant):
    run = run_of({written: 2, "use_critic": False})
    (complaint,) = run.complaints
    assert (complaint.kind, complaint.key, complaint.suggestion) == ("flat-key", written, meant)


@pytest.mark.parametrize("policy", ["evidence", "handbook"])
def test_slips_are_told_under_either_policy(policy, capsys):
    code = main(["check", "--policy", policy, "--config", '{"zero_stag": 2}', "--format", "json"])
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (code, finding["rule"]) == (1, "CF031")


def test_an_option_given_on_the_command_line_counts(capsys):
    main(["check", "--policy", "handbook", "--select", "D10", "--config", SHORT, "--format", "json"])
    assert json.loads(capsys.readouterr().out)["undecided"][0]["rule"] == "D10"
    code = main(
        ["check", "--policy", "handbook", "--select", "D10", "--config", SHORT, "--set", "handbook:record_stream=true"]
    )
    assert code == 0
    assert "undecided" not in capsys.readouterr().out


VALUES = st.one_of(st.none(), st.booleans(), st.integers(-5, 300), st.floats(), st.text(max_size=8))
NAMES = st.sampled_from([name for key in KEYS for name in (key.name, *key.others)])


@given(st.dictionaries(NAMES, VALUES, min_size=1, max_size=8))
def test_any_values_are_read(config):
    """Every value is either taken or told; no fact raises."""
    from grpolint.facts import FACTS

    run = run_of(json.dumps(config))
    refused = {complaint.key for complaint in run.complaints if complaint.kind == "flat-value"}
    for name, value in config.items():
        key = find_key(name)
        told = misfit(key, value)
        assert (not told) or key.name in refused
    for name in FACTS:
        run.fact(name)
