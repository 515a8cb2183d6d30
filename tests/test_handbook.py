"""The handbook's 36 rules: what they come to for its own configuration, for parts of it, and for launch files."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grpolint.documents.source import Source
from grpolint.findings import Outcome
from grpolint.handbook import judge, reckoning, summary
from grpolint.hardware import GPUS
from grpolint.profiles import OPTIMAL, profile
from grpolint.reader import read
from grpolint.values import Known, Origin
from grpolint.world import Supplied

IDS = [*(f"D{number:02}" for number in range(1, 20)), *(f"N{number:02}" for number in range(1, 18))]
PASS, FAIL, WARN, OPEN, NOT = (
    Outcome.PASS,
    Outcome.FAIL,
    Outcome.WARN,
    Outcome.UNDECIDED,
    Outcome.NOT_APPLICABLE,
)


def judged(config, declared=None, policy="handbook", path="--config", facts=None):
    """Judgements by id of a configuration, or of a text under a path."""
    text = config if isinstance(config, str) else json.dumps(config)
    given_facts = {name: Known(value, (Origin("--fact", None, name),)) for name, value in (facts or {}).items()}
    reading = read(Source(path, text), Supplied(profile=declared or {}, facts=given_facts))
    found = judge(reading, policy)
    assert [each.id for each in found] == IDS
    return {each.id: each for each in found}


def of_outcome(found, outcome):
    return {each.id for each in found.values() if each.outcome is outcome}


class TestTheHandbooksOwnConfiguration:
    found = judged(OPTIMAL, profile("rtx4090"))

    def test_outcomes(self):
        assert of_outcome(self.found, FAIL) == set()
        assert of_outcome(self.found, WARN) == {"N11", "N12"}
        assert of_outcome(self.found, OPEN) == {"D04", "D10", "D16"}
        assert of_outcome(self.found, NOT) == {"D18"}
        assert len(of_outcome(self.found, PASS)) == 30

    def test_each_pass_names_a_key_or_a_declared_fact_with_its_value(self):
        for each in self.found.values():
            if each.outcome is PASS:
                assert each.decided_by, each.id
                for decider in each.decided_by:
                    assert decider.kind in ("key", "declared")
                    if decider.kind == "key":
                        assert str(OPTIMAL[decider.name]).lower() == decider.value.lower()
                        assert decider.span is not None

    @pytest.mark.parametrize(
        ("rule", "message"),
        [
            ("D01", "by zero_stage 2, optimizer cpu_adam"),
            ("D02", "by gradient_clipping 1.0"),
            ("D09", "by checkpoint_mode naive, declared: dp 1"),
            ("D11", "by declared: open_files 65535"),
            ("D12", "by declared: reward_shape shaped"),
            ("D19", "by lora_rank 32, bypass_mode true"),
            ("N08", "by use_critic false"),
            ("N15", "by overlap_comm false"),
        ],
    )
    def test_what_decides(self, rule, message):
        assert self.found[rule].message == message

    def test_the_two_warnings_are_the_handbooks(self):
        assert "group size 8 < 16" in self.found["N11"].message
        assert "encoder cache" in self.found["N12"].message

    def test_what_nothing_decides_says_what_is_missing(self):
        assert self.found["D04"].missing == ("fact:group_by_prompt (nothing says it)",)
        assert self.found["D10"].missing == ("handbook:record_stream (nothing says it)",)
        assert self.found["D16"].missing == ("fact:sparse_attention (nothing says it)",)
        assert "no released trainer" in self.found["D18"].reason

    def test_counts_add_up(self):
        assert summary(self.found.values()) == "30 pass, 0 fail, 2 warn, 3 undecided, 1 not applicable: 36 rules"
        text = reckoning(self.found.values())
        assert "32 pass, 0 fail, 2 warn, of 34 rules" in text
        assert "30 pass here" in text
        assert "(N11, N12)" in text
        assert "(D04, D10, D16, D18)" in text


KEYS = sorted(OPTIMAL)


@settings(deadline=None, max_examples=60)
@given(st.sets(st.sampled_from(KEYS), min_size=1), st.booleans())
def test_no_rule_passes_without_what_decides_it(kept, with_profile):
    """Of any part of the configuration no rule fails, and each that passes no longer does once its keys are gone as well,
    unless something declared decides it then.
    """
    declared = profile("rtx4090") if with_profile else {}
    config = {key: OPTIMAL[key] for key in OPTIMAL if key in kept}
    found = judged(config, declared)
    assert of_outcome(found, FAIL) == set()
    for each in found.values():
        if each.outcome is not PASS:
            continue
        names = {decider.name for decider in each.decided_by if decider.kind == "key"}
        assert names <= kept
        rest = {key: value for key, value in config.items() if key not in names}
        if names and rest and kept - names:
            left = judged(rest, declared)[each.id]
            assert left.outcome is not PASS or {decider.kind for decider in left.decided_by} == {"declared"}, each.id


def test_a_key_that_decides_nothing_lets_no_rule_pass():
    found = judged({"ref_in_actor": True})
    assert of_outcome(found, PASS) == of_outcome(found, FAIL) == of_outcome(found, WARN) == set()


def test_only_what_is_declared_passes_by_declaration():
    found = judged({"ref_in_actor": True}, profile("rtx4090"))
    assert of_outcome(found, PASS) == {"D11", "D12", "N08"}


@pytest.mark.parametrize("name", sorted(GPUS))
def test_any_other_accelerator_works_the_same_way(name):
    facts = profile(name)
    assert facts["gpu_memory"].value == GPUS[name].memory
    found = judged(OPTIMAL, facts)
    assert of_outcome(found, FAIL) == set()
    assert of_outcome(found, WARN) == {"N11", "N12"}
    critic = judged({**OPTIMAL, "use_critic": True}, facts)["N08"]
    assert critic.outcome is (FAIL if GPUS[name].memory < 65.06 else PASS)
    level = judged({**OPTIMAL, "sleep_level": 2}, facts)["N04"]
    assert level.outcome is (FAIL if name == "rtx4090" else NOT)


def test_an_accelerator_that_nobody_knows():
    with pytest.raises(KeyError, match="rtx4090"):
        profile("rtx4091")


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"zero_stage": 3}, {"D01", "N01"}),
        ({"zero_stage": 1}, {"D01"}),
        ({"optimizer": "adamw"}, {"D01"}),
        ({"optimizer": "muon"}, {"D01", "N02", "N13"}),
        ({"gradient_clipping": 0.0}, {"D02", "N16"}),
        ({"gradient_clipping": 0.5}, {"D02"}),
        ({"optimizer": "muon", "gradient_clipping": 0.0}, {"D01", "D02", "N02", "N16"}),
        ({"overlap_comm": True}, {"N03"}),
        ({"overlap_comm": True, "torch_compile": True}, {"N03", "N15"}),
        ({"overlap_comm": True, "dp": 4}, set()),
        ({"lora_rank": 64}, {"D08"}),
        ({"lora_rank": 64, "rollout_engine": "vllm"}, {"D08", "D15", "N05"}),
        ({"lora_rank": 0}, {"D08", "D19", "N09"}),
        ({"fsdp_mode": "fsdp2"}, {"D06", "N06"}),
        ({"group_size": 4}, set()),
        ({"group_size": 4, "moe": True}, {"D13"}),
        ({"group_size": 4, "moe": False}, set()),
        ({"group_size": 2}, {"D07"}),
        ({"group_size": 1}, {"D07", "N07"}),
        ({"group_size": 1, "algorithm": "ppo", "use_critic": False}, set()),
        ({"bypass_mode": False}, {"D03", "D19", "N09"}),
        ({"bypass_mode": False, "lora_sync": "adapter"}, {"D03"}),
        ({"lora_sync": "merged"}, {"D19", "N09"}),
        ({"enforce_eager": False}, {"D05"}),
        ({"use_critic": True}, {"N08"}),
        ({"use_critic": True, "gpu": "h100"}, set()),
        ({"checkpoint_mode": "nccl"}, {"D09", "N10"}),
        ({"checkpoint_mode": "nixl"}, {"D09"}),
        ({"checkpoint_mode": "nccl", "num_gpus": 8}, set()),
        ({"sleep_level": 2}, {"D14", "N04"}),
        ({"sleep_level": 0}, {"D14"}),
        ({"gating_dtype": "fp16"}, {"D17", "N14"}),
        ({"gating_dtype": "fp16", "moe": False}, set()),
        ({"gating_dtype": "bf16"}, {"D17"}),
        ({"gating_dtype": "fp64"}, set()),
        ({"bf16": True, "fp16": True}, {"N17"}),
        ({"nofile": 1024}, {"D11"}),
        ({"reward_type": "outcome"}, {"D12"}),
        ({"group_by_prompt": False}, {"D04"}),
        ({"record_stream": False}, {"D10"}),
        ({"sparse_attention": True, "indexer_replay": False}, {"D16"}),
        ({"sparse_attention": False}, set()),
        ({"auxiliary_loss": "none"}, {"D18"}),
        ({"group_by_prompt": True, "record_stream": True, "echo_loss": True}, set()),
    ],
    ids=lambda each: str(sorted(each) if isinstance(each, set) else each),
)
def test_a_changed_key_fails_by_the_rules_that_forbid_it(changed, expected):
    assert of_outcome(judged({**OPTIMAL, **changed}, profile("rtx4090")), FAIL) == expected


@pytest.mark.parametrize("size", [16, 64])
def test_large_groups_are_not_warned_of(size):
    assert judged({**OPTIMAL, "group_size": size}, profile("rtx4090"))["N11"].outcome is PASS


def test_a_policy_that_reads_text_only_has_no_encoder_cache():
    assert judged(OPTIMAL, facts={"multimodal": False})["N12"].outcome is PASS


def test_a_refused_value_leaves_its_rules_open():
    found = judged({**OPTIMAL, "zero_stage": 7}, profile("rtx4090"))
    assert {found["D01"].outcome, found["N01"].outcome} == {OPEN}


# what is known


def test_under_evidence_two_engines_are_one_too_many():
    found = judged(OPTIMAL, profile("rtx4090"), "evidence")
    assert found["D01"].outcome is found["D06"].outcome is FAIL
    assert "CF030" in found["D01"].rules
    assert "cannot both shard" in found["D01"].message
    assert "verl has no DeepSpeed engine" in found["D01"].message
    assert found["D07"].outcome is PASS


def test_under_evidence_what_is_contradicted_or_an_opinion_does_not_count():
    found = judged(OPTIMAL, profile("rtx4090"), "evidence")
    for each in found.values():
        if each.stated.grade in ("contradicted", "opinion") and not each.rules:
            assert each.outcome is NOT
            assert each.stated.corrected in each.reason
    assert found["D18"].outcome is NOT


VERL = """\
ulimit -n {nofile}
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=64 \\
    actor_rollout_ref.model.path=Qwen/Qwen2.5-1.5B-Instruct actor_rollout_ref.model.lora_rank=32 \\
    actor_rollout_ref.actor.ppo_mini_batch_size=32 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 \\
    actor_rollout_ref.rollout.name={engine} actor_rollout_ref.rollout.n=8 \\
    actor_rollout_ref.rollout.tensor_model_parallel_size=1 \\
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8 actor_rollout_ref.rollout.enforce_eager=True \\
    algorithm.rollout_correction.bypass_mode=True trainer.n_gpus_per_node=1 trainer.nnodes=1
