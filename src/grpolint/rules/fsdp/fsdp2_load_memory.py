"""FSDP2 that runs out of memory while it loads a model.

## What it checks
Strategy `fsdp2` of verl before 0.5 with PyTorch 2.6. Which PyTorch it is only `--with torch==...` tells.

## Why it matters
Setting the state of a sharded model keeps far too much memory in PyTorch 2.6: models of 32B and more ended out of memory
while they were loaded, and FSDP1 loaded them. verl 0.5 brings the corrected function of PyTorch 2.7 along.

## Example
    actor_rollout_ref.actor.strategy=fsdp2      with verl 0.4.1 and torch 2.6.0

## Instead
    pip install 'verl>=0.5'

## Fix safety
None is offered: the remedy is another release.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, Undecided, rule
from grpolint.versions import satisfies


@rule(
    id="FS002",
    name="fsdp2-load-memory",
    summary="fsdp2 with PyTorch 2.6 before verl 0.5",
    severity=Severity.WARNING,
    frameworks={"verl": ">=0.4,<0.5"},
    when={"fact:fsdp_version": 2},
    evidence=(
        Evidence(
            "verl-project/verl#2606",
            "https://github.com/verl-project/verl/pull/2606",
            "The state-dict function of PyTorch 2.6 leads to out of memory; a copy of that of 2.7 is used instead.",
        ),
        Evidence(
            "verl-project/verl#1517",
            "https://github.com/verl-project/verl/issues/1517",
            "Models of 32B and 72B could not be loaded with fsdp2 and could with fsdp.",
        ),
        Evidence(
            "verl 0.5.0: verl/utils/fsdp_utils.py",
            "https://github.com/verl-project/verl/blob/v0.5.0/verl/utils/fsdp_utils.py",
            "Below PyTorch 2.7 the copy is imported; 0.4.1 takes what PyTorch has.",
        ),
    ),
    aliases=("N06",),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for such releases."""
    if run.integer("fact:fsdp_version") != 2:
        return
    torch = run.release("torch")
    if torch is None:
        raise Undecided("version:torch")
    if satisfies(torch, "==2.6.*"):
        yield run.finding(
            f"fsdp2 with PyTorch {torch} needs far more memory to load a model before verl 0.5: large models do not fit",
            ("fact:fsdp_version", "FSDP2"),
            help="use verl 0.5 or later, or PyTorch 2.7 or later",
        )
