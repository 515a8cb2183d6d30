"""`grpolint moe` and `muon` from the user's side: modes, what is shown, exit codes."""

import json
from pathlib import Path

import pytest

from grpolint.check import find_entry
from grpolint.cli.main import main
from grpolint.evidence import patterns, stated
from grpolint.facts import FACTS
from grpolint.topics import TOPICS, rules, topic

GOLDEN = Path(__file__).parent / "golden"
MUON = {"zero_optimization": {"stage": 2}, "optimizer": {"type": "Muon", "params": {"lr": 0.02}}}
VERL = """\
python3 -m verl.trainer.main_ppo --config-name=ppo_megatron_trainer \\
    algorithm.adv_estimator=grpo \\
    actor_rollout_ref.model.path=Qwen/Qwen3-30B-A3B \\
    actor_rollout_ref.rollout.n=$SAMPLES
"""


@pytest.fixture
def said(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    (tmp_path / "ds.json").write_text(json.dumps(MUON))
    (tmp_path / "run.sh").write_text(VERL)

    def run(*words):
        code = main(list(words))
        out, err = capsys.readouterr()
        return code, out, err

    return run


# modes


@pytest.mark.parametrize("name", ["moe", "muon"])
def test_help_names_every_mode(said, name):
    code, out, _ = said(name, "--help")
    assert code == 0
    for mode in ("check", "diagnose", "avoid", "rtx4090"):
        assert f"  {mode} " in out
        assert said(name, mode, "--help")[0] == 0


@pytest.mark.parametrize(
    "words",
    [
        ("muon", "check", "ds.json"),
        ("muon", "--mode", "check", "ds.json"),
        ("muon", "--mode=check", "ds.json"),
        ("muon", "ds.json", "--mode", "check"),
        ("muon", "--mode", "check", "--config", "ds.json"),
    ],
)
def test_a_mode_is_named_by_the_first_word_or_by_an_option(said, words):
    code, out, err = said(*words)
    assert (code, err) == (1, "")
    assert "warning[DS003]" in out


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["moe"], "grpolint moe: say what to do: check, diagnose, avoid, rtx4090"),
        (["moe", "chek"], "grpolint moe: unknown mode 'chek'; did you mean 'check'?"),
        (["moe", "run.sh"], "grpolint moe: 'run.sh' is no mode; did you mean 'grpolint moe check run.sh'?"),
        (["moe", "check", "--gpu", "h1000"], "grpolint moe check: --gpu: unknown accelerator 'h1000'"),
        (["moe", "check", "--selec", "MO"], "grpolint moe check: unknown option '--selec'; did you mean '--select'?"),
        (["muon", "avoid", "--framework", "verll"], "grpolint muon avoid: --framework: unknown framework 'verll'; did"),
        (["muon", "avoid", "--framework", "vllm"], "grpolint muon avoid: of vllm there is nothing to say"),
        (["muon", "avoid", "--with", "verl"], "grpolint muon avoid: --with 'verl' is not of the form"),
        (["moe", "diagnose", "none.log"], "grpolint moe diagnose: none.log: no such file"),
    ],
)
def test_a_wrong_command_line_is_told_in_one_line(said, words, line):
    code, out, err = said(*words)
    assert (code, out) == (2, "")
    assert err.startswith(line)
    assert err.count("\n") == 1


# check


def test_facts_come_before_findings_and_outcomes_after(said):
    _, out, _ = said("muon", "check", "ds.json")
    facts, finding, outcome = (
        out.index("  optimizer"),
        out.index("warning[DS003]"),
        out.index("DS003  warn "),
    )
    assert facts < finding < outcome
    assert "  clip_norm          1.0        default of deepspeed" in out
    assert "  nothing tells " in out


def test_an_unknown_fact_is_named_with_the_option_that_supplies_it(said):
    _, out, _ = said("moe", "check", "run.sh")
    assert "  group_size " in out
    assert "$SAMPLES is not set in the documents; give --env SAMPLES=..." in out
    _, out, _ = said("moe", "check", "run.sh", "--env", "SAMPLES=8")
    assert "SAMPLES=..." not in out


def test_only_the_rules_of_the_topic_run(said):
    document = json.loads(said("moe", "check", "ds.json", "--format", "json")[1])
    asked = {outcome["rule"] for run in document["topic"]["runs"] for outcome in run["outcomes"]}
    assert asked <= set(rules(topic("moe"), "evidence"))
    assert document["findings"] == []


def test_the_project_file_selects_nothing_in_a_topic_but_may_ignore(said, tmp_path):
    (tmp_path / "grpolint.toml").write_text('select = ["GR"]\n')
    assert said("muon", "check", "ds.json")[0] == 1
    (tmp_path / "grpolint.toml").write_text('ignore = ["DS003"]\n')
    assert said("muon", "check", "ds.json")[0] == 0


def test_json_has_the_facts_and_outcomes_of_each_run(said):
    code, out, _ = said("muon", "check", "ds.json", "--format", "json")
    document = json.loads(out)
    assert (code, document["schema"], document["topic"]["name"]) == (1, "grpolint.check/1", "muon")
    (run,) = document["topic"]["runs"]
    assert run["facts"]["optimizer"]["value"] == "muon"
    assert {"rule": "DS003", "outcome": "warn", "missing": [], "reason": None} in run["outcomes"]
    assert "model" in run["untold"]


