"""A trainer that cannot sleep.

## What it checks
`--ds.enable_sleep` at ZeRO stage 1 or 2 without `--ds.adam_offload`, with OpenRLHF before 0.8.10 or DeepSpeed up to
0.17.5. Which DeepSpeed it is only `--with deepspeed==...` or a requirements file tells.

## Why it matters
OpenRLHF raises NotImplementedError when the trainer is put to sleep for the first time, after the models have been
loaded.

## Example
    --deepspeed_enable_sleep --zero_stage 2 --colocate_all_models      with deepspeed 0.16.9

## Instead
    --deepspeed_enable_sleep --zero_stage 3 --colocate_all_models      with deepspeed 0.16.9

## Fix safety
None is offered: the stage or the release is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, Undecided, rule
from grpolint.versions import satisfies

_SLEEP = "openrlhf:ds.enable_sleep"


@rule(
    id="OR029",
    name="trainer-sleep-unsupported",
    summary="ds.enable_sleep below ZeRO stage 3 with DeepSpeed up to 0.17.5",
    severity=Severity.ERROR,
    frameworks={"openrlhf": ">=0.7"},
    when={_SLEEP: True, "fact:zero_stage": (0, 1, 2)},
    evidence=(
        Evidence(
            "openrlhf 0.9.0: openrlhf/utils/deepspeed/deepspeed_utils.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.9.0/openrlhf/utils/deepspeed/deepspeed_utils.py",
            "offload_deepspeed_states raises NotImplementedError below stage 3 with DeepSpeed up to 0.17.5; before 0.8.10 with every one.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    stage = run.integer("fact:zero_stage")
    if run.flag(_SLEEP) is not True or stage is None or stage == 3 or run.flag("openrlhf:ds.adam_offload") is True:
        return
    own = run.run.settings["openrlhf"].version
    release = run.release("deepspeed")
    if not satisfies(own.text, "<0.8.10"):
        if release is None:
            raise Undecided("version:deepspeed")
        if not satisfies(release, "<=0.17.5"):
            return
    yield run.finding(
        f"ds.enable_sleep needs ZeRO stage 3 with these releases, and the stage is {stage}: OpenRLHF stops at the first sleep",
        (_SLEEP, "sleeps"),
        ("fact:zero_stage", f"stage {stage}"),
        help="use stage 3, offload the optimizer, or take deepspeed 0.17.6 or later with openrlhf 0.8.10 or later",
    )
