"""The address of a server that TRL never asks.

## What it checks
`vllm_server_host`, `vllm_server_port`, `vllm_server_base_url` or `vllm_server_timeout` are set while the engine runs
in the trainer (`vllm_mode` is `colocate`, the default since 1.0).

## Why it matters
The server waits idle on its devices while every process of the trainer starts an engine of its own and shares its
memory with it. Recipes from before 1.0, where `server` was the default, turn into this without a word.

## Example
    GRPOConfig(use_vllm=True, vllm_server_host="10.0.0.7")      with TRL 1.0 or later

## Instead
    GRPOConfig(use_vllm=True, vllm_mode="server", vllm_server_host="10.0.0.7")

## Fix safety
Unsafe: it moves generation to the server.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, NotApplicable, rule

_ADDRESS = ("vllm_server_base_url", "vllm_server_host", "vllm_server_port", "vllm_server_timeout")


@rule(
    id="TR023",
    name="server-address-ignored",
    summary="a vLLM server's address without vllm_mode=server",
    severity=Severity.WARNING,
    frameworks={"trl": ">=0.18"},
    when={"trl:use_vllm": True, "trl:vllm_mode": "colocate"},
    evidence=(
        Evidence(
            "trl 1.16.0: trl/generation/vllm_generation.py",
            "https://github.com/huggingface/trl/blob/v1.16.0/trl/generation/vllm_generation.py",
            "The address is used only in server mode; colocate builds an LLM in each process.",
        ),
        Evidence(
            "huggingface/trl#5255",
            "https://github.com/huggingface/trl/pull/5255",
            "Makes colocate the default of vllm_mode in 1.0.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding at the first part of an address."""
    if run.flag("trl:use_vllm") is not True or run.text("trl:vllm_mode") != "colocate":
        return
    if "unsloth" in run.run.settings:
        raise NotApplicable
    given = [key for key in _ADDRESS if run.is_set(f"trl:{key}") and run.known(f"trl:{key}") is not None]
    if given:
        yield run.finding(
            f"{given[0]} has no effect with vllm_mode=colocate: every process of the trainer starts an engine of its own",
            (f"trl:{given[0]}", "a server that is never asked"),
            ("trl:vllm_mode", "the engine runs in the trainer"),
            changes=(SetOption("trl", "vllm_mode", "server"),),
        )
