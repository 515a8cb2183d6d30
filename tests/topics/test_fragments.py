"""What `avoid` writes: it can be used as it is, in every release, and the check has nothing to say against it."""

import json

import pytest

from grpolint import catalog
from grpolint.changes import SetOption
from grpolint.check import Selection, check, find_entry
from grpolint.documents.source import Source
from grpolint.evidence import thread
from grpolint.findings import Severity
from grpolint.reader import read
from grpolint.topics import rules, topic
from grpolint.topics.base import Advice, Asked, Topic
from grpolint.topics.fragments import FRAMEWORKS, fragment
from grpolint.values import plain
from grpolint.world import Supplied

USES = {
    ("moe", "verl"): "actor_rollout_ref.model.path=Qwen/Qwen3-30B-A3B actor_rollout_ref.rollout.name=vllm",
    ("moe", "megatron"): "--num-experts 64",
    ("moe", "vllm"): "--tensor-parallel-size 2",
    ("muon", "verl"): "actor_rollout_ref.actor.optim.optimizer=muon actor_rollout_ref.rollout.name=vllm",
    ("muon", "openrlhf"): "--actor.optim muon",
    ("muon", "megatron"): "--optimizer muon",
    ("muon", "deepspeed"): {"optimizer": {"type": "Muon", "params": {"lr": 0.02}}},
}
"""What makes a launch one that the topic is about."""


def merged(one, other):
    out = dict(one)
    for key, value in other.items():
        out[key] = merged(out[key], value) if isinstance(value, dict) and isinstance(out.get(key), dict) else value
    return out


def document(name, framework, number, text):
    """The minimal document of a framework, used as the topic is about, with a fragment in it."""
    base = FRAMEWORKS[framework]
    own = USES.get((name, framework), "" if base.form != "json" else {})
    if base.form == "json":
        tree = merged(json.loads(base.documents[number]), own)
        return Source("ds.json", json.dumps(merged(tree, json.loads(text)) if text else tree))
    if base.form == "yaml":
        return Source("config.yaml", base.documents[number] + text + "\n")
    use = ' "${GRPOLINT[@]}"' if "GRPOLINT=(" in text else ""
    return Source("run.sh", f"{text}\n{base.documents[number]} {own}{use}\n")


def checked(source, versions, selection):
    reading = read(source, Supplied(versions=versions))
    assert not reading.problems
    assert len(reading.runs) == 1, source.text
    return reading.runs[0], [
        (result.rule, finding.message)
        for _, result, finding in check(reading, selection).findings()
        if (finding.severity or find_entry(result.rule).severity) > Severity.INFO
    ]


RELEASES = [
    (name, framework, release)
    for name in ("moe", "muon")
    for framework in FRAMEWORKS
    if topic(name).advice(Asked(framework, catalog.newest(framework))) is not None
    for release in catalog.versions(framework)
]


@pytest.mark.parametrize(("name", "framework"), sorted({row[:2] for row in RELEASES}))
def test_a_fragment_says_what_was_advised_and_nothing_speaks_against_it(name, framework):
    subject = topic(name)
    selection = Selection(("CF", *rules(subject, "evidence")))
    written = {}
    for release in [release for *row, release in RELEASES if row == [name, framework]]:
        versions = {framework: release}
        made = fragment(subject, framework, versions)
        if written.get(made.text.replace(release, "")) is not None and release != catalog.newest(framework):
            continue  # nothing new since the last release
        written = {made.text.replace(release, ""): True}
        assert made.asked.version == release
        if not made.changes:
            continue
        if name == "muon" and framework == "openrlhf":
            versions["deepspeed"] = "0.19.8"
        run, found = checked(document(name, framework, made.number, made.text), versions, selection)
        assert found == [], release
        for change in made.changes:
            assert plain(run.value(change.framework, change.key)) == change.value, (release, change.key)


@pytest.mark.parametrize(
    ("framework", "versions"),
    [
        ("deepspeed", {"deepspeed": "0.19.8"}),
        ("deepspeed", {"deepspeed": "0.19.3"}),
        ("openrlhf", {"openrlhf": "0.11.2", "deepspeed": "0.19.8"}),
    ],
)
def test_without_the_fragment_there_is_something_to_avoid(framework, versions):
    selection = Selection(rules(topic("muon"), "evidence"))
    _, found = checked(document("muon", framework, 0, ""), versions, selection)
    assert "DS003" in [rule for rule, _ in found]
    made = fragment(topic("muon"), framework, versions)
    _, found = checked(document("muon", framework, made.number, made.text), versions, selection)
    assert found == []


