"""Variables that the scheduler sets to what the `#SBATCH` lines of the script say."""

from __future__ import annotations

import pytest

HEAD = """#!/bin/bash
#SBATCH --job-name=grpo-7b
#SBATCH --nodes=4
#SBATCH --ntasks-per-node 2
#SBATCH --gres=gpu:h100:8
"""


@pytest.mark.parametrize(
    ("use", "value"),
    [
        ("$SLURM_NNODES", "4"),
        ("${SLURM_JOB_NUM_NODES}", "4"),
        ("$SLURM_NTASKS_PER_NODE", "2"),
        ("$SLURM_GPUS_ON_NODE", "8"),
        ("$SLURM_JOB_NAME", "grpo-7b"),
        ("$SLURM_GPUS_PER_NODE", "<env:SLURM_GPUS_PER_NODE>"),
        ("$SLURM_JOB_ID", "<env:SLURM_JOB_ID>"),
    ],
)
def test_the_directive_says_the_value(read, use, value):
    launch = read.only(f"{HEAD}python train.py --a {use}")
    assert launch.argv[1].pattern == value
    if not value.startswith("<"):
        assert [each.span.text.startswith("#SBATCH") for each in launch.argv[1].origins if each.what == "#SBATCH"] == [
            True
        ]


@pytest.mark.parametrize("line", ["#SBATCH --nodes=2-4", "##SBATCH --nodes=4", "# --nodes=4"])
def test_what_is_no_plain_number_or_no_directive_says_nothing(read, line):
    assert read.lines(f"#!/bin/bash\n{line}\npython t.py $SLURM_NNODES") == ["t.py <env:SLURM_NNODES>"]


def test_what_the_user_supplies_or_the_script_sets_wins(read):
    assert read.lines(f"{HEAD}python t.py $SLURM_NNODES", {"SLURM_NNODES": "16"}) == ["t.py 16"]
    assert read.lines(f"{HEAD}SLURM_NNODES=1\npython t.py $SLURM_NNODES") == ["t.py 1"]
