"""A Ray node with fewer GPUs than the trainer wants.

## What it checks
`ray start --head --num-gpus N` against the devices on each node that the trainer asks for, in a run on one node.

## Why it matters
Ray gives out as many GPUs as it was told to have: verl stops because the pool needs more than there are, others wait for ever.

## Example
    ray start --head --num-gpus 4
    python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 trainer.nnodes=1 ...

## Instead
    ray start --head --num-gpus 8
    python3 -m verl.trainer.main_ppo trainer.n_gpus_per_node=8 trainer.nnodes=1 ...

## Fix safety
None is offered: which of the two is right is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.digits import whole
from grpolint.findings import Finding, Label, Severity
from grpolint.launch import Earlier
from grpolint.rules.api import Evidence, Inquiry, above, rule


@rule(
    id="RA005",
    name="fewer-gpus-than-trainer",
    summary="ray start is told of fewer GPUs than the trainer wants",
    severity=Severity.ERROR,
    frameworks={"verl": "", "easyr1": ""},
    when={"fact:ray_commands": above(0)},
    evidence=(
        Evidence(
            "verl 0.9.1: verl/single_controller/ray/base.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/single_controller/ray/base.py",
            "A pool that needs more GPUs than Ray has raises ValueError.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the last head has too few."""
    heads = (
        [each for each in run.run.launch.earlier if _option(each, "--head") is not None]
        if run.run.launch is not None
        else []
    )
    if not heads or heads[-1].condition is not None:
        return
    text = _option(heads[-1], "--num-gpus")
    number = whole(text or "")
    if number is None or run.integer("fact:nodes") != 1:
        return
    wanted = run.integer("fact:gpus_per_node")
    if wanted is not None and wanted > number:
        yield run.finding(
            f"the trainer wants {wanted} GPUs, and ray start says that there are {text}",
            ("fact:gpus_per_node", "wanted"),
            Label(heads[-1].span, f"{text} GPUs"),
            help="make both the same",
        )


def _option(command: Earlier, name: str) -> str | None:
    """Value of an option of `ray start`, an empty text for one without value; None if it is not given or not known."""
    words = [word.text for word in command.words]
    for at, word in enumerate(words):
        if word == name:
            following = words[at + 1] if at + 1 < len(words) else ""
            return following if following is None or not following.startswith("-") else ""
        if word is not None and word.startswith(name + "="):
            return word[len(name) + 1 :]
    return None
