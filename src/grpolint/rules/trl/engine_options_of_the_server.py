"""Options of the engine in the trainer that a server does not see.

## What it checks
`vllm_gpu_memory_utilization`, `vllm_tensor_parallel_size`, `vllm_max_model_length` and `vllm_enable_sleep_mode` are
set while `vllm_mode` is `server`.

## Why it matters
TRL reads them only where the engine runs in its own processes. The server keeps what its own command line says: its
share of memory, its size, its context.

## Example
    GRPOConfig(use_vllm=True, vllm_mode="server", vllm_tensor_parallel_size=4)

## Instead
    trl vllm-serve --model Qwen/Qwen2.5-7B --tensor-parallel-size 4

## Fix safety
Safe: the option has no effect.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.values import plain

_ENGINE = {
    "vllm_gpu_memory_utilization": "--gpu-memory-utilization",
    "vllm_tensor_parallel_size": "--tensor-parallel-size",
    "vllm_max_model_length": "--max-model-len",
    "vllm_enable_sleep_mode": "",
}
"""Options that only an engine in the trainer's processes has, and what the server's command calls them."""


@rule(
    id="TR022",
    name="engine-options-in-server-mode",
    summary="options of the colocated engine with vllm_mode=server",
    severity=Severity.WARNING,
    frameworks={"trl": ">=0.18"},
    when={"trl:use_vllm": True, "trl:vllm_mode": "server"},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/generation/vllm_generation.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/generation/vllm_generation.py",
            "_init_vllm hands these options to LLM in colocate mode and uses host, port and timeout alone in server mode.",
        ),
        Evidence(
            "trl 0.18.0: trl/trainer/grpo_trainer.py",
            "https://github.com/huggingface/trl/blob/v0.18.0/trl/trainer/grpo_trainer.py",
            "The two modes exist since this release, with the same division of options.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each option that differs from the default and is ignored."""
    if run.flag("trl:use_vllm") is not True or run.text("trl:vllm_mode") != "server":
        return
    for key, flag in _ENGINE.items():
        setting = run.setting(f"trl:{key}")
        default = run.run.settings["trl"].default(key)
        if setting is None or plain(setting.value) in (None, False, plain(default)):
            continue
        yield run.finding(
            f"{key} has no effect with vllm_mode=server: the server goes by its own command line",
            (f"trl:{key}", "ignored"),
            ("trl:vllm_mode", "generation on a server"),
            help=f"give the server {flag}" if flag else "leave it out",
            changes=() if flag else (RemoveOption("trl", key, safe=True),),
        )