def test_quiet_leaves_only_errors(said):
    assert said("muon", "check", "ds.json", "-q") == (1, "", "")


# cards


@pytest.mark.parametrize(("mode", "name"), [("rtx4090", "RTX 4090"), ("h100", "H100"), ("RTX4090", "RTX 4090")])
def test_a_card_is_judged_on_the_handbooks_configuration(said, mode, name):
    code, out, _ = said("moe", mode)
    assert code == 0
    assert "  router_dtype    fp32" in out
    assert f"\non {name}\n" in out
    for each in stated():
        assert (f"  {each.id}  {each.text}: {each.grade}" in out) == (each.id in topic("moe").handbook)


def test_a_card_may_be_named_by_the_option_too(said):
    assert said("moe", "check", "--gpu", "h100") == said("moe", "h100")


def test_a_card_declares_what_a_file_does_not_tell(said):
    _, out, _ = said("muon", "h100", "ds.json")
    assert "world_size         1          profile H100" in out
    _, out, _ = said("muon", "check", "ds.json", "--gpu", "h100")
    assert "profile H100" not in out
    assert "gpu                h100       --gpu" in out


def test_how_much_fits_is_computed_from_the_memory_of_the_card(said):
    assert "24 GiB hold 12.9 billion parameters in bf16" in said("moe", "rtx4090")[1]
    assert "80 GiB hold 42.9 billion parameters in bf16" in said("moe", "h100")[1]
    assert "fp16 is what it trains in" in said("moe", "v100")[1]


# diagnose


def test_symptoms_are_ranked_by_cause_within_the_topic(said):
    code, out, err = said("muon", "diagnose", "--symptoms", "loss plateaus, grad norm 1e9", "--run", "ds.json")
    assert (code, err) == (0, "")
    assert out.startswith("1. ")
    assert "DS003 muon-step-clipped" in out.partition("\n2. ")[0]
    assert said("muon", "diagnose", "--symptoms", "loss plateaus, grad norm 1e9", "--config", "ds.json")[1] == out


def test_a_log_is_read_for_symptoms(said, tmp_path):
    (tmp_path / "log.txt").write_text("ValueError: Muon and reduce scatter cannot be used together\n")
    code, out, _ = said("muon", "diagnose", "log.txt")
    assert code == 0
    assert "log.txt" in out
    assert out.startswith("1. ")


def test_without_symptoms_their_names_are_listed(said):
    code, out, _ = said("muon", "diagnose")
    assert code == 0
    assert "  muon_stall " in out
    assert "expert_0_samples" not in out


# avoid


@pytest.mark.parametrize(
    ("golden", "words"),
    [
        ("moe-verl", ("moe", "avoid", "--with", "verl==0.9.1")),
        ("moe-megatron", ("moe", "avoid", "--with", "megatron==0.19.2")),
        ("muon-openrlhf", ("muon", "avoid", "--with", "openrlhf==0.11.2")),
        ("muon-deepspeed", ("muon", "avoid", "--with", "deepspeed==0.19.2")),
    ],
)
def test_avoid_writes_a_fragment(said, golden, words):
    code, out, err = said(*words)
    assert code == 0
    assert f"{out}--- beside it\n{err}" == (GOLDEN / f"{golden}.txt").read_text()


def test_avoid_without_a_framework_writes_all_of_which_there_is_something_to_say(said):
    code, out, err = said("muon", "avoid")
    assert code == 0
    for name in ("verl", "openrlhf", "megatron", "trl"):
        assert f"# grpolint muon avoid: {name} " in out
    assert "grpolint muon avoid: deepspeed " in err
    assert "vllm" not in out


# topics themselves


@pytest.mark.parametrize("name", ["moe", "muon"])
def test_a_topic_names_only_what_exists(name):
    subject = topic(name)
    assert subject.name == name
    assert name in TOPICS
    assert set(subject.facts) <= set(FACTS)
    assert set(subject.patterns) <= {pattern.name for pattern in patterns()}
    assert set(subject.handbook) <= {each.id for each in stated()}
    for word in subject.rules:
        assert (word.isalpha() and word.isupper()) or find_entry(word) is not None or word in subject.handbook


def test_a_family_stands_for_its_rules_that_are_on(monkeypatch):
    import grpolint.check
    from grpolint.records import replace

    on = find_entry("DS003")
    off = replace(on, id="DS998", name="off", aliases=("N02",), default=False)
    monkeypatch.setattr(grpolint.check, "entries", lambda: (on, off))
    subject = replace(topic("muon"), rules=("DS",))
    assert rules(subject, "evidence") == ("DS003",)
    assert rules(replace(subject, rules=("N02",)), "evidence") == ("DS003",)
    assert rules(replace(subject, rules=("off",)), "evidence") == ("DS998",)


def test_without_a_file_the_handbooks_own_configuration_is_checked(said):
    code, out, err = said("moe", "check")
    assert code in (0, 1)
    assert "gating_dtype" in out or "router_dtype" in out
    assert err.splitlines()[0].startswith("grpolint moe check: no file is given, so this is the handbook's own")
