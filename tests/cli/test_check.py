"""`grpolint check` from the user's side: exit codes, what is printed, and every option."""

import io
import json
import sys

import pytest

from grpolint.cli.main import main

BAD = '{\n  "zero_optimization": {"stage": 3},\n  "train_batch_size": 8\n}\n'
WARN = '{\n  "zero_optimization": {"stage": 2},\n  "bf16": {"enabled": true},\n  "fp16": {"enabled": true}\n}\n'
INFO = '{\n  "zero_optimization": {"stage": 2},\n  "train_batch_size": 128\n}\n'
GOOD = '{\n  "zero_optimization": {"stage": 2}\n}\n'
OTHER = '{"name": "x"}\n'


@pytest.fixture
def check(capsys):
    def run(*words):
        code = main(["check", "--ignore", "does-not-divide", *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def report(check):
    def run(*words):
        code, out, _ = check("--format", "json", *words)
        return code, json.loads(out)

    return run


def found(document):
    return [finding["rule"] for finding in document["findings"]]


# exit codes


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        (BAD, [], 1),
        (BAD, ["--fail-on", "error"], 1),
        (BAD, ["--fail-on", "never"], 0),
        (WARN, [], 1),
        (WARN, ["--fail-on", "error"], 0),
        (INFO, [], 0),
        (INFO, ["--fail-on", "info"], 1),
        (GOOD, [], 0),
        (OTHER, [], 3),
        ("{", [], 2),
        (b"\0\1\2", [], 2),
    ],
)
def test_exit_code(folder, check, text, options, code):
    folder(ds_json=text)
    assert check("ds.json", *options)[0] == code


def test_missing_file_is_unreadable_and_the_rest_is_still_checked(folder, check):
    folder(ds_json=BAD)
    code, out, err = check("none.json", "ds.json")
    assert code == 2
    assert "error[TA001]" in out
    assert err == "grpolint: none.json: no such file\n"


def test_finding_counts_more_than_an_unrecognised_file(folder, check):
    folder(ds_json=BAD, other_json=OTHER)
    code, _, err = check("ds.json", "other.json")
    assert code == 1
    assert "other.json is not checked: nothing in it starts or configures a training known here" in err


# text


def test_whole_output(folder, check):
    folder(ds_json=BAD)
    assert check("ds.json", "--with", "deepspeed==0.19.8")[1] == (
        "error[TA001] stage-three: stage 3 was asked for\n"
        " --> ds.json:2:25\n"
        "  |\n"
        '2 |   "zero_optimization": {"stage": 3},\n'
        "  |                         ^^^^^^^^^^ this stage\n"
        '  = help: set "stage": 2     [unsafe fix: changes training]\n'
        "  = grpolint explain TA001\n"
        "\n"
        "1 error (1 run in 1 file)\n"
    )


def test_assumed_release_is_said(folder, check):
    folder(ds_json=GOOD)
    out = check("ds.json")[1]
    assert out.startswith("no findings (1 run in 1 file)\nassumed: deepspeed ")
    assert "say --with deepspeed==" in out
    assert "assumed" not in check("ds.json", "--with", "deepspeed==0.19.8")[1]


def test_undecided_is_neither_clean_nor_a_finding(folder, capsys):
    folder(ds_json=GOOD.replace("}\n}", '},\n "train_batch_size": 8}'))
    assert main(["check", "ds.json"]) == 0
    out = capsys.readouterr().out
    assert "undecided: 1 check for want of a value; -v lists them, for example --nodes N --gpus-per-node N\n" in out
    assert main(["check", "ds.json", "-v"]) == 0
    out = capsys.readouterr().out
    assert "undecided in ds.json:\n  world size: " in out
    assert "    give --nodes N --gpus-per-node N to decide TB001\n" in out


def test_quiet_prints_errors_only(folder, check):
    folder(a_json=BAD, b_json=WARN)
    code, out, err = check("-q", ".")
    assert (code, err) == (1, "")
    assert out.startswith("error[TA001]")
    assert "TA002" not in out
    assert "run" not in out
    assert check("-q", "b.json")[:2] == (1, "")


