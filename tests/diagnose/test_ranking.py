"""Ranking: how symptoms combine, what a launch file changes, and what is said where nothing fits."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grpolint.diagnose import diagnose
from grpolint.diagnose.diagnosis import SURE, Seen, rank
from grpolint.diagnose.verdict import fits
from grpolint.documents.source import Source
from grpolint.evidence import causes, symptoms
from grpolint.reader import read
from grpolint.report.diagnosis import data, text
from grpolint.world import Supplied

SYMPTOMS = {symptom.id: symptom for symptom in symptoms()}


def plain(words, _role):
    return words


def run(name, written, **supplied):
    return read(Source(name, written), Supplied(**supplied)).runs[0]


def ranked(words, run=None, topic=None):
    return {each.cause.id: each for each in diagnose(words, [], topic, run).ranked}


DEEPSPEED = """{{"train_micro_batch_size_per_gpu": 1, "gradient_accumulation_steps": 1, "bf16": {{"enabled": true}},
  "gradient_clipping": {clip}, "zero_optimization": {{"stage": {stage}, "overlap_comm": {overlap}}}}}"""


def test_a_refusal_is_nearly_certain():
    first = diagnose(
        None, [Source("a.log", "ValueError: train_batch_size (32) must be >= actor.ppo_mini_batch_size (64)")]
    ).ranked[0]
    assert first.cause.id == "mini-batch-above-train-batch"
    assert first.score > 0.95
    assert first.seen[0].line == 1


def test_causes_unpack():
    for cause, score, seen in diagnose("nan_loss", []).ranked:
        assert cause.title and 0 < score < 1 and seen


def test_a_specific_symptom_beats_a_general_one():
    assert diagnose("nan, expert receives no samples", []).ranked[0].cause.id == "moe-expert-starved"
    assert diagnose("loss plateaus, grad norm 1e9", [], "muon").ranked[0].cause.id == "muon-global-clip-starves"


def test_symptoms_combine():
    both = ranked("nan from step 1, torch compile nan")["zero-overlap-comm-compiled"].score
    first = ranked("nan from step 1")["zero-overlap-comm-compiled"].score
    second = ranked("torch compile nan")["zero-overlap-comm-compiled"].score
    assert both == pytest.approx(first + second - first * second)


@given(st.lists(st.sampled_from(sorted(SYMPTOMS)), min_size=1, max_size=6, unique=True))
def test_more_symptoms_never_weaken_a_cause_and_order_does_not_matter(ids):
    seen = [Seen(SYMPTOMS[each], each) for each in ids]
    whole = {each.cause.id: each.score for each in rank(seen)}
    less = {each.cause.id: each.score for each in rank(seen[:-1])}
    assert all(whole[cause] >= score - 1e-12 for cause, score in less.items())
    turned = rank(seen[::-1])
    assert [each.cause.id for each in turned] == [each.cause.id for each in rank(seen)]
    assert all(0 < each.score <= SURE for each in turned)
    assert [each.score for each in turned] == sorted((each.score for each in turned), reverse=True)


def test_a_symptom_counts_once():
    seen = [Seen(SYMPTOMS["nan_loss"], str(number)) for number in range(5)]
    assert [each.score for each in rank(seen)] == [each.score for each in rank(seen[:1])]


def test_equal_scores_keep_the_order_of_names():
    listed = rank([Seen(SYMPTOMS["nan_loss"], "x")])
    for one, other in itertools.pairwise(listed):
        assert (-round(one.score, 6), one.cause.id) < (-round(other.score, 6), other.cause.id)


def test_the_launch_file_confirms():
    before = ranked("group size 1, reward flat")["group-size-one"]
    script = "python -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=1\n"
    after = ranked("reward flat", run("run.sh", script))["group-size-one"]
    assert after.verdict.word == "confirmed"
    assert after.score > ranked("reward flat")["group-size-one"].score
    assert any(each.startswith("GR001") for each in after.verdict.confirms)
    assert before.verdict.word == ""


def test_the_launch_file_excludes_and_says_why():
    compiled = "zero-overlap-comm-compiled"
    given = run("ds.json", DEEPSPEED.format(clip=1.0, stage=2, overlap="false"))
    after = ranked("nan from step 1", given)[compiled]
    assert after.verdict.word == "excluded"
    assert "overlap_comm=false" in " ".join(after.verdict.excludes)
    assert after.score < ranked("nan from step 1")[compiled].score / 5
    stage = ranked("nan from step 1", run("ds.json", DEEPSPEED.format(clip=1.0, stage=3, overlap="true")))[compiled]
    assert "zero_stage=3" in " ".join(stage.verdict.excludes)


def test_clipping_that_is_there_excludes_its_absence():
    script = "python -m verl.trainer.main_ppo actor_rollout_ref.actor.optim.clip_grad=1.0 actor_rollout_ref.actor.grad_clip=1.0\n"
    off = ranked("grad norm spikes", run("run.sh", script))["gradient-clipping-off"]
    assert off.verdict.word == "excluded"
    assert "clip_norm=1" in off.verdict.excludes[0]


def test_a_named_release_excludes():
    written = DEEPSPEED.format(clip=1.0, stage=2, overlap="true")
    after = ranked("nan from step 1", run("ds.json", written, versions={"deepspeed": "0.19.8"}))[
        "zero-overlap-comm-compiled"
    ]
    assert "deepspeed 0.19.8" in after.verdict.excludes[0]
    within = ranked("nan from step 1", run("ds.json", written, versions={"deepspeed": "0.18.0"}))[
        "zero-overlap-comm-compiled"
    ]
    assert within.verdict.word != "excluded"


def test_an_assumed_release_excludes_nothing():
    written = DEEPSPEED.format(clip=1.0, stage=2, overlap="true")
    assert ranked("nan from step 1", run("ds.json", written))["zero-overlap-comm-compiled"].verdict.word != "excluded"


def test_causes_of_other_trainers_are_excluded():
    script = "python -m verl.trainer.main_ppo data.train_batch_size=64\n"
    assert ranked("server is not up yet", run("run.sh", script))["server-not-started"].verdict.word == "excluded"


def test_causes_of_other_engines_are_excluded():
    script = "python -m verl.trainer.main_ppo actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=8\n"
    found = ranked("nan from step 1, muon stalls, illegal memory access, oom", run("run.sh", script))
    for cause in (
        "zero-overlap-comm-compiled",
        "muon-step-clipped-deepspeed",
        "sglang-lora-cuda-graph",
        "zero3-gather-for-rollout-oom",
    ):
        assert found[cause].verdict.word == "excluded", cause
    assert "engine=fsdp" in found["zero-overlap-comm-compiled"].verdict.excludes[0]
    assert found["vllm-sleep-race"].verdict.word != "excluded"


def test_what_the_launch_file_does_not_tell_is_named():
    script = "python -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=$N\n"
    after = ranked("zero advantage", run("run.sh", script))["group-size-one"]
    assert after.verdict.word == ""
    assert "env:N" in " ".join(after.verdict.missing)


@pytest.mark.parametrize(
    ("value", "wanted", "result"),
    [
        (True, "true", True),
        (False, "true", False),
        (1, "1", True),
        (0, "0.0", False),
        (0.0, "0.0", True),
        ("Muon", "muon", True),
        (2, ">1", True),
        (1, ">1", False),
        (1, ">=1", True),
        (1, "<2", True),
        (3, "<2", False),
        ("x", ">1", False),
        (True, ">0", False),
    ],
)
def test_what_a_cause_needs(value, wanted, result):
    assert fits(value, wanted) is result


def test_a_topic_leaves_out_the_rest_and_says_so():
    diagnosis = diagnose("nan_loss", [], "moe")
    assert all("moe" in each.cause.topics for each in diagnosis.ranked)
    assert diagnosis.outside > 0
    assert f"{diagnosis.outside} causes lie outside of this topic" in text(diagnosis, plain)


def test_nothing_fits():
    diagnosis = diagnose("qwertz", [Source("a.log", "hello\n")])
    assert not diagnosis.ranked
    shown = text(diagnosis, plain)
    assert "nothing fits" in shown and "--symptoms" in shown and "not understood: qwertz" in shown


def test_the_report_shows_the_evidence():
    log = "\n".join(f"(TaskRunner pid=1) step:{step} - actor/pg_loss:nan - actor/grad_norm:nan" for step in range(1, 4))
    script = "python -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=1\n"
    shown = text(diagnose("nan from step 1", [Source("train.log", log)], None, run("run.sh", script)), plain)
    assert "1. A group of one response" in shown
    assert "train.log:1: actor/pg_loss is nan at step 1 (3 of 3 steps)" in shown
    assert "you said 'nan from step 1'" in shown
    assert "[confirmed by your launch file]" in shown
    assert "GR001" in shown and "https://github.com/" in shown


def test_control_characters_do_not_reach_the_terminal():
    line = "x \x1b]0;evil\x07\x9b31m Too many open files \u202e"
    shown = text(diagnose("grad \x1b[31m norm", [Source("a\x1b.log", line)]), plain)
    assert not {char for char in shown if not char.isprintable()} - {"\n"}


def test_data_is_complete():
    written = data(diagnose("nan_loss, qwertz", [Source("a.log", "Too many open files")]))
    assert written["schema"] == "grpolint.diagnosis/1"
    assert {each["cause"] for each in written["causes"]} <= {cause.id for cause in causes()}
    assert written["unmatched"][0]["text"] == "qwertz"
    for each in written["causes"]:
        assert set(each) == {
            "cause",
            "title",
            "score",
            "grade",
            "topics",
            "frameworks",
            "seen",
            "run",
            "check",
            "fix",
            "rules",
            "evidence",
        }
        assert all(ref["url"] is None or ref["url"].startswith("https://") for ref in each["evidence"])


def test_every_ref_leads_somewhere():
    from grpolint.report.diagnosis import link

    for cause in causes():
        for ref in cause.refs:
            assert link(ref).startswith("https://"), (cause.id, ref)
