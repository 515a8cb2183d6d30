"""`grpolint options`: what the catalog says of an option, for people and for machines."""

import json

import pytest

from grpolint.catalog import tables, versions
from grpolint.cli.main import main


@pytest.fixture
def options(capsys, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*words):
        code = main(["options", *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def one(options, *words):
    code, out, _ = options(*words, "--format", "json")
    assert code == 0
    document = json.loads(out)
    assert document["schema"] == "grpolint.options/1"
    (found,) = document["options"]
    return found


def test_one_option_with_its_history(options):
    code, out, err = options("trl==1.16.0", "beta", "--table", "GRPOConfig")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "beta  trl 1.16.0, GRPOConfig"
    assert "  default  0.0\n" in out
    assert "  0.19.0   default 0.04 -> 0.0\n" in out
    assert out.splitlines()[-1] == "  source   trl/trainer/grpo_config.py"


def test_the_end_of_a_name_is_enough(options):
    code, out, _ = options("verl==0.9.1", "rollout.n")
    assert code == 0
    assert out.startswith("actor_rollout_ref.rollout.n  verl 0.9.1, ")


@pytest.mark.parametrize("spelling", ["n-samples-per-prompt", "--n_samples_per_prompt", "n_samples_per_prompt"])
def test_dashes_do_not_matter(options, spelling):
    code, out, _ = options("openrlhf==0.11.2", "--table", "train_ppo_ray", "--", spelling)
    assert code == 0
    assert "\nrollout.n_samples_per_prompt  openrlhf 0.11.2, train_ppo_ray\n" in out


def test_an_alias_leads_to_the_option(options):
    found = one(options, "deepspeed", "zero_optimization.stage3_max_live_parameters")
    assert found["key"] == "zero_optimization.max_live_parameters"
    assert found["aliases"] == ["stage3_max_live_parameters"]


def test_an_option_that_went_names_what_took_its_place(options):
    code, out, _ = options("verl==0.9.1", "actor_rollout_ref.rollout.skip_rollout")
    assert code == 0
    assert "not in 0.9.1: removed in 0.8.0; now skip.rollout.enable" in out  # two renames, one after the other
    found = one(options, "verl==0.9.1", "actor_rollout_ref.rollout.skip_rollout")
    assert found["present"] is False
    assert found["removed"] == "0.8.0"
    assert found["renamed"] == {"version": "0.8.0", "names": ["skip.rollout.enable"]}


def test_an_option_of_a_later_release_says_when_it_comes(options):
    found = one(options, "verl==0.6.0", "skip.rollout.enable", "--table", "ppo_trainer")
    assert found["present"] is False
    assert found["added"] == "0.9.0"
    assert "not in 0.6.0: added in 0.9.0" in options("verl==0.6.0", "skip.rollout.enable")[1]


def test_the_name_before(options):
    assert "was      zero_stage before 0.10.2" in options("openrlhf==0.11.2", "ds.zero_stage")[1]


def test_choices_bounds_and_deprecation(options):
    assert "above 0, at most 1" in options("vllm==0.33.0", "gpu_memory_utilization")[1]
    assert "choices  auto, bfloat16, float16, float32" in options("trl==1.16.0", "dtype", "--table", "model_config")[1]
    assert "deprecated  use offload_optimizer" in options("deepspeed==0.19.8", "zero_optimization.cpu_offload")[1]


def test_many_options_are_one_line_each(options):
    code, out, _ = options("vllm==0.33.0", "*parallel*")
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "vllm 0.33.0, engine"
    assert any(line.split() == ["tensor_parallel_size", "int", "1"] for line in lines)


def test_a_release_that_is_not_there_is_answered_by_the_one_before(options):
    code, out, err = options("trl==1.16.9", "beta", "--table", "GRPOConfig")
    assert code == 0
    assert "trl 1.16." in out
    assert err.startswith("grpolint: the catalog does not have trl 1.16.9; ")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["verl", "rollot.n"], "has no option 'rollot.n'; did you mean actor_rollout_ref.rollout.n?"),
        (["verll"], "unknown framework 'verll'; did you mean 'verl'?"),
        (["trl", "beta", "--table", "GRPOConfg"], "trl has no table 'GRPOConfg'; did you mean 'GRPOConfig'?"),
        (["verl=="], "'verl==' names no version"),
    ],
)
def test_what_does_not_exist(options, words, line):
    code, out, err = options(*words)
    assert (code, out) == (2, "")
    assert line in err
    assert err.count("\n") == 1


def test_without_words_the_frameworks_are_listed(options):
    code, out, _ = options()
    assert code == 0
    assert out.splitlines()[0].startswith("accelerate ")
    assert len(out.splitlines()) >= 15


@pytest.mark.parametrize("framework", ["trl", "deepspeed", "mindie"])
def test_every_option_of_a_release_can_be_shown(options, framework):
    for form in ("text", "json"):
        code, out, err = options(framework, "*", "--full", "--format", form)
        assert (code, err) == (0, "")
    document = json.loads(out)
    assert document["version"] == versions(framework)[-1]
    assert {name for row in document["options"] for name in row["tables"]} <= set(tables(framework))
