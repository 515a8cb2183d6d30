"""`ray stop` between `ray start` and the launch.

## What it checks
A script that starts Ray, stops it again and then launches a trainer by `ray job submit`.

## Why it matters
There is no cluster any more to submit the job to.

## Example
    ray start --head
    ray stop
    ray job submit -- python3 -m verl.trainer.main_ppo ...

## Instead
    ray stop
    ray start --head
    ray job submit -- python3 -m verl.trainer.main_ppo ...

## Fix safety
None is offered: the order of the commands is for the author to change.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Label, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule


@rule(
    id="RA007",
    name="ray-stopped-before-launch",
    summary="ray stop between ray start and the job that is submitted",
    severity=Severity.ERROR,
    when={"fact:ray_job": "ray job submit", "fact:ray_commands": above(1)},
    evidence=(
        Evidence(
            "ray documentation: ray stop",
            "https://docs.ray.io/en/latest/cluster/cli.html#ray-stop",
            "Stops all processes of Ray on the machine.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if the last command of Ray before the launch stops what an earlier one started."""
    launch = run.run.launch
    commands = (
        [each for each in launch.earlier if each.words[1].text in ("start", "stop")] if launch is not None else []
    )
    if len(commands) < 2 or any(each.condition is not None for each in commands):
        return
    started = [each for each in commands if each.words[1].text == "start"]
    if commands[-1].words[1].text == "stop" and started:
        yield run.finding(
            "ray stop ends the cluster that the job is to be submitted to",
            Label(commands[-1].span, "stopped here"),
            Label(started[-1].span, "started here"),
            help="move ray stop before ray start",
        )
