"""Several visible devices for one process of ms-swift.

## What it checks
The devices that CUDA_VISIBLE_DEVICES (or its Ascend sibling) leaves against NPROC_PER_NODE. The number must be a
multiple of the processes; where a process has several devices, ms-swift spreads the model over them, which DeepSpeed,
FSDP and GRPO with vLLM do not take.

## Why it matters
The run ends with an AssertionError or a ValueError before the model is loaded.

## Example
    CUDA_VISIBLE_DEVICES=0,1,2,3 NPROC_PER_NODE=2 swift sft --deepspeed zero2

## Instead
    CUDA_VISIBLE_DEVICES=0,1,2,3 NPROC_PER_NODE=4 swift sft --deepspeed zero2

## Fix safety
None is offered: which of the two is meant is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, Place, rule

_DEVICES = ("CUDA_VISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES")


@rule(
    id="SW004",
    name="several-devices-for-a-process",
    summary="more visible devices than processes, with DeepSpeed, FSDP or vLLM",
    severity=Severity.ERROR,
    frameworks={"ms-swift": ">=3.3"},
    evidence=(
        Evidence(
            "ms-swift 4.6.0: swift/utils/env.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/utils/env.py",
            "is_mp asserts that the local processes divide the visible devices, and means a device map where each has several.",
        ),
        Evidence(
            "ms-swift 4.6.0: swift/arguments/sft_args.py",
            "https://github.com/modelscope/ms-swift/blob/v4.6.0/swift/arguments/sft_args.py",
            "_init_deepspeed and _init_fsdp raise ValueError with a device map; so does GRPO with vLLM.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    launch = run.run.launch
    if launch is None or "megatron" in run.run.settings or run.text("env:SWIFT_SINGLE_DEVICE_MODE") == "1":
        return
    name = next((each for each in _DEVICES if run.run.environment(each) is not None), None)
    processes = run.integer("env:NPROC_PER_NODE")
    if (
        name is None
        or processes is None
        or not launch.program.startswith("swift ")
        or launch.program == "swift rollout"
    ):
        return
    devices = len([each for each in (run.text(f"env:{name}") or "").split(",") if each.strip()])
    places: tuple[Place, ...] = (
        (f"env:{name}", f"{devices} devices"),
        ("env:NPROC_PER_NODE", f"{processes} processes"),
    )
    if not devices or devices == processes or devices < processes:
        return  # too few devices are another mistake
    if devices % processes:
        yield run.finding(f"{devices} visible devices are not a multiple of {processes} processes", *places)
        return
    user = _user(run)
    if user is not None:
        each = devices // processes
        yield run.finding(
            f"each of {processes} processes sees {each} of {devices} devices: a model spread over them is refused with {user[0]}",
            *places,
            user[1],
            help=f"start {devices} processes, or leave {processes} devices visible",
        )


def _user(run: Inquiry) -> tuple[str, str] | None:
    """What does not take a model that is spread over devices, and where it is asked for."""
    if run.known("transformers:deepspeed"):
        return "DeepSpeed", "transformers:deepspeed"
    if run.known("transformers:fsdp"):
        return "FSDP", "transformers:fsdp"
    grpo = run.text("ms-swift:rlhf_type") == "grpo" and run.flag("ms-swift:use_vllm") is True
    return ("GRPO's vLLM", "ms-swift:use_vllm") if grpo else None
