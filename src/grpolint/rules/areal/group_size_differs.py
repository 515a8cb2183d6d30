"""Rewards normalised in groups of another size than the prompts have.

## What it checks
`group_size` of `actor.reward_norm` and `actor.adv_norm`, where a mean or a deviation is taken over a group, against
`gconfig.n_samples`. It is 1 by default, whatever the number of samples.

## Why it matters
A group of one has its own reward as mean, so that every reward becomes zero and nothing is learned. A size that does
not divide the number of samples mixes prompts.

## Example
    gconfig: {n_samples: 8}
    actor:
      reward_norm: {mean_level: group, std_level: group}

## Instead
    gconfig: {n_samples: 8}
    actor:
      reward_norm: {mean_level: group, std_level: group, group_size: '${gconfig.n_samples}'}

## Fix safety
Unsafe: the advantages change.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="AR004",
    name="group-size-differs",
    summary="normalisation over groups of another size than gconfig.n_samples",
    severity=Severity.ERROR,
    frameworks={"areal": ">=0.4.1"},
    evidence=(
        Evidence(
            "areal 1.0.4: areal/utils/data.py",
            "https://github.com/inclusionAI/AReaL/blob/v1.0.4/areal/utils/data.py",
            "Normalization takes group_size consecutive rows for a group, and nothing compares it with the samples of a prompt.",
        ),
        Evidence(
            "areal 1.0.4: areal/api/cli_args.py",
            "https://github.com/inclusionAI/AReaL/blob/v1.0.4/areal/api/cli_args.py",
            "NormConfig.group_size is 1 by default.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each normalisation whose groups are no prompts."""
    samples = run.integer("fact:group_size")
    for section in ("actor.reward_norm", "actor.adv_norm"):
        ref = f"areal:{section}.group_size"
        mean = run.known(f"areal:{section}.mean_level")
        if "group" not in (mean, run.known(f"areal:{section}.std_level")):
            continue
        size = run.integer(ref)
        if size is None or samples is None or size == samples or size < 1:
            continue
        if size == 1 and mean == "group":
            effect = "every reward is its own mean" + ("" if section.endswith("reward_norm") else " for its sequence")
        elif samples % size:
            effect = "a group mixes prompts"
        else:
            effect = "a group has only a part of a prompt's samples"
        yield run.finding(
            f"{section} takes groups of {size}, but a prompt has {samples} samples: {effect}",
            (ref, "size of a group"),
            (f"areal:{section}.mean_level", "over a group"),
            ("areal:gconfig.n_samples", "samples of a prompt"),
            changes=(SetOption("areal", f"{section}.group_size", samples),),
            severity=Severity.WARNING if size != 1 and samples % size == 0 else None,
        )
