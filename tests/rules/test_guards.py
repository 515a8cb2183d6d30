"""Guards only save work: what they keep a rule from saying, it would not have said."""

from pathlib import Path

import pytest
from test_golden import CASES, HERE

from grpolint import check as engine
from grpolint.check import Selection, applies, check, entries, judge, load
from grpolint.documents.source import read_source
from grpolint.reader import read
from grpolint.rules.guards import SET, above, below, encode
from grpolint.rules.guards import blocked as blocked_by
from grpolint.rules.guards import tests as conditions_of
from grpolint.run import Run, Setting, Settings, Version
from grpolint.values import Known, Unknown


def blocked(guard, run):
    return blocked_by(conditions_of(guard) if isinstance(guard, dict) else guard, run, {})


GUARDED = [entry for entry in entries() if entry.when]


@pytest.mark.parametrize("path", CASES, ids=lambda path: str(path.relative_to(HERE)))
def test_a_blocked_rule_has_nothing_to_say(path):
    for run in read(read_source(Path(path), path.name)).runs:
        versions = {name: each.version.text for name, each in run.settings.items()}
        for entry in GUARDED:
            if applies(entry.frameworks, versions) and blocked(entry.when, run):
                assert judge(load(entry), run).findings == (), entry.id


def a_run(**values):
    settings = Settings("verl", Version("0.9.1"))
    for key, value in values.items():
        settings.put(Setting("verl", key, value if isinstance(value, Unknown) else Known(value)))
    return Run("verl", None, settings={"verl": settings})


@pytest.mark.parametrize(
    ("condition", "value", "holds"),
    [
        (SET, 1, True),
        (SET, Unknown("env:N"), True),
        (True, True, True),
        (True, "true", True),
        (True, False, False),
        (False, "False", True),
        (8, 8, True),
        (8, "8", True),
        (8, 16, False),
        (8, Unknown("env:N"), True),
        ("grpo", "GRPO", True),
        (("grpo", "rloo"), "rloo", True),
        (("grpo", "rloo"), "gae", False),
        (above(1), 2, True),
        (above(1), "2", True),
        (above(1), 1, False),
        (above(1), True, False),
        (above(1), "many", False),
        (above(1), Unknown("env:N"), True),
        (below(2), 1.5, True),
        (below(2), None, False),
    ],
)
def test_conditions(condition, value, holds):
    guard = encode({"verl:key": condition})
    assert (blocked(guard, a_run(key=value)) is None) is holds


def test_what_is_not_there_blocks_every_condition():
    for condition in (SET, True, 8, above(0)):
        assert blocked(encode({"verl:key": condition}), a_run(other=1)) == "verl:key"
        assert blocked(encode({"env:NAME": condition}), a_run(other=1)) == "env:NAME"


def test_one_of_several_places_is_enough():
    guard = encode({"vllm:key|verl:key": above(1)})
    assert blocked(guard, a_run(key=2)) is None
    assert blocked(guard, a_run(key=1)) == "vllm:key|verl:key"
    assert blocked(encode({"vllm:key|env:NAME|verl:key": SET}), a_run(key=1)) is None


def test_an_option_that_may_be_set_out_of_sight_does_not_block():
    run = a_run(other=1)
    run.settings["verl"].open_reason = "file:base.yaml"
    assert blocked(encode({"verl:key": SET}), run) is None


def test_a_blocked_rule_is_not_imported_and_passes(monkeypatch, tmp_path):
    path = tmp_path / "run.sh"
    path.write_text("python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=8\n")
    asked = []
    monkeypatch.setattr(engine, "load", lambda entry: asked.append(entry.id) or load(entry))
    report = check(read(read_source(path, "run.sh")), Selection())
    passed = {result.rule for _, result in report.results} - set(asked)
    by_guard = {entry.id for entry in GUARDED}
    assert passed <= by_guard
