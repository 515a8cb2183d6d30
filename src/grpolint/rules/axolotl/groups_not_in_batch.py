"""A batch of one process that cuts a group, as axolotl counts.

## What it checks
With rl grpo: trl.generation_batch_size, else micro_batch_size * gradient_accumulation_steps, must be a multiple of
trl.num_generations. axolotl counts a single process here.

## Why it matters
The configuration is refused, also where TRL would have had whole groups over all processes.

## Example
    rl: grpo
    trl: {num_generations: 8}
    micro_batch_size: 1
    gradient_accumulation_steps: 4

## Instead
    rl: grpo
    trl: {num_generations: 8}
    micro_batch_size: 1
    gradient_accumulation_steps: 8

## Fix safety
Unsafe: the batch of a step grows.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term, multiple


@rule(
    id="AX002",
    name="axolotl-batch-not-whole-groups",
    summary="the batch of GRPO is no multiple of num_generations in axolotl",
    severity=Severity.ERROR,
    frameworks={"axolotl": ">=0.17"},
    when={"axolotl:rl": "grpo"},
    evidence=(
        Evidence(
            "axolotl 0.19.0: axolotl/utils/schemas/validation.py",
            "https://github.com/axolotl-ai-cloud/axolotl/blob/v0.19.0/src/axolotl/utils/schemas/validation.py",
            "check_grpo_batch_size_divisibility raises ValueError for the batch of a single process, whatever their number, since 0.17.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.text("axolotl:rl") != "grpo":
        return
    groups = Size.of(run, Term("axolotl:trl.num_generations", "num_generations", "size of a group"))
    if groups is None or groups.value < 2:
        return
    micro = Term("axolotl:micro_batch_size", "micro_batch_size", assume=1)
    steps = Term("axolotl:gradient_accumulation_steps", "gradient_accumulation_steps", assume=1)
    whole = Size.of(run, Term("axolotl:trl.generation_batch_size", "generation_batch_size")) or Size.of(
        run, micro, steps
    )
    given = run.integer("axolotl:trl.generation_batch_size") is not None
    least = groups.value // gcd(micro.value(run) or 1, groups.value)
    changes = () if given else (SetOption("axolotl", "gradient_accumulation_steps", least),)
    severity = Severity.WARNING if run.run.settings["axolotl"].version.assumed else None
    why = "axolotl wants whole groups in a process"
    yield from multiple(run, whole, groups, why, changes=changes, severity=severity)
