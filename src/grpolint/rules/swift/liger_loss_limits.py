"""The fused Liger loss with something that it does not compute.

## What it checks
GRPO with use_liger_kernel together with delta, sequence_parallel_size above 1, padding_free, top_entropy_quantile
below 1, log_entropy, or an advantage estimator other than grpo.

## Why it matters
ms-swift refuses each of them: the fused loss never has the logits that they need.

## Example
    swift rlhf --rlhf_type grpo --use_liger_kernel true --log_entropy true

## Instead
    swift rlhf --rlhf_type grpo --use_liger_kernel true

## Fix safety
None is offered: either of the two may be meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="SW011",
    name="liger-loss-limits",
    summary="what the Liger loss of GRPO in ms-swift does not do",
    severity=Severity.ERROR,
    frameworks={"ms-swift": ">=3.6"},
    when={"ms-swift:use_liger_kernel": True, "fact:group_relative": True},
    evidence=(
        Evidence(
            "ms-swift 4.6.0: swift/arguments/rlhf_args.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/arguments/rlhf_args.py",
            "_check_grpo raises ValueError for each of them with use_liger_kernel.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.flag("ms-swift:use_liger_kernel") is not True or run.known("fact:group_relative") is not True:
        return
    found = [
        ("delta", run.known("ms-swift:delta") is not None),
        ("sequence_parallel_size", (run.integer("ms-swift:sequence_parallel_size") or 1) > 1),
        ("padding_free", run.flag("ms-swift:padding_free") is True),
        ("top_entropy_quantile", (run.number("ms-swift:top_entropy_quantile") or 1) < 1),
        ("log_entropy", run.flag("ms-swift:log_entropy") is True),
        ("advantage_estimator", (run.text("ms-swift:advantage_estimator") or "grpo") != "grpo"),
    ]
    if "megatron" in run.run.settings:
        return
    for key, clashes in found:
        if clashes:
            yield run.finding(
                f"the Liger loss does not take {key}",
                f"ms-swift:{key}",
                ("ms-swift:use_liger_kernel", "fused loss"),
                help="switch use_liger_kernel off, or do without it",
            )
