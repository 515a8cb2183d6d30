"""Ring attention without packed samples.

## What it checks
`--ds.ring_attn_size` above 1 without `--ds.packing_samples` in the programs for SFT, DPO and reward models. The
program for PPO switches packing on by itself.

## Why it matters
The program stops with an assertion at the start.

## Example
    --ds.ring_attn_size 2

## Instead
    --ds.ring_attn_size 2 --ds.packing_samples

## Fix safety
Safe: without it the run stops.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule


@rule(
    id="OR028",
    name="ring-without-packing",
    summary="ring attention without packed samples",
    severity=Severity.ERROR,
    frameworks={"openrlhf": ">=0.4.6"},
    when={"openrlhf:ds.ring_attn_size": above(1)},
    evidence=(
        Evidence(
            "openrlhf 0.11.0: openrlhf/cli/train_sft.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.0/openrlhf/cli/train_sft.py",
            "Asserts packing_samples where ring_attn_size is above 1; so do train_dpo and train_rm.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    size = run.integer("openrlhf:ds.ring_attn_size")
    if "ppo" in run.run.program or size is None or size < 2 or run.flag("openrlhf:ds.packing_samples") is not False:
        return
    yield run.finding(
        f"ring attention over {size} ranks needs packed samples: OpenRLHF refuses it",
        ("openrlhf:ds.ring_attn_size", f"{size} ranks"),
        ("openrlhf:ds.packing_samples", "not packed"),
        changes=(SetOption("openrlhf", "ds.packing_samples", True, safe=True),),
    )
