"""`grpolint matrix`: reports where they belong, the 36 rules on a configuration, one class through all frameworks."""

import json

import pytest

from grpolint.cli.main import main

SHORT = (
    '{"zero_stage":2,"gradient_clipping":1.0,"overlap_comm":false,"lora_rank":32,"fsdp_mode":"fsdp1","group_size":8}'
)


def said(capsys, *words):
    code = main(["matrix", *words, "--color", "never"] if "--help" not in words else ["matrix", *words])
    out = capsys.readouterr()
    return code, out.out, out.err


def rows(capsys, *words):
    code, out, _ = said(capsys, *words, "--format", "json")
    (file,) = json.loads(out)["files"]
    return code, {row["id"]: row for row in file["rules"]}


@pytest.fixture(autouse=True)
def _plain(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")


def test_reports_stand_where_they_belong(capsys):
    code, out, _ = said(capsys)
    assert code == 0
    head, *table = out.split("\n\n")[0].splitlines()
    at = {
        name: head.index(name) for name in ("DeepSpeed", "Megatron", " vLLM", " verl", "SGLang", "vllm-ascend", "TRL")
    }
    row = {line.split()[0]: line for line in table}
    assert len(row) == 8
    assert row["lora_distortion"][at[" verl"] :].lstrip().startswith("#6782*")
    assert row["muon_clipping"][at["DeepSpeed"] :].startswith("#8068 #7776*")
    assert row["moe_fp16_nan"][at["vllm-ascend"] :].startswith("#10579*")
    assert "#7198*" in row["stale_cache_corruption"]


def test_every_printed_id_has_its_repository_and_state(capsys):
    patterns = json.loads(said(capsys, "show", "--format", "json")[1])["patterns"]
    assert len(patterns) == 8
    reports = [report for pattern in patterns for report in pattern["reports"]]
    assert len(reports) >= 18
    for report in reports:
        assert report["ref"].count("/") == 1
        assert report["state"] in ("open", "fixed", "merged", "closed", "feature", "not-found")
        assert (report["state"] == "fixed") == bool(report["fixed"])


def test_the_handbooks_own_configuration_under_its_own_policy(capsys):
    code, found = rows(capsys, "rtx4090", "--policy", "handbook")
    assert code == 0
    outcomes = [row["outcome"] for row in found.values()]
    assert len(outcomes) == 36
    assert "fail" not in outcomes
    assert [key for key, row in found.items() if row["outcome"] == "warn"] == ["N11", "N12"]
    assert found["D18"]["outcome"] in ("undecided", "not applicable")
    for row in found.values():
        if row["outcome"] == "pass":
            assert any(one["kind"] in ("key", "declared") for one in row["decided_by"]), row
        if row["outcome"] == "undecided":
            assert row["missing"]
        if row["outcome"] == "not applicable":
            assert row["reason"]


def test_the_summary_adds_up_and_explains_the_handbooks(capsys):
    out = said(capsys, "rtx4090", "--policy", "handbook")[1]
    assert "2 warn" in out
    assert ": 36 rules" in out
    assert "34 rules" in out


def test_what_is_known_of_the_same_configuration(capsys):
    code, out, _ = said(capsys, "rtx4090")
    assert code == 1
    assert "ZeRO stage 2 and FSDP1 cannot both shard the trainer" in out
    assert "verl has no DeepSpeed engine" in " ".join(out.split())


def test_another_card_works_the_same_way(capsys):
    code, found = rows(capsys, "h100", "--policy", "handbook")
    assert code == 0
    assert len(found) == 36
    assert "nothing known of a NoSuchCard" not in str(found)


def test_a_file_is_judged_with_what_it_says_alone(capsys):
    found = rows(capsys, "validate", "--config", SHORT, "--policy", "handbook")[1]
    assert found["D02"]["outcome"] == "pass"
    assert found["D11"]["outcome"] == "undecided"
    assert found["D05"]["missing"]


@pytest.mark.parametrize(
    ("config", "rule"),
    [
        ('{"zero_stage": 3, "num_gpus": 1}', "N01"),
        ('{"gradient_clipping": 0.0, "zero_stage": 2}', "N16"),
        ('{"group_size": 1, "zero_stage": 2}', "N07"),
        ('{"lora_rank": 64, "rollout_engine": "vllm"}', "N05"),
        ('{"fsdp_mode": "fsdp2", "group_size": 8}', "N06"),
    ],
)
def test_a_configuration_against_the_handbook_fails(config, rule, capsys):
    code, found = rows(capsys, "validate", "--config", config, "--policy", "handbook")
    assert code == 1
    assert found[rule]["outcome"] == "fail"


def test_a_real_launch_file_is_judged(tmp_path, capsys):
    path = tmp_path / "run.sh"
    path.write_text(
        "ulimit -n 65535\npython3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=8 "
        "trainer.n_gpus_per_node=1 actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct actor_rollout_ref.rollout.name=vllm\n"
    )
    found = rows(capsys, "validate", str(path), "--policy", "handbook")[1]
    assert found["D11"]["outcome"] == "pass"
    assert found["D07"]["outcome"] == "pass"
    assert found["D15"]["outcome"] == "fail"


def test_one_class_through_all_frameworks(capsys):
    code, out, _ = said(capsys, "cross-framework", "--bug", "#6782")
    assert code == 0
    assert "verl-project/verl#6782" in out
    assert "lora_distortion" in out
    assert "no report known: " in out


def test_what_a_configuration_is_exposed_to(capsys):
    config = (
        '{"zero_optimization":{"stage":2},"optimizer":{"type":"Muon"},"gradient_clipping":1.0,"train_batch_size":8}'
    )
    code, out, _ = said(capsys, "cross-framework", "--config", config, "--with", "deepspeed==0.19.8")
    assert code == 1
    assert ": exposed, DS003" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("shwo",), "did you mean"),
        (("cross-framework", "--bug", "#1"), "nothing is known of '#1'"),
        (("validate", "--config", '{"unknown": 1}'), "nothing in it"),
        (("validate", "missing.json"), "missing.json"),
        (("validate", "--config", "{"), ""),
    ],
)
def test_mistakes_are_told_in_one_line(words, told, capsys):
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert told in err
