"""`grpolint lab` from the user's side: tables, JSON, figures, refusals."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from grpolint.cli.main import main

GOLDEN = Path(__file__).parent / "golden"
EXPERIMENTS = ("softmax", "muon", "groups", "memory")
QUICK = {
    "softmax": ["--tokens", "200", "--router", "8:2", "--router", "16:4"],
    "muon": ["--shape", "8x16", "--hidden", "16,64", "--steps", "3"],
    "groups": ["--sizes", "1,4,8"],
    "memory": [],
}


def said(capsys, *words):
    code = main(["lab", *words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_default_text(capsys, golden, name):
    code, out, err = said(capsys, name)
    assert (code, err) == (0, "")
    golden(out, GOLDEN / f"{name}.txt")


def test_a_card_of_24_gib(capsys, golden):
    words = "--model Qwen/Qwen2.5-1.5B --gpus 1 --shard zero2 --lora 32 --offload optimizer --reference --critic"
    code, out, _ = said(capsys, "memory", *words.split(), "--gpu-memory", "24", "--rollout-share", "0.4")
    assert code == 0
    golden(out, GOLDEN / "memory_24gib.txt")


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_json_has_the_same_tables_with_all_digits(capsys, name):
    code, out, _ = said(capsys, name, *QUICK[name], "--format", "json")
    document = json.loads(out)
    assert (code, document["schema"], document["experiment"]) == (0, "grpolint.lab/1", name)
    text = said(capsys, name, *QUICK[name])[1]
    for table in document["tables"]:
        assert table["title"] in text
        assert table["rows"]
        assert {len(row) for row in table["rows"]} == {len(table["columns"])}
        assert len({column["key"] for column in table["columns"]}) == len(table["columns"])
    assert all(claim["rules"] and claim["claimed"] and claim["found"] for claim in document["claims"])


@pytest.mark.parametrize("name", ["softmax", "muon"])
def test_seed_decides_what_is_drawn(capsys, name):
    first, again, other = (said(capsys, name, *QUICK[name], "--seed", seed, "--format", "json")[1] for seed in "778")
    assert first == again
    assert first.replace('"seed": 7', '"seed": 8') != other


@pytest.mark.parametrize("name", EXPERIMENTS)
@pytest.mark.parametrize("form", ["png", "svg"])
def test_figures(capsys, tmp_path, name, form):
    path = tmp_path / f"a.{form}"
    assert said(capsys, name, *QUICK[name], "--figure", str(path))[0] == 0
    first = path.read_bytes()
    if form == "png":
        assert first.startswith(b"\x89PNG\r\n")
    else:
        words = " ".join(ET.fromstring(first).itertext())
        heading = {"softmax": "Top-k sets", "muon": "AdamW", "groups": "p=0.5", "memory": "GiB"}[name]
        assert heading in words
    said(capsys, name, *QUICK[name], "--figure", str(path))
    assert path.read_bytes() == first


def test_figure_that_cannot_be_written(capsys, tmp_path):
    code, out, err = said(capsys, "groups", "--figure", str(tmp_path / "no" / "a.png"))
    assert (code, out) == (2, "")
    assert err == f"grpolint lab groups: {tmp_path}/no/a.png cannot be written: No such file or directory\n"


# the user's own logits


def test_own_logits(capsys, tmp_path):
    logits = np.random.default_rng(0).standard_normal((500, 32)).astype("f4")
    logits[0, 0], logits[1, 0], logits[2] = np.inf, 12, -np.inf
    np.save(tmp_path / "a.npy", logits)
    code, out, _ = said(capsys, "softmax", "--logits", str(tmp_path / "a.npy"), "--top-k", "4", "--format", "json")
    assert code == 0
    tables = {table["key"]: table["rows"] for table in json.loads(out)["tables"]}
    assert [row[1] for row in tables["logits"]] == [500, 32, 12, 1, 1, 0, 1, 2]
    assert tables["agreement"][0][:2] == [32, 4]
    assert "498 usable tokens" in said(capsys, "softmax", "--logits", str(tmp_path / "a.npy"), "--top-k", "4")[1]


def test_fp16_logits_lose_nothing_in_fp16(capsys, tmp_path):
    np.save(tmp_path / "a.npy", np.random.default_rng(0).standard_normal((500, 32)).astype("f2"))
    out = said(capsys, "softmax", "--logits", str(tmp_path / "a.npy"), "--top-k", "4", "--format", "json")[1]
    table = next(table for table in json.loads(out)["tables"] if table["key"] == "agreement")
    row = dict(zip([column["key"] for column in table["columns"]], table["rows"][0]))
    assert row["fp16"] == row["fp32"] == 0


def test_logits_without_a_usable_row(capsys, tmp_path):
    np.save(tmp_path / "a.npy", np.full((3, 4), -np.inf))
    words = ["softmax", "--logits", str(tmp_path / "a.npy"), "--top-k", "2"]
    assert said(capsys, *words)[0] == 0
    code, _, err = said(capsys, *words, "--figure", str(tmp_path / "a.png"))
    assert code == 2
    assert err.endswith("no row of logits is usable\n")


# refusals


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ([], "grpolint lab: the following arguments are required: EXPERIMENT"),
        (["softmx"], "grpolint lab: unknown experiment 'softmx'; did you mean 'softmax'?"),
        (["frobnicate"], "grpolint lab: unknown experiment 'frobnicate'; there are softmax, muon, groups, memory"),
        (["muon", "--stepz", "1"], "grpolint lab muon: unknown option '--stepz'; did you mean '--steps'?"),
        (
            ["groups", "--figure", "a.pdf"],
            "grpolint lab groups: argument --figure: 'a.pdf' does not end in .png or .svg",
        ),
        (
            ["groups", "--pass-rates", "1.5"],
            "grpolint lab groups: argument --pass-rates: '1.5' is not a number from 0 to 1",
        ),
        (["groups", "--pass-rates", "nan"], "grpolint lab groups: argument --pass-rates: 'nan' is not a number from 0"),
        (
            ["groups", "--sizes", "0"],
            "grpolint lab groups: argument --sizes: '0' is not a whole number from 1 to 65536",
        ),
        (["groups", "--beta", "1"], "grpolint lab groups: argument --beta: '1' holds 1 values, not 2"),
        (["muon", "--shape", "64"], "grpolint lab muon: argument --shape: '64' is not of the form ROWSxCOLUMNS"),
        (
            ["muon", "--shape", "64x1000"],
            "grpolint lab muon: argument --shape: '1000' is not a whole number from 1 to 512",
        ),
        (
            ["softmax", "--tokens", "1000000", "--router", "128:8"],
            "grpolint lab softmax: 128,000,000 random logits of one router are above the limit of 67,108,864",
        ),
        (["muon", "--clip", "0"], "grpolint lab muon: argument --clip: '0' is not a number above 0 to 1e+06"),
        (["softmax", "--router", "8:8"], "grpolint lab softmax: argument --router: '8:8' takes 8 of 8 experts"),
        (["softmax", "--logits", "a.npy"], "grpolint lab softmax: --logits and --top-k belong together"),
        (["softmax", "--top-k", "2"], "grpolint lab softmax: --logits and --top-k belong together"),
        (["softmax", "--logits", "none.npy", "--top-k", "2"], "grpolint lab softmax: none.npy: no such file"),
        (["memory", "--model", "qwen2.5-7"], "grpolint lab memory: --model: unknown model 'qwen2.5-7'; did you mean"),
        (
            ["memory", "--shard", "zero2", "--offload", "weights"],
            "grpolint lab memory: --offload weights needs --shard",
        ),
        (["memory", "--kv-heads", "5"], "grpolint lab memory: 28 heads are not a multiple of 5 KV heads"),
        (["memory", "--gpus", "٣"], "grpolint lab memory: argument --gpus: '\\u0663' is not a whole number"),
    ],
)
def test_usage_errors_are_one_clear_line(capsys, words, line):
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith(line)
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_help_of_each_experiment(capsys, name):
    code, out, _ = said(capsys, name, "--help")
    assert code == 0
    assert out.startswith(f"usage: grpolint lab {name}")
    assert name in said(capsys, "--help")[1]


@pytest.mark.parametrize("pass_rate", ["0", "1"])
def test_prompts_without_any_signal(capsys, pass_rate):
    code, out, _ = said(capsys, "groups", "--pass-rates", pass_rate)
    assert code == 0
    assert f"{pass_rate}: none" in out
    document = json.loads(said(capsys, "groups", "--pass-rates", pass_rate, "--format", "json")[1])
    assert document["tables"][2]["rows"][0][1] == "inf"


BLOCKED = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Block())
from grpolint.cli.main import main
sys.exit(main(["lab", *{words!r}]))
"""


def without(blocked, *words):
    program = BLOCKED.format(blocked=blocked, words=list(words))
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ["softmax", "muon"])
def test_without_numpy_one_sentence_says_what_to_install(name):
    done = without(["numpy", "matplotlib"], name)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr == f"grpolint lab {name}: this needs numpy, which is not installed: pip install 'grpolint[lab]'\n"
    )


@pytest.mark.parametrize("name", ["groups", "memory"])
def test_formulas_need_no_extra(name):
    done = without(["numpy", "matplotlib"], name)
    assert (done.returncode, done.stderr) == (0, "")
    drawn = without(["matplotlib"], name, "--figure", "a.png")
    assert (drawn.returncode, drawn.stdout) == (2, "")
    assert "this needs matplotlib, which is not installed: pip install 'grpolint[lab]'" in drawn.stderr
