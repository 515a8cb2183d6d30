"""A rollout server on the devices of the trainer.

## What it checks
A script starts a vLLM server and a trainer with `vllm_mode=server`, whose devices overlap.

## Why it matters
The first process of the trainer joins a communicator with the server, and NCCL refuses one with the same device
twice. On the other devices both share the memory, of which the server has taken nine tenths.

## Example
    CUDA_VISIBLE_DEVICES=0 trl vllm-serve --model Qwen/Qwen2.5-7B &
    CUDA_VISIBLE_DEVICES=0,1 accelerate launch --num_processes 2 train.py --use_vllm true --vllm_mode server

## Instead
    CUDA_VISIBLE_DEVICES=0 trl vllm-serve --model Qwen/Qwen2.5-7B &
    CUDA_VISIBLE_DEVICES=1,2 accelerate launch --num_processes 2 train.py --use_vllm true --vllm_mode server

## Fix safety
None is offered: which devices are whose is a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule


@rule(
    id="TR038",
    name="server-on-trainer-devices",
    summary="a vLLM server and the trainer on the same device",
    severity=Severity.ERROR,
    frameworks={"trl": ">=0.16"},
    when={"trl:use_vllm": True, "trl:vllm_mode": "server"},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/generation/vllm_client.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/generation/vllm_client.py",
            "init_communicator makes a NCCL group of the server's workers and the trainer's first process.",
        ),
        Evidence(
            "huggingface/trl#3408",
            "https://github.com/huggingface/trl/issues/3408",
            "The server and the trainer on one device end in an unhandled CUDA error of NCCL.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding that names the shared devices."""
    if run.flag("trl:use_vllm") is not True or run.text("trl:vllm_mode") != "server":
        return
    server, trainer = run.known("fact:server_devices"), run.known("fact:trainer_devices")
    if not server or not trainer:
        return
    shared = [each for each in trainer if each in server]
    if shared:
        yield run.finding(
            f"the server and the trainer both take device {', '.join(shared)}",
            ("fact:trainer_devices", f"trainer: {', '.join(trainer)}"),
            ("fact:server_devices", f"server: {', '.join(server)}"),
            help="give each its own devices with CUDA_VISIBLE_DEVICES",
            severity=None if trainer[0] in shared else Severity.WARNING,
        )
