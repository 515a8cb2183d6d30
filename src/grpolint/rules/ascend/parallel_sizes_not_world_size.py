"""Parallel sizes of a MindIE model that do not make up worldSize.

## What it checks
In `ModelConfig`, where they are written: `tp * dp * cp` and `moe_tp * moe_ep` must each be `worldSize` on one
machine; -1 leaves a size to MindIE.

## Why it matters
The model is refused while it is loaded.

## Example
    "worldSize": 8, "tp": 2, "dp": 2

## Instead
    "worldSize": 8, "tp": 4, "dp": 2

## Fix safety
Unsafe: which size is meant is not known.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.relations import Size, Term

_BACKEND = "mindie:BackendConfig"
_MODEL = f"{_BACKEND}.ModelDeployConfig.ModelConfig.0"


@rule(
    id="AS046",
    name="parallel-sizes-not-world-size",
    summary="parallel sizes of a MindIE model that do not make up worldSize",
    severity=Severity.ERROR,
    frameworks={"mindie": ""},
    evidence=(
        Evidence(
            "MindIE 3.0.0: examples/atb_models/atb_llm/utils/mapping.py",
            "https://github.com/Ascend/MindIE-LLM/blob/v3.0.0/examples/atb_models/atb_llm/utils/mapping.py",
            "validate() raises ValueError for both products.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each product that is another."""
    if run.flag(f"{_BACKEND}.multiNodesInferEnabled"):
        return
    world = run.integer(f"{_MODEL}.worldSize")
    for first, second, third in (("tp", "dp", "cp"), ("moe_tp", "moe_ep", "")):
        sizes = [run.integer(f"{_MODEL}.{name}") for name in (first, second)]
        more = run.integer(f"{_MODEL}.{third}") if third else None
        if world is None or any(size is None or size < 1 for size in sizes) or (more is not None and more < 1):
            continue  # one of them is left to MindIE
        names = (first, second, third) if more is not None else (first, second)
        size = Size.of(run, *(Term(f"{_MODEL}.{name}", name, name) for name in names))
        if size is not None and size.value != world:
            yield run.finding(
                f"{size.equation} is not worldSize {world}: the model is refused",
                *size.places,
                (f"{_MODEL}.worldSize", "devices of an instance"),
            )
