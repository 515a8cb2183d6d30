"""LoRA together with vLLM engines in OpenRLHF.

## What it checks
`ds.lora.rank` (`lora_rank`) above 0 while `vllm.num_engines` (`vllm_num_engines`) is above 0, in `train_ppo_ray`.

## Why it matters
OpenRLHF sends every parameter under the name that PEFT gave it, `base_model.model...lora_A`. vLLM knows no such parameter: the run dies at the
first synchronisation, after the first rollout.

## Example
    --vllm.num_engines 4 --ds.lora.rank 32

## Instead
    --vllm.num_engines 4

## Fix safety
None is offered: training all parameters, another trainer, or generating without vLLM are choices.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, above, rule


@rule(
    id="LO020",
    name="adapter-names-unknown",
    summary="OpenRLHF sends the names of an adapter to vLLM, which does not know them",
    severity=Severity.ERROR,
    frameworks={"openrlhf": ">=0.5"},
    when={"fact:lora_rank": above(0), "fact:rollout_engine": "vllm"},
    evidence=(
        Evidence(
            "OpenRLHF/OpenRLHF#991",
            "https://github.com/OpenRLHF/OpenRLHF/issues/991",
            "There is no module or parameter named base_model: the first weight synchronisation fails.",
        ),
        Evidence(
            "OpenRLHF/OpenRLHF#546",
            "https://github.com/OpenRLHF/OpenRLHF/issues/546",
            "The same with an older vLLM, as a KeyError.",
        ),
        Evidence(
            "OpenRLHF/OpenRLHF#1349",
            "https://github.com/OpenRLHF/OpenRLHF/issues/1349",
            "Still so in 0.11.3: adapter names have no target in the engine.",
        ),
        Evidence(
            "openrlhf 0.11.2: openrlhf/trainer/ray/ppo_actor.py",
            "https://github.com/OpenRLHF/OpenRLHF/blob/v0.11.2/openrlhf/trainer/ray/ppo_actor.py",
            "broadcast_to_vllm walks over the named parameters of the PEFT model as they are.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    rank = run.integer("fact:lora_rank")
    if rank and run.text("fact:rollout_engine") == "vllm":
        yield run.finding(
            f"LoRA of rank {rank} with vLLM engines: OpenRLHF sends names that vLLM does not know, and dies at the first synchronisation",
            ("fact:lora_rank", "an adapter"),
            ("fact:rollout_engine", "vLLM generates"),
            help="train all parameters, or use a trainer that hands adapters over (verl, TRL)",
        )