def test_verbose_names_what_was_skipped(folder, check):
    folder(ds_json=GOOD, a__other_json=OTHER)
    assert "skipped: 1 file" in check("-v")[1]


def test_colour(folder, check, monkeypatch):
    folder(ds_json=BAD)
    assert "\x1b[" not in check("ds.json")[1]
    assert "\x1b[1;31merror[TA001]\x1b[0m" in check("ds.json", "--color", "always")[1]
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in check("ds.json")[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in check("ds.json")[1]


def test_file_names_and_contents_cannot_command_the_terminal(folder, check, tmp_path):
    folder()
    (tmp_path / "a\x1b[2J.json").write_text(BAD.replace("8\n", '8, "\x1b[31m": 1\n').replace("3}", '3, "k\x07": 1}'))
    out = "".join(check(".", "-v")[1:])
    assert "\\x1b[2J" in out
    assert not any(ord(char) < 32 and char != "\n" for char in out)


def test_rule_that_fails_itself_is_a_finding(folder, check):
    folder(ds_json=GOOD.replace("}\n}", '},\n "steps_per_print": 13}'))
    code, out, _ = check("ds.json")
    assert code == 1
    assert "warning[INT001] rule-failed: rule TB002 failed itself (LookupError: thirteen)" in out
    assert "Traceback" not in out
    assert "Traceback" in check("ds.json", "-v")[1]


def test_same_finding_of_a_file_named_twice_is_printed_once(folder, check):
    folder(ds_json=BAD)
    assert check("ds.json", "./ds.json", ".")[1].count("error[") == 1


# selection


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ([], ["TA001", "TA002", "TA003"]),
        (["--select", "TA001"], ["TA001"]),
        (["--select", "ta001"], ["TA001"]),
        (["--select", "stage-three"], ["TA001"]),
        (["--select", "Stage-Three"], ["TA001"]),
        (["--select", "d99"], ["TA001"]),
        (["--select", "TA001,large-batch"], ["TA001", "TA003"]),
        (["--select", "TA001", "--select", "TA003"], ["TA001", "TA003"]),
        (["--select", "TA"], ["TA001", "TA002", "TA003"]),
        (["--select", "ALL"], ["TA001", "TA002", "TA003", "TB003"]),
        (["--select", "TB003"], ["TB003"]),
        (["--ignore", "TA001"], ["TA002", "TA003"]),
        (["--ignore", "TA"], []),
        (["--select", "TA", "--ignore", "both-precisions"], ["TA001", "TA003"]),
    ],
)
def test_select_and_ignore(folder, report, options, rules):
    folder(
        ds_json=BAD.replace("8\n", "128").replace("}\n", ', "bf16": {"enabled": true}, "fp16": {"enabled": true}}\n')
    )
    assert sorted(found(report("ds.json", *options)[1])) == rules


# supply


