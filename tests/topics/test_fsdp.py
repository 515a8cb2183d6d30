"""`grpolint fsdp`: which version for which run, and why; what cannot be read is asked."""

import json
from pathlib import Path

import pytest

from grpolint.catalog import table, versions
from grpolint.cli.main import main
from grpolint.documents.source import Source
from grpolint.evidence import thread
from grpolint.reader import read
from grpolint.run import Hardware, Version
from grpolint.topics.base import Asked
from grpolint.topics.fsdp import TOPIC, strategies
from grpolint.topics.fsdp_compare import ASPECTS
from grpolint.topics.fsdp_guide import FRAMEWORKS, QUESTIONS, Situation, guide
from grpolint.topics.zero_stages import KEYS
from grpolint.values import Known
from grpolint.versions import satisfies
from grpolint.world import Supplied

GOLDEN = Path(__file__).parent / "golden"
VERL = (
    "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.rollout.name=vllm "
    "trainer.n_gpus_per_node=8 trainer.nnodes=1 actor_rollout_ref.rollout.n=8"
)
ACTOR = "actor_rollout_ref.actor"


def of_text(text, path="run.sh", torch=None, **releases):
    releases = {name.replace("_", "-"): release for name, release in releases.items()}
    given = Supplied(versions=releases)
    (run,) = read(Source(path, text), given).runs
    known = Version(torch, assumed=False, origin="--with") if torch else None
    return guide(Situation(run, given, known))


def verl(*options, release="0.9.1", torch="2.8.0"):
    return of_text(" ".join((VERL, *options)) + "\n", torch=torch, verl=release)


def said(found, weight=None):
    return " | ".join(each.says for each in found.reasons if weight in (None, each.weight))


def refs(found):
    return {ref for each in found.reasons for ref in each.refs}


# verl


def test_the_default_of_verl_is_moved_to_the_second_version():
    found = verl()
    assert (found.now, found.advised, found.headline) == (1, 2, "FSDP2 instead of FSDP1")
    assert [each.key for each in found.changes] == [
        f"{ACTOR}.strategy",
        "actor_rollout_ref.ref.strategy",
        "critic.strategy",
    ]
    assert {"verl README: upgrade to FSDP2", "verl-project/verl#6468"} <= refs(found)
    assert found.questions == ()


def test_who_has_it_keeps_it():
    found = verl(f"{ACTOR}.strategy=fsdp2")
    assert (found.headline, found.changes) == ("FSDP2: keep it", ())


def test_one_gpu_with_offload_speaks_against_the_first():
    found = verl("trainer.n_gpus_per_node=1", f"{ACTOR}.fsdp_config.param_offload=True")
    assert "one GPU: FSDP1 becomes NO_SHARD, and param_offload frees no GPU memory" in said(found, "for")
    assert "verl-project/verl#7596" in refs(found)
    without = verl("trainer.n_gpus_per_node=1")
    assert "one rank holds everything under either version" in said(without, "mind")
    assert "verl-project/verl#7596" not in refs(verl(f"{ACTOR}.fsdp_config.param_offload=True"))


def test_groups_of_one_rank_decide_against_the_first():
    found = verl(f"{ACTOR}.fsdp_config.fsdp_size=1", f"{ACTOR}.fsdp_config.param_offload=True")
    assert "fsdp_size 1 on 8 GPUs" in said(found, "decides")
    assert {"verl-project/verl#7493", "verl-project/verl#7596"} <= refs(found)
    assert "decides" not in {each.weight for each in verl(f"{ACTOR}.fsdp_config.fsdp_size=8").reasons}


@pytest.mark.parametrize(
    ("release", "workers", "told"),
    [
        ("0.7.0", "disable", True),
        ("0.7.1", "disable", True),
        ("0.7.1", "auto", False),
        ("0.6.1", None, False),
        ("0.8.0", None, False),
    ],
)
def test_where_the_second_version_was_silently_the_first(release, workers, told):
    options = [f"trainer.use_legacy_worker_impl={workers}"] if workers else []
    found = verl(*options, release=release)
    assert ("verl-project/verl#5885" in refs(found)) is told
    assert (f"{ACTOR}.fsdp_config.strategy" in {each.key for each in found.changes}) is told


