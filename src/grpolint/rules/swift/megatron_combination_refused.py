"""Options that Megatron-SWIFT does not take together.

## What it checks
save_total_limit below 2 or with async_save; freeze_parameters_ratio with pipeline parallelism; group_by_length with
padding_free (since 4.2, where padding_free is on by default).

## Why it matters
The run ends with a ValueError once the arguments are read.

## Example
    megatron sft --save_total_limit 1

## Instead
    megatron sft --save_total_limit 2

## Fix safety
None is offered: either of the two may be meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.relations import minimum, on, together
from grpolint.versions import satisfies


@rule(
    id="SW015",
    name="megatron-swift-combination-refused",
    summary="options that Megatron-SWIFT refuses together",
    severity=Severity.ERROR,
    frameworks={"ms-swift": ">=4.0"},
    when={"ms-swift:save_total_limit|ms-swift:freeze_parameters_ratio|ms-swift:group_by_length": SET},
    evidence=(
        Evidence(
            "ms-swift 4.6.0: swift/megatron/arguments/megatron_args.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/megatron/arguments/megatron_args.py",
            "MegatronArguments raises ValueError for each of them.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each combination."""
    if "megatron" not in run.run.settings:
        return
    limit = run.integer("ms-swift:save_total_limit")
    if limit is not None and limit < 2:
        yield run.finding(
            f"save_total_limit {limit} < 2 is refused", "ms-swift:save_total_limit", help="keep two or more"
        )
    if limit is not None:
        yield from together(
            run, "save_total_limit is refused with async_save", on("ms-swift:async_save"), help="switch async_save off"
        )
    if 0 < (run.number("ms-swift:freeze_parameters_ratio") or 0) < 1:
        stages = minimum("ms-swift:pipeline_model_parallel_size", 2, "stages")
        yield from together(run, "freeze_parameters_ratio is refused with pipeline stages", stages)
    if satisfies(run.run.settings["ms-swift"].version.text, ">=4.2"):
        yield from together(
            run,
            "group_by_length is refused with padding_free",
            on("ms-swift:group_by_length"),
            on("ms-swift:padding_free"),
            help="set padding_free false",
        )
