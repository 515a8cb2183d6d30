"""A context beyond the positions of the model.

## What it checks
`max_model_len` of vLLM, also below a trainer, against the longest sequence of the model's configuration. In verl before 0.7
also the sum of prompt and response.

## Why it matters
The engine refuses to start. Qwen2.5-Math with its 4096 positions is the usual case. `VLLM_ALLOW_LONG_MAX_MODEL_LEN=1` and an
override of the model's configuration lift the limit, at the price of positions that the model never saw. The config.json of a
local copy may have been changed: there it is only said.

## Example
    vllm serve Qwen/Qwen2.5-Math-7B-Instruct --max-model-len 16384

## Instead
    vllm serve Qwen/Qwen2.5-Math-7B-Instruct --max-model-len 4096

## Fix safety
None is offered: shorter sequences or another model are a choice.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, Place, above, rule
from grpolint.rules.engines import option
from grpolint.versions import satisfies


@rule(
    id="VL025",
    name="context-above-model",
    summary="a context longer than the model was made for",
    severity=Severity.ERROR,
    frameworks={"vllm": ">=0.6", "verl": "", "trl": "", "openrlhf": ""},
    when={"fact:rollout_engine": ("vllm", "sglang"), "fact:model_context": above(0)},
    evidence=(
        Evidence(
            "vllm 0.33.0: vllm/config/model.py",
            "https://github.com/vllm-project/vllm/blob/v0.33.0/vllm/config/model.py",
            "_get_and_verify_max_len raises ValueError unless VLLM_ALLOW_LONG_MAX_MODEL_LEN is set.",
        ),
        Evidence(
            "verl 0.9.1: verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "https://github.com/verl-project/verl/blob/v0.9.1/verl/workers/rollout/vllm_rollout/vllm_async_server.py",
            "Raises ValueError for a max_model_len above max_position_embeddings.",
        ),
        Evidence(
            "verl-project/verl#1873",
            "https://github.com/verl-project/verl/issues/1873",
            "A prompt of 2048 and a response of 8192 with a model of 4096 positions ends in the assertion.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    if run.text("fact:rollout_engine") not in ("vllm", "sglang") or _lifted(run):
        return
    context, places, says = _asked(run)
    most = run.integer("fact:model_context") if context is not None else None
    if context is None or most is None or context <= most:
        return
    local = (run.text("fact:model") or "").count("/") != 1
    yield run.finding(
        f"{says} > {most}, the longest sequence that {run.text('fact:model')} was made for: the engine refuses to start"
        + (" unless its config.json was changed" if local else ""),
        *places,
        ("fact:model", f"{most} positions"),
        help=f"stay within {most} tokens, or extend the model's positions on purpose (rope scaling in its config.json)",
        severity=Severity.INFO if local else None,
    )


def _asked(run: Inquiry) -> tuple[int | None, tuple[Place, ...], str]:
    """The context that is asked for, its places, and how it reads."""
    if "verl" in run.run.settings and satisfies(run.run.settings["verl"].version.text, "<0.7"):
        prompt, response = run.integer("fact:prompt_length"), run.integer("fact:response_length")
        if prompt is None or response is None:
            return None, (), ""
        says = f"prompt {prompt} + response {response} = {prompt + response} tokens"
        return prompt + response, (("fact:prompt_length", "prompt"), ("fact:response_length", "response")), says
    ref = "verl:actor_rollout_ref.rollout.max_model_len" if "verl" in run.run.settings else "vllm:max_model_len"
    length = run.integer(ref)
    return length, ((ref, "context"),), f"max_model_len {length}"


def _lifted(run: Inquiry) -> bool:
    """Whether the limit is lifted: by the variable, or by overrides of the model's configuration."""
    keys = ("hf_overrides", "rope_scaling", "hf_config_path")
    if "VLLM_ALLOW_LONG_MAX_MODEL_LEN" in run.run.env or any(
        run.run.setting(*option(run, "vllm", key).split(":", 1)) is not None for key in keys
    ):
        return True
    verl = run.run.settings.get("verl")
    model = verl.under("actor_rollout_ref.model") if verl is not None else ()
    return any("rope" in each.key or "max_position" in each.key for each in model)