def test_releases_without_the_second_version():
    found = verl(release="0.3.0.post1")
    assert (found.advised, found.headline) == (1, "FSDP1: keep it")
    assert "has no FSDP2: it came with 0.4.0" in said(found, "decides")


@pytest.mark.parametrize(
    ("release", "torch", "advised"),
    [("0.4.1", "2.6.0", 1), ("0.4.1", "2.7.1", 2), ("0.5.0", "2.6.0", 2), ("0.9.1", "2.6.0", 2)],
)
def test_loading_under_torch_2_6(release, torch, advised):
    assert verl(release=release, torch=torch).advised == advised


def test_torch_is_asked_for_only_where_it_matters():
    assert "torch" in {each.name for each in verl(release="0.4.1", torch=None).questions}
    assert "torch" not in {each.name for each in verl(release="0.9.1", torch=None).questions}


def test_the_order_of_the_weight_sync_concerns_several_machines_before_0_9():
    assert "verl-project/verl#6772" in refs(verl("trainer.nnodes=2", release="0.8.0"))
    assert "verl-project/verl#6772" not in refs(verl("trainer.nnodes=1", release="0.8.0"))
    assert "verl-project/verl#6772" not in refs(verl("trainer.nnodes=2", release="0.9.0"))
    assert "exports FSDP2 weights one by one" in said(verl(), "for")
    assert "with LoRA either version puts the whole shard" in said(verl("actor_rollout_ref.model.lora_rank=32"))


def test_what_a_variable_hides_becomes_a_question():
    found = of_text(VERL.replace("n_gpus_per_node=8", "n_gpus_per_node=$GPUS") + "\n", verl="0.9.1")
    (asked,) = found.questions
    assert (asked.name, asked.option, asked.why) == ("world_size", "--fact world_size=8", "env:GPUS")


def test_other_engines_have_nothing_to_decide():
    found = of_text("python3 -m openrlhf.cli.train_ppo_ray --pretrain Qwen/Qwen3-8B\n")
    assert (found.advised, found.reasons) == (None, ())
    assert "shards by deepspeed, not by FSDP" in found.headline


# accelerate, Transformers, TRL

ACCELERATE = (
    "compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\n"
    "fsdp_config:\n  fsdp_version: {}\n  fsdp_offload_params: false\nnum_processes: 8\n"
)
TRL = "torchrun --nproc_per_node 8 train.py --num_generations 8 --use_vllm true --learning_rate 1e-6 --output_dir o"


@pytest.mark.parametrize(
    ("release", "torch", "advised"),
    [
        ("1.15.0", "2.8.0", 2),
        ("1.15.0", "2.5.1", 1),
        ("1.6.0", "2.5.1", 2),
        ("1.6.0", "2.5.0", 1),
        ("1.5.2", "2.8.0", 1),
    ],
)
def test_what_accelerate_asks_of_torch(release, torch, advised):
    assert of_text(ACCELERATE.format(1), "accelerate.yaml", torch, accelerate=release).advised == advised


def test_the_change_is_in_the_file_that_says_it():
    (change,) = of_text(ACCELERATE.format(1), "accelerate.yaml", "2.8.0").changes
    assert (change.framework, change.key, change.value) == ("accelerate", "fsdp_config.fsdp_version", 2)
    old = f"{TRL} --fsdp 'full_shard auto_wrap'\n"
    (change,) = of_text(old, torch="2.8.0", transformers="5.9.0").changes
    assert (change.framework, change.key, change.value) == ("transformers", "fsdp_config.version", 2)


