"""Parallel sizes that do not make up the processes.

## What it checks
The product of the sizes in `parallelism_config` must be the number of processes, unless all are 1 or DeepSpeed cuts
the sequences.

## Why it matters
accelerate refuses another product once the processes have started.

## Example
    num_processes: 8
    parallelism_config: {parallelism_config_dp_shard_size: 2, parallelism_config_tp_size: 2}

## Instead
    num_processes: 8
    parallelism_config: {parallelism_config_dp_shard_size: 4, parallelism_config_tp_size: 2}

## Fix safety
None is offered: which size to change is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.relations import Size, Term

_SIZES = ("dp_replicate", "dp_shard", "tp", "cp")


@rule(
    id="FS066",
    name="parallel-sizes-not-processes",
    summary="the sizes of accelerate's parallelism_config do not multiply to the processes",
    severity=Severity.ERROR,
    frameworks={"accelerate": ">=1.10"},
    when={
        "accelerate:parallelism_config_dp_shard_size|accelerate:parallelism_config_dp_replicate_size|accelerate:parallelism_config_tp_size|accelerate:parallelism_config_cp_size": above(
            1
        )
    },
    evidence=(
        Evidence(
            "accelerate 1.15.0: accelerate/parallelism_config.py",
            "https://github.com/huggingface/accelerate/blob/v1.15.0/src/accelerate/parallelism_config.py",
            "_validate_accelerator raises ValueError for another product; first released in 1.10.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the product."""
    key = "parallelism_config_{}_size"
    written = [name for name in (*_SIZES, "sp") if run.run.setting("accelerate", key.format(name)) is not None]
    if not written or ("sp" in written and run.integer(f"accelerate:{key.format('sp')}") != 1):
        return
    terms = [Term(f"accelerate:{key.format(name)}", f"{name}_size") for name in written]
    product = Size.of(run, *terms)
    processes = run.integer("accelerate:num_processes") if run.is_set("accelerate:num_processes") else None
    if product is None or product.value == 1 or processes is None or product.value == processes:
        return
    yield run.finding(
        f"{product.equation}, but num_processes is {processes}: accelerate wants the same number",
        *product.places,
        ("accelerate:num_processes", f"{processes} processes"),
        help="make the sizes multiply to the number of processes",
    )