@pytest.mark.parametrize(
    ("name", "framework", "release", "missing"),
    [
        ("moe", "verl", "0.6.1", "actor_rollout_ref.rollout.enable_rollout_routing_replay"),
        ("moe", "megatron", "0.11.0", "moe_router_dtype"),
        ("moe", "vllm", "0.11.0", "enable_return_routed_experts"),
        ("moe", "sglang", "0.5.6", "enable_return_routed_experts"),
    ],
)
def test_an_option_that_the_release_lacks_is_said_and_not_written(name, framework, release, missing):
    made = fragment(topic(name), framework, {framework: release})
    assert missing in made.missing
    assert missing not in [change.key for change in made.changes]
    assert f"{framework} {release} has no {missing}" in " ".join(made.text.replace("#", "").split())


def test_replay_in_verl_has_the_section_that_the_release_reads():
    for release, key in (("0.7.1", "actor.router_replay.mode"), ("0.9.1", "actor.megatron.router_replay.mode")):
        made = fragment(topic("moe"), "verl", {"verl": release})
        assert f"    actor_rollout_ref.{key}=R3" in made.text.splitlines()


def test_plus_stands_before_a_key_that_the_configuration_does_not_have():
    made = fragment(topic("moe"), "verl", {"verl": "0.9.1"})
    section = "actor_rollout_ref.actor.megatron.override_transformer_config"
    assert f"    +{section}.moe_router_dtype=fp32" in made.text.splitlines()
    assert "--config-name=ppo_megatron_trainer" in made.text


def test_json_has_its_reasons_beside_it():
    made = fragment(topic("muon"), "deepspeed", {"deepspeed": "0.19.2"})
    assert json.loads(made.text) == {
        "gradient_clipping": 0.0,
        "zero_optimization": {"reduce_scatter": False, "offload_optimizer": {"device": "none"}},
    }
    told = "\n".join(made.beside)
    assert "zero_optimization.reduce_scatter: " in told
    assert "deepspeedai/DeepSpeed#7807" in told


@pytest.mark.parametrize(
    ("release", "keys"),
    [
        ("0.17.5", set()),
        (
            "0.18.0",
            {"gradient_clipping", "zero_optimization.reduce_scatter", "zero_optimization.offload_optimizer.device"},
        ),
        ("0.19.3", {"gradient_clipping", "zero_optimization.offload_optimizer.device"}),
        ("0.19.8", {"gradient_clipping"}),
    ],
)
def test_what_deepspeed_has_repaired_is_not_avoided(release, keys):
    assert {change.key for change in fragment(topic("muon"), "deepspeed", {"deepspeed": release}).changes} == keys


def test_a_topic_may_have_nothing_to_say_of_a_framework():
    assert fragment(topic("muon"), "vllm", {}) is None


def made_topic(*advice):
    return Topic("own", "own", (), (), (), (), lambda _: advice)


def test_yaml_is_nested_with_a_reason_above_each_option():
    subject = made_topic(
        Advice(SetOption("accelerate", "fsdp_config.fsdp_version", 2), "the newer one"),
        Advice(SetOption("accelerate", "fsdp_config.fsdp_offload_params", False), "memory is enough"),
        Advice(SetOption("accelerate", "fsdp_config.no_such_option", 1), "unknown"),
    )
    made = fragment(subject, "accelerate", {})
    assert made.missing == ("fsdp_config.no_such_option",)
    lines = made.text.splitlines()
    at = lines.index("fsdp_config:")
    assert lines[at + 1 :] == [
        "  # the newer one",
        "  fsdp_version: 2",
        "  # memory is enough",
        "  fsdp_offload_params: false",
    ]
    run, found = checked(document("own", "accelerate", 0, made.text), {}, Selection(("CF",)))
    assert found == []
    assert plain(run.value("accelerate", "fsdp_config.fsdp_version")) == 2


@pytest.mark.parametrize("name", ["moe", "muon"])
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_the_evidence_of_advice_is_on_record(name, framework):
    for release in (catalog.versions(framework)[0], catalog.newest(framework)):
        for advice in topic(name).advice(Asked(framework, release)) or ():
            assert advice.why
            for ref in advice.refs:
                assert thread(ref) is not None, ref