def test_transformers_changed_its_default():
    launch = f"{TRL} --fsdp 'full_shard auto_wrap'\n"
    assert of_text(launch, transformers="5.9.0").now == 1
    found = of_text(launch, transformers="5.10.0")
    assert (found.now, found.headline) == (2, "FSDP2: keep it")
    assert "deprecates FSDP1" in said(found, "for")


@pytest.mark.parametrize(("release", "advised"), [("0.19.1", 1), ("0.20.0", 2), ("1.16.0", 2)])
def test_trl_before_it_sent_the_weights(release, advised):
    launch = f"{TRL} --fsdp 'full_shard auto_wrap'\n"
    found = of_text(launch, torch="2.8.0", trl=release, transformers="5.10.0")
    assert found.advised == advised
    assert ("huggingface/trl#3670" in refs(found)) is (advised == 1)


def test_reasons_on_both_sides_are_no_decision():
    found = of_text(f"{VERL} {ACTOR}.fsdp_config.fsdp_size=1 {ACTOR}.strategy=fsdp2\n", torch="2.6.0", verl="0.4.1")
    assert found.advised is None
    assert "neither version works as things are" in found.headline


# without a file


def test_without_a_file_everything_is_a_question():
    found = guide(Situation(None, Supplied()))
    assert [each.name for each in found.questions] == ["framework"]
    found = guide(Situation(None, Supplied(versions={"verl": "0.9.1"})))
    assert {"fsdp_version", "world_size", "offload_params", "lora_rank"} <= {each.name for each in found.questions}


def test_without_a_file_options_answer():
    facts = {
        name: Known(value, ()) for name, value in (("fsdp_version", 1), ("lora_rank", 0), ("offload_params", "cpu"))
    }
    given = Supplied(
        versions={"verl": "0.9.1"},
        facts={**facts, "rollout_colocated": Known(True, ())},
        hardware=Hardware(None, 1, 1),
        settings={("verl", f"{ACTOR}.fsdp_config.fsdp_size"): "-1"},
    )
    found = guide(Situation(None, given))
    assert (found.headline, found.questions) == ("FSDP2 instead of FSDP1", ())
    assert "verl-project/verl#7596" in refs(found)


def test_the_flat_configuration_tells_what_it_can():
    config = Source("--config", '{"fsdp_mode": "fsdp1", "lora_rank": 32, "group_size": 8}')
    (run,) = read(config).runs
    assert [each.name for each in guide(Situation(run, Supplied())).questions] == ["framework"]
    found = guide(Situation(run, Supplied(versions={"verl": "0.9.1"})))
    assert (found.now, found.advised) == (1, 2)
    assert dict(found.read)["lora_rank"].value == 32
    assert {"world_size", "offload_params"} <= {each.name for each in found.questions}


# the command


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.sh").write_text(VERL + " trainer.nnodes=2\n", encoding="utf-8")
    return tmp_path


def test_guide_text(here, capsys, golden):
    assert main(["fsdp", "guide", "run.sh", "--with", "verl==0.8.0", "--with", "torch==2.6.0"]) == 0
    golden(capsys.readouterr().out, GOLDEN / "fsdp_guide.txt")


def test_guide_without_files_asks(here, capsys):
    assert main(["fsdp", "guide"]) == 0
    assert "Which framework trains" in capsys.readouterr().out
    assert main(["fsdp", "guide", "--with", "verl==0.4.1", "--with", "torch==2.6.0", "--fact", "fsdp_version=2"]) == 0
    assert "FSDP1 instead of FSDP2" in capsys.readouterr().out


def test_the_release_of_torch_is_found_beside_the_file(here, capsys):
    (here / "requirements.txt").write_text("verl==0.4.1\ntorch==2.6.0\ntorchvision==0.21.0\n", encoding="utf-8")
    assert main(["fsdp", "guide", "run.sh"]) == 0
    out = capsys.readouterr().out
    assert "verl 0.4.1, torch 2.6.0" in out
    assert "runs out of memory while FSDP2 loads" in out


