"""More processes than the batch job has devices.

## What it checks
The devices that `#SBATCH` asks for on each node (`--gres=gpu:4`, `--gpus-per-node`) against those that the launch wants there.

## Why it matters
Slurm hides the other devices: the surplus processes stop with "invalid device ordinal", and Ray waits for devices that it never gets.

## Example
    #SBATCH --gres=gpu:4
    torchrun --nproc_per_node 8 train.py

## Instead
    #SBATCH --gres=gpu:8
    torchrun --nproc_per_node 8 train.py

## Fix safety
None is offered: which of the two is right is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Label, Severity
from grpolint.regex import regex
from grpolint.rules.api import Evidence, Inquiry, above, rule

_DEVICES = regex(r"(?:gpu:)?(?:[\w.-]+:)?(\d{1,9})")


@rule(
    id="EN027",
    name="more-processes-than-allocated",
    summary="the launch wants more devices on each node than the batch job asks for",
    severity=Severity.ERROR,
    when={"fact:gpus_per_node": above(1)},
    evidence=(
        Evidence(
            "Slurm documentation: generic resource scheduling",
            "https://slurm.schedmd.com/gres.html",
            "A job sees the devices that it was given, numbered from 0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    launch = run.run.launch
    if launch is None or not launch.directives or any(name in ("sbatch", "ssh") for name in launch.wrappers):
        return
    asked = [each for each in launch.directives if each[0] in ("gres", "gpus-per-node")]
    if len(asked) != 1 or any("ray" in name for name in launch.wrappers):
        return
    match = _DEVICES.fullmatch(asked[0][1].split("#")[0].strip())
    wanted = run.integer("fact:gpus_per_node")
    if match is None or wanted is None or (asked[0][0] == "gres" and not asked[0][1].startswith("gpu")):
        return
    given = int(match[1])
    value = run.asked["fact:gpus_per_node"]
    if any(origin.what == "#SBATCH" for origin in (value.origins if value is not None else ())):
        return
    if wanted > given > 0:
        yield run.finding(
            f"this launch wants {wanted} devices on each node, and the job asks for {given}",
            ("fact:gpus_per_node", "wanted on each node"),
            Label(asked[0][2], f"{given} devices"),
            help="make both the same",
        )