def test_hardware_and_settings_decide(folder, report, capsys):
    folder(ds_json=BAD)
    assert main(["check", "ds.json", "--format", "json", "--set", "deepspeed:train_batch_size=7"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["undecided"][0]["rule"] == "TB001"
    assert found(report("ds.json", "--set", "deepspeed:zero_optimization.stage=1")[1]) == []


# json


def test_json(folder, report):
    folder(ds_json=BAD, broken_json="{", other_json=OTHER)
    code, document = report("ds.json", "broken.json", "other.json", "gone.json")
    assert code == 2
    assert document["schema"] == "grpolint.check/1"
    assert document["files"] == ["ds.json"]
    assert document["runs"] == 1
    (finding,) = document["findings"]
    assert finding == {
        "rule": "TA001",
        "name": "stage-three",
        "severity": "error",
        "confidence": "high",
        "message": "stage 3 was asked for",
        "spans": [
            {
                "file": "ds.json",
                "line": 2,
                "column": 25,
                "end_line": 2,
                "end_column": 35,
                "label": "this stage",
                "primary": True,
            }
        ],
        "help": 'set "stage": 2',
        "notes": [],
        "edits": [
            {
                "file": "ds.json",
                "line": 2,
                "column": 34,
                "end_line": 2,
                "end_column": 35,
                "start": 35,
                "end": 36,
                "replacement": "2",
                "safe": False,
            }
        ],
        "evidence": [
            {"ref": "owner/repo#1", "url": "https://example.org/1", "says": "It is so.", "grade": "confirmed"}
        ],
    }
    assert BAD[:35] + "2" + BAD[36:] == BAD.replace("3", "2")
    assert [error["file"] for error in document["errors"]] == ["broken.json", "gone.json"]


def test_json_is_valid_whatever_the_bytes(folder, report):
    folder(ds_json=BAD.encode().replace(b"3}", b'3, "\xff\xfe\xed\xa0\x80": "\xff", "n": NaN, "i": 1e999}'))
    _, document = report("ds.json")
    json.dumps(document, ensure_ascii=False).encode("utf-8")


def test_json_with_nothing_found(folder, report):
    folder(ds_json=GOOD)
    code, document = report("ds.json")
    assert code == 0
    assert (document["findings"], document["errors"], document["unrecognised"]) == ([], [], [])


# standard input


def read_from(monkeypatch, data):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_standard_input(folder, report, monkeypatch):
    folder()
    read_from(monkeypatch, BAD.encode())
    code, document = report("-", "--stdin-filename", "conf/ds.json")
    assert code == 1
    assert document["files"] == ["conf/ds.json"]
    read_from(monkeypatch, b"{}")
    assert report("-")[0] == 3


# settings file


def test_settings_file_and_command_line(folder, report, tmp_path):
    folder(a__ds_json=BAD, b__ds_json=BAD, c__ds_json=WARN)
    (tmp_path / "grpolint.toml").write_text(
        'ignore = ["large-batch", "TB"]\nfail-on = "never"\nexclude = ["b/"]\n[per-file-ignores]\n"c/**" = ["both-precisions"]\n'
    )
    code, document = report(".")
    assert code == 0
    assert document["files"] == ["a/ds.json", "c/ds.json"]
    assert found(document) == ["TA001"]
    assert report(".", "--fail-on", "error")[0] == 1
    assert report("b/ds.json")[1]["files"] == ["b/ds.json"]


def test_settings_file_supplies(folder, report, tmp_path):
    folder(ds_json=BAD)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.grpolint.set]\n"deepspeed:zero_optimization.stage" = 1\n[tool.grpolint.with]\ndeepspeed = "0.19.8"\n'
    )
    code, document = report("ds.json")
    assert (code, document["assumed"]) == (0, {})
    assert found(report("ds.json", "--set", "deepspeed:zero_optimization.stage=3")[1]) == ["TA001"]


# diff


def test_diff_shows_and_does_not_write(folder, check, tmp_path):
    folder(ds_json=BAD)
    code, out, err = check("ds.json", "--diff")
    assert code == 1
    assert out == (
        '# TA001 stage-three (unsafe: changes training): set "stage": 2\n'
        "--- ds.json\n"
        "+++ ds.json\n"
        "@@ -1,4 +1,4 @@\n"
        " {\n"
        '-  "zero_optimization": {"stage": 3},\n'
        '+  "zero_optimization": {"stage": 2},\n'
        '   "train_batch_size": 8\n'
        " }\n"
    )
    assert "1 error" in err
    assert (tmp_path / "ds.json").read_text() == BAD


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_diff_can_be_applied(folder, check, tmp_path, end):
    import shutil
    import subprocess

    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    before = BAD.encode().rstrip().replace(b"\n", end or b"\n").replace(b"8", b'8, "n": "\xe5\xae\x9e\xff"') + end
    folder(ds_json=before)
    patch = tmp_path / "fix.patch"
    command = [sys.executable, "-m", "grpolint.cli.main", "check", "--diff", "ds.json"]
    program = (
        "import sys, runpy; sys.argv = sys.argv[1:]; import conftest; "
        "mp = __import__('pytest').MonkeyPatch(); next(conftest.fake_rules.__wrapped__(mp)); "
        "from grpolint.cli.main import main; sys.exit(main(sys.argv))"
    )
    from pathlib import Path

    command = [sys.executable, "-c", program, "check", "--ignore", "TB001", "--diff", "ds.json"]
    env = {"PYTHONPATH": str(Path(__file__).parent), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, check=False)
    assert done.returncode == 1, done.stderr
    patch.write_bytes(done.stdout)
    subprocess.run(["git", "apply", "-p0", "fix.patch"], cwd=tmp_path, check=True)
    assert (tmp_path / "ds.json").read_bytes() == before.replace(b"3}", b"2}")