def test_guide_json(here, capsys):
    assert main(["fsdp", "guide", "run.sh", "--format", "json", "--policy", "handbook"]) == 0
    data = json.loads(capsys.readouterr().out)
    (found,) = data["guides"]
    assert (data["schema"], found["now"], found["advised"]) == ("grpolint.fsdp/1", 1, 2)
    assert [each["id"] for each in data["handbook"]] == ["D06", "N06"]
    assert {each["grade"] for each in data["handbook"]} == {"contradicted"}
    assert all(ref["url"] for reason in found["reasons"] for ref in reason["evidence"])


def test_guide_on_what_is_no_launch(here, capsys):
    (here / "notes.yaml").write_text("a: 1\n", encoding="utf-8")
    assert main(["fsdp", "guide", "notes.yaml"]) == 2
    assert "no training launch recognised" in capsys.readouterr().err
    assert main(["fsdp", "guide", "missing.sh"]) == 2
    assert "no such file" in capsys.readouterr().err


def test_compare(capsys, golden):
    assert main(["fsdp", "compare", "--framework", "verl"]) == 0
    golden(capsys.readouterr().out, GOLDEN / "fsdp_compare_verl.txt")
    assert main(["fsdp", "compare", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["aspects"]
    assert len(rows) == len(ASPECTS)
    assert all(ref["url"] for row in rows for ref in row["evidence"])
    assert main(["fsdp", "compare", "--policy", "handbook"]) == 0
    assert capsys.readouterr().out.startswith(
        "handbook D06: FSDP1\n  why: Only proven safe for GRPO\n  found contradicted:"
    )


def test_validate_is_check(here, capsys):
    assert main(["fsdp", "validate", "run.sh", "--with", "verl==0.9.1"]) == main(
        ["fsdp", "check", "run.sh", "--with", "verl==0.9.1"]
    )
    assert "fsdp_version" in capsys.readouterr().out


# the content


def test_every_statement_rests_on_evidence_that_is_there():
    cited = {ref for each in ASPECTS for ref in each.refs} | {ref for key in KEYS.values() for ref in key.refs}
    for release in ("0.3.0.post1", "0.4.1", "0.7.1", "0.8.0", "0.9.1"):
        for options in ((), (f"{ACTOR}.fsdp_config.fsdp_size=1", "trainer.nnodes=2")):
            for torch in ("2.6.0", "2.8.0"):
                found = verl(*options, f"{ACTOR}.fsdp_config.param_offload=True", release=release, torch=torch)
                assert all(each.refs for each in found.reasons)
                cited |= refs(found)
    for release in ("0.19.1", "1.16.0"):
        cited |= refs(of_text(f"{TRL} --fsdp full_shard\n", torch="2.4.0", trl=release))
    assert [ref for ref in sorted(cited) if thread(ref) is None] == []
    assert all(each.refs and set(each.frameworks) <= set(FRAMEWORKS) for each in ASPECTS)


def test_every_question_names_a_way_to_answer_it():
    assert all(option.startswith("--") for _, option in QUESTIONS.values())


@pytest.mark.parametrize("release", [each for each in versions("verl") if satisfies(each, ">=0.4")])
def test_the_options_of_verl_exist(release):
    options = table("verl", "ppo_trainer", release)
    for legacy in (True, False):
        assert [key for key in strategies(release, legacy=legacy) if key not in options] == []


def test_advice_for_frameworks():
    assert [each.change.value for each in TOPIC.advice(Asked("verl", "0.9.1"))] == ["fsdp2"] * 3
    (old,) = TOPIC.advice(Asked("verl", "0.3.0.post1"))
    assert old.change is None
    assert "came with 0.4.0" in old.why
    assert TOPIC.advice(Asked("accelerate", "1.15.0"))[-1].change.value == 2
    assert TOPIC.advice(Asked("accelerate", "1.5.2"))[0].change is None
    assert TOPIC.advice(Asked("openrlhf", "0.11.2")) is None
