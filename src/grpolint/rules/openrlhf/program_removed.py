"""A program that the release no longer has.

## What it checks
`openrlhf.cli.train_ppo` from 0.6.2 on, and `train_kd`, `train_kto` and `train_prm` from 0.9.6 on. Which release it
is `--with openrlhf==...` or a requirements file tells.

## Why it matters
Python stops with "No module named": the program was taken out of the package, and its options with it.

## Example
    deepspeed --module openrlhf.cli.train_ppo --pretrain Qwen/Qwen2.5-7B-Instruct      with openrlhf 0.8.0

## Instead
    python3 -m openrlhf.cli.train_ppo_ray --pretrain Qwen/Qwen2.5-7B-Instruct      with openrlhf 0.8.0

## Fix safety
None is offered: the options of another program are others.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.versions import satisfies

_LAST = {"train_ppo": "0.6.1.post1", "train_kd": "0.9.5", "train_kto": "0.9.5", "train_prm": "0.9.5"}


@rule(
    id="OR026",
    name="program-removed",
    summary="a training program that the release no longer has",
    severity=Severity.ERROR,
    frameworks={"openrlhf": ">=0.6.2"},
    evidence=(
        Evidence(
            "openrlhf 0.7.0: openrlhf/cli",
            "https://github.com/OpenRLHF/OpenRLHF/tree/v0.7.0/openrlhf/cli",
            "Has no train_ppo; 0.6.1.post1 has it.",
        ),
        Evidence(
            "openrlhf 0.9.6: openrlhf/cli",
            "https://github.com/OpenRLHF/OpenRLHF/tree/v0.9.6/openrlhf/cli",
            "Has no train_kd, train_kto and train_prm; 0.9.5 has them.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    program = run.run.program.removesuffix(".py").replace("/", ".").rpartition(".")[2]
    last = _LAST.get(program)
    release = run.release("openrlhf")
    if last is None or release is None or run.run.trainer != "openrlhf":
        return
    if satisfies(release, f">{last}"):
        yield run.finding(
            f"OpenRLHF {release} has no program {program}: the last release with it is {last}",
            notes=() if program != "train_ppo" else ("PPO runs with openrlhf.cli.train_ppo_ray, on one node too",),
            help=f"use openrlhf {last} or earlier, or another program",
        )
