"""Whatever the bytes of a file, a command ends with one of its exit codes and never fails itself."""

import contextlib
import io
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grpolint.cli.main import main

SCRIPT = """\
#!/bin/bash
#SBATCH --nodes=2
N=${N:-1}
ARGS=(algorithm.adv_estimator=grpo "data.x=$(date)")
for lr in 1e-6 1e-5; do
  python3 -m verl.trainer.main_ppo "${ARGS[@]}" \\
    actor_rollout_ref.rollout.n=$N trainer.nnodes=$((N * 2)) # grpolint: ignore[TC001]
done
cat > ds.json <<EOF
{"zero_optimization": {"stage": 3}}
EOF
deepspeed --num_gpus 8 train.py --deepspeed ds.json
"""
YAML = "model_name_or_path: a\nnum_generations: 8\nbeta: 1e-6\nreward_funcs: [x, y]\nx: &a {b: *a}\n"
JSON = '{"zero_optimization": {"stage": 3}, // why\n "train_batch_size": 32, "bf16": {"enabled": true,},}\n'
PYTHON = "from trl import GRPOConfig\nx = {'a': 1}\nargs = GRPOConfig(num_generations=1, **x)\n"
SEEDS = {
    ".sh": SCRIPT,
    ".yaml": YAML,
    ".json": JSON,
    ".py": PYTHON,
    ".ipynb": json.dumps({"cells": [{"source": PYTHON}]}),
}
PIECES = [
    "\0",
    "\\\n",
    "'",
    '"',
    "$(",
    "${",
    "`",
    "<<EOF\n",
    "((",
    "}",
    "[",
    "&a ",
    "*a",
    "\t",
    "\r\n",
    "é",
    "\udcff",
    "#",
    ": ",
]


@st.composite
def mutated(draw):
    """A real-shaped file with some stretches removed, doubled or replaced."""
    suffix = draw(st.sampled_from(sorted(SEEDS)))
    text = SEEDS[suffix]
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        put = draw(st.one_of(st.just(""), st.sampled_from(PIECES), st.just(text[start:end] * 2), st.text(max_size=4)))
        text = text[:start] + put + text[end:]
    return suffix, text.encode("utf-8", "surrogatepass")


def ends_well(suffix, data, *words):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"run{suffix}"
        path.write_bytes(data)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([words[0], str(path), *words[1:]])
    assert code in (0, 1, 2, 3)
    assert "grpolint failed here" not in out.getvalue() + err.getvalue()
    assert "INT001" not in out.getvalue()
    return out.getvalue()


CALM = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))


@CALM
@given(mutated())
def test_check_of_a_mutated_file(file):
    ends_well(*file, "check")
    json.loads(ends_well(*file, "check", "--format", "json"))


@CALM
@given(mutated())
def test_diff_of_a_mutated_file(file):
    ends_well(*file, "check", "--diff")


@CALM
@given(mutated())
def test_show_of_a_mutated_file(file):
    json.loads(ends_well(*file, "show", "--format", "json"))
    json.loads(ends_well(".sh", file[1], "show", "--argv", "--format", "json") or "{}")


@pytest.mark.parametrize("suffix", sorted(SEEDS))
@CALM
@given(data=st.binary(max_size=200))
def test_check_of_any_bytes(suffix, data):
    ends_well(suffix, data, "check")
