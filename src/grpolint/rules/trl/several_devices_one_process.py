"""Several devices and a single process.

## What it checks
A script with a trainer of TRL is started by plain Python while `CUDA_VISIBLE_DEVICES` lists several devices, and the
model is not spread over them by `device_map`.

## Why it matters
The Trainer would wrap the model in `nn.DataParallel`. TRL refuses that since 1.15.

## Example
    CUDA_VISIBLE_DEVICES=0,1,2,3 python train_grpo.py

## Instead
    accelerate launch --num_processes 4 train_grpo.py

## Fix safety
None is offered: how the script is started is for the author to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, NotApplicable, rule


@rule(
    id="TR035",
    name="several-devices-one-process",
    summary="a trainer of TRL in one process that sees several devices",
    severity=Severity.ERROR,
    frameworks={"trl": ">=1.15"},
    when={"env:CUDA_VISIBLE_DEVICES": SET},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/trainer/grpo_trainer.py",
            "Raises ValueError if the Trainer counts more than one GPU; so do the trainers of SFT, DPO and RLOO; first released in 1.15.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding with the number of devices."""
    launch = run.run.launch
    if (
        launch is None
        or launch.program.startswith("trl ")
        or {"accelerate", "deepspeed"}.intersection(run.run.settings)
    ):
        raise NotApplicable  # with DeepSpeed the Trainer counts one device
    if {"torchrun", "deepspeed", "srun", "mpirun"}.intersection(launch.wrappers):
        raise NotApplicable
    if run.run.setting("trl", "model") is None:
        raise NotApplicable("how the model is loaded is not known")
    devices = [each for each in (run.text("env:CUDA_VISIBLE_DEVICES") or "").split(",") if each.strip()]
    placed = [
        run.ask(place) for place in ("transformers:from_pretrained.device_map", "trl:model_init_kwargs.device_map")
    ]
    if len(devices) > 1 and not any(placed) and "unsloth" not in run.run.settings:
        yield run.finding(
            f"one process sees {len(devices)} devices: TRL refuses the nn.DataParallel that the Trainer would make of it",
            ("env:CUDA_VISIBLE_DEVICES", f"{len(devices)} devices"),
            help=f"start it with accelerate launch --num_processes {len(devices)}, or leave one device visible",
            severity=Severity.WARNING if run.run.settings["trl"].version.assumed else None,
        )