"""


def test_a_launch_of_verl():
    found = judged(VERL.format(nofile=65535, engine="sglang"), profile("rtx4090"), path="run.sh")
    assert of_outcome(found, FAIL) == set()
    assert of_outcome(found, WARN) == {"N11"}
    assert {"D03", "D04", "D05", "D06", "D07", "D08", "D09", "D11", "D12", "D15", "D19", "N05", "N12"} <= of_outcome(
        found, PASS
    )
    assert {"D01", "N01", "N03"} <= of_outcome(found, NOT)  # verl trains without DeepSpeed
    assert found["D03"].decided_by[0].name == "algorithm.rollout_correction.bypass_mode"
    assert found["D06"].decided_by[0].kind == "default"


def test_a_launch_that_breaks_the_house_rules():
    found = judged(VERL.format(nofile=1024, engine="vllm"), path="run.sh")
    assert of_outcome(found, FAIL) == {"D11", "D15"}


def test_several_launches_have_the_worst_outcome():
    text = VERL.format(nofile=65535, engine="sglang") + VERL.format(nofile=65535, engine="vllm")
    assert judged(text, path="run.sh")["D15"].outcome is FAIL


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("serve.sh", "vllm serve Qwen/Qwen2.5-7B-Instruct --enforce-eager\n"),
        ("serve.sh", "python3 -m sglang.launch_server --model-path Qwen/Qwen3-8B --disable-cuda-graph\n"),
    ],
)
def test_a_server_is_judged_only_by_what_concerns_the_engine(path, text):
    found = judged(text, path=path)
    assert of_outcome(found, NOT) >= {
        "D01",
        "D02",
        "D03",
        "D06",
        "D07",
        "D08",
        "D13",
        "D16",
        "D17",
        "D18",
        "D19",
        "N02",
        "N17",
    }
    assert found["D05"].outcome is PASS


def test_what_a_base_configuration_leaves_out_is_open():
    text = "actor_rollout_ref:\n  rollout:\n    name: ???\n  actor:\n    strategy: fsdp\ndata:\n  train_batch_size: 8\n"
    found = judged(text + "algorithm:\n  adv_estimator: grpo\ntrainer:\n  nnodes: 1\n", path="ppo_trainer.yaml")
    assert found["D15"].outcome is OPEN


def test_nothing_is_sent_where_no_engine_takes_part():
    text = "model_name_or_path: a/b\nper_device_train_batch_size: 8\nlearning_rate: 1.0e-6\nnum_generations: 8\n"
    text += "max_completion_length: 256\n"
    found = judged(text, path="grpo.yaml")
    assert {found["D19"].outcome, found["N09"].outcome} == {NOT}
    found = judged(text + "use_vllm: true\nvllm_mode: colocate\n", path="grpo.yaml")
    assert {found["D19"].outcome, found["N09"].outcome} == {FAIL}


def test_a_file_without_a_launch_has_no_judgement():
    assert judge(read(Source("notes.json", '{"a": 1}'))) == ()
