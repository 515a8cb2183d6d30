"""`ray start --block` before the launch.

## What it checks
`ray start --block` in the foreground, on the way to the launch.

## Why it matters
With --block the command does not return while the node lives: the script never reaches the launch.

## Example
    ray start --head --block
    python3 -m verl.trainer.main_ppo ...

## Instead
    ray start --head
    python3 -m verl.trainer.main_ppo ...

## Fix safety
None is offered: the cluster is not part of the launch.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.documents.source import Span
from grpolint.findings import Finding, Label, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule


@rule(
    id="RA004",
    name="ray-start-blocks",
    summary="ray start --block before the launch, which is never reached",
    severity=Severity.ERROR,
    when={"fact:ray_commands": above(0)},
    evidence=(
        Evidence(
            "ray documentation: ray start",
            "https://docs.ray.io/en/latest/cluster/cli.html#ray-start",
            "--block keeps the command in the foreground for as long as Ray runs.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding for the first such command."""
    for command in run.run.launch.earlier if run.run.launch is not None else ():
        words = [word.text for word in command.words]
        if command.condition is not None or "start" not in words[:2] or "--block" not in words:
            continue
        if not _in_background(command.span):
            yield run.finding(
                "ray start --block does not return: the launch after it is never reached",
                Label(command.span, "stays in the foreground"),
                help="remove --block, or put & behind the command",
            )
            return


def _in_background(span: Span) -> bool:
    """Whether the command goes on behind an `&`, or its end cannot be told."""
    rest = span.source.text[span.end : span.end + 200].partition("\n")[0].strip()
    return ("&" in rest and not rest.startswith("&&")) or "|" in rest
