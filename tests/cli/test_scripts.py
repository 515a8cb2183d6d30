"""The commands on launch scripts: through shell reading, composition, rules and edits."""

import json

import pytest

from grpolint.cli.main import main

HEAD = "python3 -m verl.trainer.main_ppo \\\n    algorithm.adv_estimator=grpo \\\n"
N = "actor_rollout_ref.rollout.n"

IN_PLACE = HEAD + f"    {N}=1 \\\n    trainer.nnodes=1\n"
VARIABLE = "N=1\n" + HEAD + f"    {N}=$N \\\n    trainer.nnodes=1\n"
FALLBACK = "N=${N:-1}\n" + HEAD + f'    {N}="$N"\n'
SHARED = "N=1\n" + HEAD + f"    {N}=$N \\\n    trainer.nnodes=$N\n"
ARRAY = (
    f'ARGS=(\n    algorithm.adv_estimator=grpo\n    {N}=1  # few\n)\npython3 -m verl.trainer.main_ppo "${{ARGS[@]}}"\n'
)
ABSENT = HEAD + "    trainer.nnodes=1\n"
ABSENT_ARRAY = ARRAY.replace(f"    {N}=1  # few\n", "    trainer.nnodes=1\n")
QUOTED = f"bash -c 'python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo {N}=1'\n"
LOOP = (
    f"for lr in 1e-6 1e-5; do\n    python3 -m verl.trainer.main_ppo {N}=1 actor_rollout_ref.actor.optim.lr=$lr\ndone\n"
)
COMPUTED = "A=1\n" + HEAD + f"    {N}=$((A * 1))\n"


def report(capsys, *words):
    main([*words, "--format", "json"])
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (IN_PLACE, IN_PLACE.replace(f"{N}=1", f"{N}=8")),
        (VARIABLE, VARIABLE.replace("N=1\npython", "N=8\npython")),
        (FALLBACK, FALLBACK.replace("N:-1", "N:-8")),
        (SHARED, SHARED.replace(f"{N}=$N", f"{N}=8")),
        (ARRAY, ARRAY.replace(f"{N}=1", f"{N}=8")),
        (ABSENT, ABSENT.replace("nnodes=1\n", f"nnodes=1 \\\n    {N}=8\n")),
        (ABSENT_ARRAY, ABSENT_ARRAY.replace("nnodes=1\n", f"nnodes=1\n    {N}=8\n")),
        (QUOTED, QUOTED.replace(f"{N}=1", f"{N}=8")),
        (LOOP, LOOP.replace(f"{N}=1", f"{N}=8")),
        (COMPUTED, COMPUTED),
    ],
    ids=["in-place", "variable", "fallback", "shared", "array", "absent", "absent-array", "quoted", "loop", "computed"],
)
def test_diff_mends_exactly_the_value(folder, capsys, before, after):
    folder(run_sh=before)
    assert main(["check", "--select", "TC001", "--diff", "run.sh"]) == 1
    lines = capsys.readouterr().out.splitlines()
    removed = [line[1:] for line in lines if line.startswith("-") and not line.startswith("---")]
    added = [line[1:] for line in lines if line.startswith("+") and not line.startswith("+++")]
    old, new = before.splitlines(), after.splitlines()
    assert removed == [line for line in old if line not in new]
    assert added == [line for line in new if line not in old]


def test_loop_says_it_once(folder, capsys):
    folder(run_sh=LOOP)
    document = report(capsys, "check", "--select", "TC001", "run.sh")
    assert len(document["findings"]) == 1
    assert document["runs"] == 2


@pytest.mark.parametrize(
    "text",
    [
        "# grpolint: ignore[one-sample] a smoke test\n" + IN_PLACE,
        IN_PLACE.rstrip() + "  # grpolint: ignore[TC001]\n",
        "# grpolint: ignore[TC]\n# more words\n" + IN_PLACE,
        ARRAY.replace("# few", "# grpolint: ignore[TC001]"),
        VARIABLE.replace("N=1\n", "N=1  # grpolint: ignore[TC001]\n", 1),
        "#!/bin/bash\n# grpolint: ignore-file[TC001]\n\nset -e\n" + IN_PLACE,
    ],
)
def test_suppression_of_a_continued_command(folder, capsys, text):
    folder(run_sh=text)
    assert report(capsys, "check", "run.sh")["findings"] == []


def test_suppression_of_another_command_does_not_count(folder, capsys):
    folder(run_sh="# grpolint: ignore[TC001]\necho start\n" + IN_PLACE)
    found = report(capsys, "check", "run.sh")["findings"]
    assert sorted(finding["rule"] for finding in found) == ["SU001", "TC001"]


def test_supplied_variable_decides(folder, capsys):
    folder(run_sh=HEAD + f"    {N}=$SAMPLES\n")
    before = report(capsys, "check", "--select", "TC001", "run.sh")
    assert before["undecided"] == [
        {
            "rule": "TC001",
            "file": "run.sh",
            "missing": [{"ref": f"verl:{N}", "reason": "env:SAMPLES", "supply": "--env SAMPLES=..."}],
        }
    ]
    assert before["findings"] == []
    assert len(report(capsys, "check", "--select", "TC001", "run.sh", "--env", "SAMPLES=1")["findings"]) == 1
    after = report(capsys, "check", "--select", "TC001", "run.sh", "--env", "SAMPLES=4")
    assert (after["findings"], after["undecided"]) == ([], [])


def test_show_argv(folder, capsys):
    folder(run_sh=f"export A=1\nsrun --nodes=2 python3 -m verl.trainer.main_ppo {N}=${{N:-4}} out=$DIR/x \\\n  y=1\n")
    assert report(capsys, "show", "--argv", "run.sh") == {
        "schema": "grpolint.argv/1",
        "launches": [
            {
                "file": "run.sh",
                "line": 2,
                "program": "verl.trainer.main_ppo",
                "wrappers": ["srun"],
                "condition": None,
                "argv": [
                    {"line": 2, "parts": [{"text": f"{N}=4"}]},
                    {"line": 2, "parts": [{"text": "out="}, {"unknown": "env:DIR"}, {"text": "/x"}]},
                    {"line": 3, "parts": [{"text": "y=1"}]},
                ],
                "env": {"A": [{"text": "1"}]},
                "cwd": None,
                "wrapper_argv": [[{"line": 2, "parts": [{"text": "--nodes=2"}]}]],
                "open_ended": False,
            }
        ],
        "errors": [],
    }


def test_show_argv_of_a_program_nobody_knows(folder, capsys):
    folder(run_sh="python3 my/own.py --x 1\n")
    assert main(["show", "--argv", "run.sh"]) == 0
    assert capsys.readouterr().out == "run.sh:1  my/own.py\n      1  --x\n      1  1\n"
    assert main(["show", "run.sh"]) == 3
    assert capsys.readouterr().err == "grpolint: run.sh: no training launch recognised; --argv shows what it starts\n"
    assert main(["check", "run.sh"]) == 3
    assert "it starts my/own.py, which grpolint does not know" in capsys.readouterr().err


def test_show_argv_of_a_script_that_starts_nothing(folder, capsys):
    folder(run_sh="echo hello\n")
    assert main(["show", "--argv", "run.sh"]) == 3
    assert capsys.readouterr().out == "nothing is started here\n"
    assert report(capsys, "show", "--argv", "run.sh")["launches"] == []


def test_show_value_through_a_variable(folder, capsys):
    folder(run_sh=VARIABLE)
    assert main(["show", "run.sh", N]) == 0
    out = capsys.readouterr().out
    assert f"  {N}  1  run.sh:4, via N line 1\n" in out
