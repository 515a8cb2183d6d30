"""`grpolint show`: settings with their origin, facts, what is unknown and how to supply it."""

import json

import pytest

from grpolint.cli.main import main
from grpolint.documents.source import Source
from grpolint.launch import Launch, Part, Word
from grpolint.report.json import argv_launch, dump, settings_run
from grpolint.report.show import launch_text, origin_text, rows, run_text
from grpolint.report.terminal import painter
from grpolint.run import Run, Setting, Settings, Version
from grpolint.values import Default, Known, Origin, Unknown

CONFIG = '{\n  "zero_optimization": {"stage": 2},\n  "train_batch_size": 8\n}\n'


@pytest.fixture
def show(folder, capsys):
    folder(ds_json=CONFIG)

    def run(*words):
        code = main(["show", "ds.json", *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_settings_with_their_lines(show):
    code, out, err = show("--with", "deepspeed==0.19.8")
    assert (code, err) == (0, "")
    assert out.startswith("ds.json  deepspeed\nreleases: deepspeed 0.19.8\n\ndeepspeed\n")
    assert "  train_batch_size         8  ds.json:3\n" in out
    assert "  zero_optimization.stage  2  ds.json:2\n" in out
    assert "\nfacts\n" in out
    assert "; give --nodes N --gpus-per-node N" in out


def test_one_key_is_looked_up_among_the_defaults(show):
    assert "train_batch_size" in show("train_batch_size")[1]
    out = show("gradient_accumulation_steps")[1]
    assert "gradient_accumulation_steps" in out
    assert "facts" not in out
    assert show("deepspeed:zero_optimization.stage")[1].count("\n") == 4


def test_glob(show):
    out = show("*.stage")[1]
    assert "zero_optimization.stage" in out
    assert "train_batch_size" not in out


def listed(show, *words):
    (run,) = json.loads(show("--format", "json", *words)[1])["runs"]
    return {row["key"]: row for row in run["settings"]}


def test_the_rest_is_defaults_with_their_release(show):
    out = show("--with", "deepspeed==0.19.8")[1]
    settings, _, defaults = out.partition("\ndefaults of deepspeed 0.19.8\n")
    assert "zero_optimization.stage  2" in settings
    assert "zero_optimization.offload_optimizer.device" not in settings
    line = next(each for each in defaults.splitlines() if each.split()[0] == "steps_per_print")
    assert line.endswith("default of deepspeed 0.19.8")
    assert len(defaults.splitlines()) > 200
    assert not any(each.split()[0] == "train_batch_size" for each in defaults.splitlines())


def test_defaults_that_code_decides_are_marked(show):
    row = listed(show)["gradient_accumulation_steps"]
    assert (row["state"], row["reason"][:9]) == ("unknown", "computed:")
    line = next(each for each in show()[1].splitlines() if each.startswith("  gradient_accumulation_steps "))
    assert line.split()[1] == "computed"


def test_changed_leaves_the_defaults_out(show):
    assert listed(show, "--changed").keys() == {"zero_optimization.stage", "train_batch_size"}
    assert len(listed(show)) > 200


def test_what_follows_from_the_settings_is_in_the_defaults(folder, capsys):
    folder(run_sh="python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.n=8 data.max_prompt_length=700\n")
    assert main(["show", "run.sh", "--format", "json", "--with", "verl==0.9.1"]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    rows = {row["key"]: row for row in run["settings"]}
    assert (rows["actor_rollout_ref.rollout.prompt_length"]["value"], rows["data.max_prompt_length"]["value"]) == (
        700,
        700,
    )
    assert rows["actor_rollout_ref.rollout.temperature"]["state"] == "default"
    assert len(rows) == len(run["settings"]) > 500


def test_a_configuration_that_cannot_be_read_has_no_defaults(folder, capsys):
    folder(run_sh="python3 -m verl.trainer.main_ppo --config-path=/nowhere --config-name=mine trainer.nnodes=1\n")
    assert main(["show", "run.sh"]) == 0
    out = capsys.readouterr().out
    assert "verl: what no document here sets is not known, because /nowhere cannot be read\n" in out
    assert "defaults of" not in out


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("trl grpo --model_name_or_path m --dataset_name d --output_dir o\n", {"trl": 90, "transformers": 60}),
        (
            "python3 -m openrlhf.cli.train_ppo_ray --zero_stage 3 --vllm_num_engines 4\n",
            {"openrlhf": 100, "deepspeed": 200, "vllm": 100},
        ),
        ("vllm serve m --tensor-parallel-size 2\n", {"vllm": 200}),
        ("python3 -m sglang.launch_server --model-path m\n", {"sglang": 200}),
        (
            "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 8 --hidden-size 64 --micro-batch-size 1\n",
            {"megatron": 300},
        ),
    ],
)
def test_every_framework_tells_its_defaults_once(folder, capsys, text, options):
    folder(run_sh=text)
    assert main(["show", "run.sh", "--format", "json"]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    for framework, least in options.items():
        keys = [row["key"] for row in run["settings"] if row["framework"] == framework]
        assert len(keys) == len(set(keys)) > least


def test_unknown_key(show):
    code, _, err = show("train_batch_sise")
    assert code == 2
    assert err == "grpolint: no setting is called 'train_batch_sise' here\n"


def test_changed_leaves_the_facts_out(show):
    out = show("--changed")[1]
    assert "train_batch_size" in out
    assert "facts" not in out


def test_json(show):
    code, out, _ = show("--format", "json", "--set", "deepspeed:train_batch_size=16")
    assert code == 0
    document = json.loads(out)
    assert document["schema"] == "grpolint.settings/1"
    (run,) = document["runs"]
    assert run["program"] == "deepspeed"
    by_key = {row["key"]: row for row in run["settings"]}
    assert by_key["zero_optimization.stage"] == {
        "framework": "deepspeed",
        "key": "zero_optimization.stage",
        "value": 2,
        "state": "known",
        "reason": None,
        "origin": [{"file": "ds.json", "line": 2, "what": "config file", "detail": "ds.json"}],
    }
    assert by_key["train_batch_size"]["value"] == 16
    assert by_key["train_batch_size"]["origin"][0]["what"] == "--set"
    assert run["facts"]["zero_stage"]["value"] == 2


def test_nothing_recognised(folder, capsys):
    folder(other_json='{"a": 1}')
    assert main(["show", "other.json"]) == 3
    assert "no training launch recognised" in capsys.readouterr().err


@pytest.mark.parametrize(("options", "name"), [([], "runs"), (["--argv"], "launches")])
def test_unreadable_file_as_json(folder, capsys, options, name):
    folder(ds_json=b"\0")
    assert main(["show", "ds.json", "--format", "json", *options]) == 2
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert document[name] == []
    assert document["errors"][0]["file"] == "ds.json"
    assert captured.err == "grpolint show: ds.json: binary file (NUL byte at offset 0)\n"


# forms, on launches made by hand


def launch():
    source = Source("run.sh", "N=4\nsrun python -m pkg.main a=1 n=$N out=$DIR/x \\\n  --last\n")
    text = source.text

    def word(shown, *parts, condition=None):
        at = text.index(shown)
        return Word(parts, source.span(at, at + len(shown)), condition)

    return Launch(
        "pkg.main",
        (
            word("a=1", Part("a=1")),
            word("n=$N", Part("n="), Part("4", None, (Origin("variable", source.span(0, 3), "N"),))),
            word("out=$DIR/x", Part("out="), Part(None, "env:DIR"), Part("/x")),
            word("--last", Part("--last"), condition="branch:7"),
        ),
        source.span(4, len(text) - 1),
        ("srun",),
        ((),),
        {"MODE": Word((Part("fa"), Part("st"))), "EMPTY": Word(())},
    )


def test_argv_form():
    assert argv_launch(launch()) == {
        "file": "run.sh",
        "line": 2,
        "program": "pkg.main",
        "wrappers": ["srun"],
        "condition": None,
        "argv": [
            {"line": 2, "parts": [{"text": "a=1"}]},
            {"line": 2, "parts": [{"text": "n=4"}]},
            {"line": 2, "parts": [{"text": "out="}, {"unknown": "env:DIR"}, {"text": "/x"}]},
            {"line": 3, "parts": [{"text": "--last"}], "condition": "branch:7"},
        ],
        "env": {"MODE": [{"text": "fast"}], "EMPTY": [{"text": ""}]},
        "cwd": None,
        "wrapper_argv": [[]],
        "open_ended": False,
    }


def test_argv_text():
    assert launch_text(launch(), painter(False)) == (
        "run.sh:2  pkg.main  (under srun)\n"
        "      2  a=1\n"
        "      2  n=4\n"
        "      2  out=<env:DIR>/x\n"
        "      3  --last\n"
        "  environment\n"
        "      2  MODE=fast\n"
        "      2  EMPTY="
    )


def made_run():
    script = Source("run.sh", "N=4\npython main.py n=$N\n")
    run = Run("verl", script, span=script.span(4, 22))
    verl = Settings("verl", Version("0.9.1"), {"m": Default(1, "verl", "0.9.1", "x.yaml")}.get)
    here, there = script.span(19, 23), script.span(0, 3)
    origins = (Origin("override", here), Origin("variable", there, "N"))
    verl.put(Setting("verl", "n", Known(4, origins), here))
    verl.put(Setting("verl", "lr", Unknown("env:LR", (Origin("override", here),)), here))
    verl.put(Setting("verl", "kind", Unknown("branch:3", (), ("a", "b")), here))
    verl.put(Setting("verl", "base", Default("x", "verl", "0.9.1"), None))
    run.settings["verl"] = verl
    return run


def test_origins_and_unknowns_as_text():
    run = made_run()
    text = run_text(run, rows(run, None, changed=False), {}, painter(False), brief=True)
    assert text == (
        "run.sh:2  verl\n"
        "\n"
        "verl\n"
        "  base  x                      default of verl 0.9.1\n"
        "  kind  unknown (one of a, b)  it depends on the condition at line 3; give --set verl:kind=...\n"
        "  lr    unknown                $LR is not set in the documents; give --env LR=...  run.sh:2\n"
        "  n     4                      run.sh:2, via N line 1"
    )


def test_rows():
    run = made_run()
    assert [row[1] for row in rows(run, None, changed=True)] == ["kind", "lr", "n"]
    assert [row[1] for row in rows(run, "m", changed=False)] == ["m"]
    assert rows(run, "m", changed=True) == []
    assert [row[1] for row in rows(run, "[bl]*", changed=False)] == ["base", "lr"]


def test_settings_form_of_unknown_and_default():
    run = made_run()
    form = settings_run(run, rows(run, None, changed=False), {})
    by_key = {row["key"]: row for row in form["settings"]}
    assert (by_key["lr"]["state"], by_key["lr"]["reason"]) == ("unknown", "env:LR")
    assert by_key["base"]["state"] == "default"
    assert by_key["kind"]["alternatives"] == ["a", "b"]
    assert by_key["n"]["origin"][1] == {"file": "run.sh", "line": 1, "what": "variable", "detail": "N"}


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, (1, 2), {"a": {1: b"x"}}, "\ud800x", object])
def test_any_value_makes_valid_json(value):
    assert json.loads(dump({"value": value})) is not None
    dump({"value": value}).encode("utf-8")


def test_hostile_names_in_origins():
    source = Source("a\x1b.sh", "x")
    assert origin_text((Origin("variable", source.span(0, 1), "N\x07"),)) == "via N\\x07 a\\x1b.sh:1"
