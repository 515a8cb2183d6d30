"""A misspelled variable of vLLM.

## What it checks
Exported variables that start with `VLLM_`, that no release of vLLM reads, that the script itself does not use, and whose name is
almost that of a real one.

## Why it matters
vLLM ignores it: what it was meant to change keeps its default, and at most a line in the log says so.

## Example
    export VLLM_ALLREDUCE_USE_SYMMEM=0

## Instead
    export VLLM_ALLREDUCE_USE_SYMM_MEM=0

## Fix safety
None is offered: the name is a guess.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.rules.variables import misspelled

_OFTEN = frozenset(
    {
        "VLLM_USE_V1",
        "VLLM_ATTENTION_BACKEND",
        "VLLM_ALLREDUCE_USE_SYMM_MEM",
        "VLLM_WORKER_MULTIPROC_METHOD",
        "VLLM_LOGGING_LEVEL",
        "VLLM_USE_MODELSCOPE",
        "VLLM_ALLOW_LONG_MAX_MODEL_LEN",
        "VLLM_RPC_TIMEOUT",
    }
)
"""Variables that are written often, so that the catalog need not be asked."""


@rule(
    id="VL026",
    name="unknown-vllm-variable",
    summary="a VLLM_ variable that no release reads, spelled almost like a real one",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    evidence=(
        Evidence(
            "vllm 0.30.0: vllm/envs.py",
            "https://github.com/vllm-project/vllm/blob/v0.30.0/vllm/envs.py",
            "environment_variables lists what is read; validate_environ only warns of others.",
        ),
        Evidence(
            "vllm 0.8.5: vllm/envs.py",
            "https://github.com/vllm-project/vllm/blob/v0.8.5/vllm/envs.py",
            "Nothing looks at variables that are not in the list.",
        ),
    ),
    when={"env:VLLM_*": SET},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for each of them."""
    for name in run.run.env:
        meant = misspelled(run, "vllm", name) if name.startswith("VLLM_") and name not in _OFTEN else None
        if meant is not None:
            yield run.finding(
                f"no release of vLLM reads {name}: it is ignored",
                (f"env:{name}", "read by nobody"),
                help=f"if {meant} is meant, write that",
            )
