"""Variables exported where a Ray job is submitted, which the job does not see.

## What it checks
`export NAME=value` before `ray job submit`, for a variable that NCCL, PyTorch, vLLM or Hugging Face read, where the runtime environment of the
job does not name it and the script has not started the cluster itself after the export.

## Why it matters
The job runs on the cluster with the environment of its nodes and of `--runtime-env-json`; the shell that submits hands nothing on.

## Example
    export NCCL_P2P_DISABLE=1
    ray job submit --address=http://head:8265 -- python3 -m verl.trainer.main_ppo ...

## Instead
    ray job submit --address=http://head:8265 --runtime-env-json '{"env_vars": {"NCCL_P2P_DISABLE": "1"}}' -- python3 ...

## Fix safety
None is offered: the run would see a value that it did not see before.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Confidence, Finding, Label, Severity
from grpolint.frameworks.processes import launcher_options
from grpolint.rules.api import Evidence, Inquiry, above, rule
from grpolint.rules.environment._names import read_by_programs

_OF_THE_SHELL = ("HYDRA_FULL_ERROR", "RAY_")


@rule(
    id="RA002",
    name="exports-outside-job",
    summary="variables exported where a Ray job is submitted, which the job does not see",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    when={"fact:ray_job": "ray job submit", "fact:left_behind": above(0)},
    evidence=(
        Evidence(
            "ray documentation: environment dependencies",
            "https://docs.ray.io/en/latest/ray-core/handling-dependencies.html",
            "Variables of a job are given by env_vars of its runtime environment.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding with all of them."""
    launch = run.run.launch
    options = launcher_options(run.run, "ray job submit")
    if launch is None or options is None or options.open_reason is not None or options.last("runtime_env") is not None:
        return
    if launch.wrappers[0] != "ray job submit":
        return  # what the outer wrapper leaves behind is another matter
    starts = [each for each in launch.earlier if any(word.text == "start" for word in each.words)]
    flag = options.last("runtime_env_json")
    named = flag.words[-1].pattern if flag is not None and flag.words else ""
    lost = [
        (name, word)
        for name, word in launch.left_behind.items()
        if read_by_programs(name)
        and not name.startswith(_OF_THE_SHELL)
        and name not in named
        and not any(name in start.env for start in starts)
    ]
    if not lost or (flag is not None and not flag.words[-1].known and "env_vars" not in named):
        return
    spans = [next((o.span for o in word.origins if o.span is not None), None) for _, word in lost]
    yield run.finding(
        f"{', '.join(name for name, _ in lost)} {'do' if lost[1:] else 'does'} not reach the job: ray job submit hands no variables of the shell on",
        *(Label(span, "exported where the job is submitted") for span in spans if span is not None),
        help="name them in env_vars of --runtime-env-json",
    )