# suppression


@pytest.mark.parametrize(
    "comment",
    [
        "// grpolint: ignore[TA001] the machine is small",
        "// grpolint: ignore[ta001]",
        "// grpolint:ignore[stage-three]",
        "// grpolint: ignore[D99, both-precisions]",
        "# grpolint: ignore[TA]",
        "// grpolint: ignore[ALL]",
    ],
)
def test_suppressed_on_the_line_and_on_the_line_above(folder, report, comment):
    line = '  "zero_optimization": {"stage": 3}'
    for text in (
        f"{{\n{line} {comment}\n}}\n",
        f"{{\n  {comment}\n{line}\n}}\n",
        f"{{\n  {comment}\n  // more\n{line}\n}}",
    ):
        folder(ds_json=text)
        code, document = report("ds.json", "--ignore", "both-precisions")
        assert (code, [f for f in found(document) if f != "SU001"]) == (0, []), text


def test_suppressed_in_the_whole_file(folder, report):
    folder(ds_json="// grpolint: ignore-file[stage-three] why\n{\n\n\n" + BAD[1:])
    assert found(report("ds.json")[1]) == []


@pytest.mark.parametrize("comment", ["// grpolint: ignore[TA002]", "// ignore[TA001]", "// grpolint: ignored"])
def test_not_suppressed(folder, report, comment):
    folder(ds_json=BAD.replace("},\n", f"}}, {comment}\n"))
    assert "TA001" in found(report("ds.json")[1])


def test_comment_two_lines_above_does_not_reach(folder, report):
    folder(
        ds_json='{\n  // grpolint: ignore[TA001]\n  "train_batch_size": 8,\n  "zero_optimization": {"stage": 3}\n}\n'
    )
    assert sorted(found(report("ds.json")[1])) == ["SU001", "TA001"]


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("// grpolint: ignore[TA001] why", "TA001 finds nothing here: the comment can go"),
        ("// grpolint: ignore-file[TA001]", "TA001 finds nothing in this file: the comment can go"),
        ("// grpolint: ignore[TA009]", "no rule is called 'TA009'"),
        ("// grpolint: ignore", "the comment names no rule; write `grpolint: ignore[GR001]`"),
    ],
)
def test_useless_suppression_is_told(folder, report, comment, said):
    folder(ds_json=GOOD.replace("}\n}", f"}} {comment}\n}}"))
    code, document = report("ds.json")
    assert code == 0
    (finding,) = document["findings"]
    assert (finding["rule"], finding["severity"], finding["message"]) == ("SU001", "info", said)


@pytest.mark.parametrize("options", [["--ignore", "TA001"], ["--select", "TA002"]])
def test_suppression_of_a_rule_that_did_not_run_is_not_useless(folder, report, options):
    folder(ds_json=GOOD.replace("}\n}", "} // grpolint: ignore[TA001]\n}"))
    assert found(report("ds.json", *options)[1]) == []


def test_suppression_of_an_undecided_rule_is_not_useless(folder, capsys):
    folder(ds_json='{\n  "zero_optimization": {"stage": 2},\n  "train_batch_size": 8 // grpolint: ignore[TB001]\n}\n')
    main(["check", "ds.json", "--format", "json"])
    assert json.loads(capsys.readouterr().out)["findings"] == []
