"""A variable that the script assigns and does not export.

## What it checks
A line of its own such as `NCCL_DEBUG=INFO`, for a variable that NCCL, PyTorch, vLLM, Ray, Hugging Face or CUDA read from their
environment, that no later `export` makes one of the environment and that nothing in the script reads.

## Why it matters
Without `export` it is a variable of the shell: the program starts without it, and nothing says so. Only where the caller had
exported it already does the new value reach the program.

## Example
    CUDA_VISIBLE_DEVICES=0,1
    python3 -m verl.trainer.main_ppo ...

## Instead
    export CUDA_VISIBLE_DEVICES=0,1
    python3 -m verl.trainer.main_ppo ...

## Fix safety
None is offered: the run would see a value that it did not see before.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Label, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.environment._names import read_by_programs


@rule(
    id="EN010",
    name="variable-not-exported",
    summary="a variable of the environment that the script assigns without exporting it",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    when={"fact:unexported": above(0)},
    evidence=(
        Evidence(
            "bash manual: Environment",
            "https://www.gnu.org/software/bash/manual/html_node/Environment.html",
            "A command gets the variables that are marked for export, and those before it on its own line.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each."""
    launch = run.run.launch
    for name, word in launch.unexported.items() if launch is not None else ():
        if word.text == "" or word.condition is not None or not read_by_programs(name) or _used(run, name):
            continue
        spans = [origin.span for origin in word.origins if origin.span is not None]
        yield run.finding(
            f"{name} is assigned and not exported, so that the program starts without it",
            *(Label(span, "a variable of the shell only") for span in spans[-1:]),
            help=f"write export {name}={word.pattern}",
        )


def _used(run: Inquiry, name: str) -> bool:
    """Whether something in the documents reads the variable: then it is one of the shell on purpose."""
    marks = (f"${name}", f"${{{name}", f"printenv {name}")
    return any(mark in source.text for source in run.run.sources for mark in marks)
