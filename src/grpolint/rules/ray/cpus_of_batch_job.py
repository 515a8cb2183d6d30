"""Ray that counts all cores of a machine of which the job has a part.

## What it checks
verl in a batch job with `--cpus-per-task`, without `--exclusive`, without `ray start` in the script, and without
`ray_kwargs.ray_init.num_cpus`.

## Why it matters
Ray starts a worker for each core that it counts, which can be more than the job has: with many cores the start hangs, says verl's list
of frequent questions.

## Example
    #SBATCH --cpus-per-task=32
    python3 -m verl.trainer.main_ppo ...

## Instead
    python3 -m verl.trainer.main_ppo ray_kwargs.ray_init.num_cpus=32 ...

## Fix safety
It changes how Ray is started, not what is trained.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.digits import whole
from grpolint.findings import Confidence, Finding, Label, Severity
from grpolint.rules.api import Evidence, Inquiry, rule

_NUMBER = "verl:ray_kwargs.ray_init.num_cpus"


@rule(
    id="RA008",
    name="cpus-of-batch-job",
    summary="Ray counts the cores of the machine instead of those of the batch job",
    severity=Severity.INFO,
    confidence=Confidence.MEDIUM,
    frameworks={"verl": ">=0.6"},
    when={_NUMBER: None},
    evidence=(
        Evidence(
            "verl documentation: frequently asked questions",
            "https://verl.readthedocs.io/en/latest/faq/faq.html",
            "On Slurm num_cpus of ray.init is to be set to what the system allows.",
        ),
        Evidence(
            "verl-project/verl#1009",
            "https://github.com/verl-project/verl/issues/1009",
            "Ray started a worker for each core of the host.",
            "partly",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if nothing tells Ray how many cores there are."""
    launch = run.run.launch
    if launch is None or launch.earlier or any("ray" in name for name in launch.wrappers):
        return
    if any("ray start" in source.text for source in run.run.sources) or "RAY_ADDRESS" in run.run.env:
        return  # it connects to a cluster
    names = {name for name, _, _ in launch.directives}
    found = next((each for each in reversed(launch.directives) if each[0] == "cpus-per-task"), None)
    text = found[1].split("#")[0].strip() if found is not None else ""
    number = whole(text)
    if found is None or "exclusive" in names or number is None or run.known(_NUMBER) is not None:
        return
    yield run.finding(
        f"Ray counts all cores of the machine, and the job has {text} of them",
        Label(found[2], f"{text} cores"),
        _NUMBER,
        help=f"set ray_kwargs.ray_init.num_cpus={text}",
        changes=(SetOption("verl", _NUMBER.partition(":")[2], number, safe=True),),
    )
