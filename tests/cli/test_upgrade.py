"""`grpolint upgrade`: what another release changes for one file."""

import json
from itertools import pairwise

import pytest

from grpolint.cli.main import main

VERL = """\
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    data.train_files=/data/train.parquet \\
    data.val_files=/data/test.parquet \\
    data.train_batch_size=256 \\
    actor_rollout_ref.model.path=Qwen/Qwen2.5-3B-Instruct \\
    actor_rollout_ref.actor.ppo_mini_batch_size=64 \\
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8 \\
    actor_rollout_ref.rollout.name=vllm \\
    actor_rollout_ref.rollout.n=8 \\
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=16 \\
    {}
    trainer.n_gpus_per_node=8 \\
    trainer.nnodes=1
"""
TRL = """\
trl grpo --model_name_or_path Qwen/Qwen3-4B --dataset_name d --output_dir out --num_generations 8 \\
    --per_device_train_batch_size 8 --bf16 true {}
"""


@pytest.fixture
def upgrade(folder, capsys, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")

    def run(text, *words, **files):
        folder(**{"run.sh": text, **files})
        code = main(["upgrade", "run.sh", *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def document(upgrade, text, *words, **files):
    code, out, _ = upgrade(text, *words, "--format", "json", **files)
    found = json.loads(out)
    assert found["schema"] == "grpolint.upgrade/1"
    assert found["must_change"] == (code == 1)
    (run,) = found["runs"]
    return run


def test_an_option_that_went(upgrade):
    text = VERL.format("actor_rollout_ref.actor.checkpoint.contents=[model] \\")
    code, out, err = upgrade(text, "--from", "verl==0.4.0", "--to", "verl==0.9.1")
    assert (code, err) == (1, "")
    assert (
        "must be changed\n  run.sh:12  actor_rollout_ref.actor.checkpoint.contents  ->  "
        "actor_rollout_ref.actor.checkpoint.save_contents and actor_rollout_ref.actor.checkpoint.load_contents (since 0.4.1)"
    ) in out


def test_defaults_that_the_file_leaves_alone(upgrade):
    run = document(upgrade, TRL.format(""), "--from", "trl==0.18.0", "--to", "trl==1.16.0")
    moved = {row["key"]: row for row in run["defaults"]}
    assert (moved["beta"]["before"]["value"], moved["beta"]["after"]["value"]) == (0.04, 0.0)
    assert moved["beta"]["important"] is True
    assert run["must_change"] is False
    assert [row["important"] for row in run["defaults"]] == sorted(
        (row["important"] for row in run["defaults"]), reverse=True
    )


def test_a_default_that_the_file_sets_is_no_change(upgrade):
    run = document(upgrade, TRL.format("--beta 0.04"), "--from", "trl==0.18.0", "--to", "trl==1.16.0")
    assert "beta" not in {row["key"] for row in run["defaults"]}


def test_an_option_without_successor(upgrade):
    text = TRL.format("--max_prompt_length 512")
    run = document(upgrade, text, "--from", "trl==0.27.0", "--to", "trl==0.28.0")
    assert [(each["key"], each["since"], each["names"]) for each in run["refused"]] == [
        ("max_prompt_length", "0.28.0", [])
    ]
    assert run["must_change"] is True


def test_the_same_release_changes_nothing(upgrade):
    code, out, _ = upgrade(VERL.format("\\"), "--from", "verl==0.9.1", "--to", "verl==0.9.1")
    assert code == 0
    assert out.endswith("nothing changes for this file\n")


def test_a_value_that_is_no_choice_any_more(upgrade):
    text = "vllm serve Qwen/Qwen3-8B --block-size 8 --tensor-parallel-size 2\n"
    run = document(upgrade, text, "--from", "vllm==0.6.4", "--to", "vllm==0.9.0")
    (found,) = [each for each in run["declared"] if each["key"] == "block_size"]
    assert any(change["what"] == "choices" for change in found["changes"])


# where the release in use comes from


def test_the_release_is_found_near_the_file(upgrade):
    code, out, _ = upgrade(TRL.format(""), "--to", "trl==1.16.0", **{"requirements.txt": "torch\ntrl==0.18.0\n"})
    assert code == 0
    assert "trl 0.18.0 -> 1.16.0  (requirements.txt:2)" in out


def test_the_release_is_inferred_from_the_options(upgrade):
    text = "python3 -m openrlhf.cli.train_ppo_ray --pretrain Qwen/Qwen3-4B --zero_stage 3 --n_samples_per_prompt 8\n"
    code, out, _ = upgrade(text, "--to", "openrlhf==0.11.2")
    assert code == 1
    assert "(inferred from its options)" in out
    assert "zero_stage  ->  ds.zero_stage (since 0.10.2)" in out


def test_a_range_is_a_start_too(upgrade):
    _, out, _ = upgrade(TRL.format(""), "--to", "trl==1.16.0", **{"requirements.txt": "trl>=0.17,<0.19\n"})
    assert "(requirements.txt:1: >=0.17,<0.19)" in out


def test_nothing_tells_the_release(upgrade):
    code, out, err = upgrade(VERL.format("\\"), "--to", "verl==0.9.1")
    assert (code, out) == (2, "")
    assert "nothing tells which verl the file runs with now; name it with --from verl==VERSION" in err


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--to", "verl"], "--to 'verl' is not of the form FRAMEWORK==VERSION"),
        (["--to", "verll==1"], "--to: unknown framework 'verll'; did you mean 'verl'?"),
        (["--to", "trl==1.0.0"], "--to trl: no run of run.sh uses trl; they use verl"),
        ([], "the following arguments are required: --to"),
    ],
)
def test_wrong_usage(upgrade, words, line):
    code, out, err = upgrade(VERL.format("\\"), *words)
    assert (code, out) == (2, "")
    assert line in err


def test_nothing_is_launched(upgrade):
    assert upgrade("echo hello\n", "--to", "verl==0.9.1")[0] == 3


def test_every_release_of_verl_can_be_left_and_reached(upgrade):
    from grpolint.catalog import versions

    known = versions("verl")
    for old, new in pairwise(known):
        code, out, _ = upgrade(VERL.format("\\"), "--from", f"verl=={old}", "--to", f"verl=={new}")
        assert code in (0, 1)
        assert out.startswith(f"run.sh:1  verl.trainer.main_ppo\nverl {old} -> {new}\n")


def test_a_checkout_is_what_runs_now(upgrade):
    """What a fork has of its own is no finding of the old release: it goes with the upgrade."""
    files = {
        "verl/trainer/config/ppo_trainer.yaml": "actor_rollout_ref:\n  rollout:\n    n: 1\n    own_option: 2\n"
        "    val_kwargs:\n      temperature: 0\n    micro: null\n",
        "verl/version/version": "0.3.1.dev",
        "pyproject.toml": "",
    }
    text = "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.own_option=3 actor_rollout_ref.rollout.n=8\n"
    code, out, _ = upgrade(text, "--to", "verl==0.9.1", **files)
    assert code == 1
    assert "verl 0.3.1.dev -> 0.9.1  (checkout)" in out
    assert out.index("must be changed") < out.index("own_option is not in the configuration")


def test_what_is_only_declared_more_exactly_is_not_told(upgrade):
    text = VERL.format("actor_rollout_ref.rollout.val_kwargs.temperature=0 \\")
    run = document(upgrade, text, "--from", "verl==0.3.0.post1", "--to", "verl==0.9.1")
    told = {(each["key"], change["what"]) for each in run["declared"] for change in each["changes"]}
    assert ("actor_rollout_ref.rollout.val_kwargs.temperature", "type") not in told
    assert ("actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu", "type") not in told
