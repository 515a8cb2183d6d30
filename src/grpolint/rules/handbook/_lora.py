"""What D19 and N09 ask alike: whether the adapter alone reaches the rollout engine."""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry, NotApplicable
from grpolint.rules.handbook._asking import flat, need, number, training
from grpolint.rules.handbook._remedy import remedy
from grpolint.values import Unknown, plain

__all__ = ["adapter_sync"]


def adapter_sync(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding where all parameters are trained, and where the adapter is merged before it is sent.

    A flat configuration that does not tell what is sent tells it by bypass mode, as the handbook does.
    """
    training(run)
    if not flat(run):
        engine = run.ask("fact:rollout_engine")
        if not isinstance(engine, Unknown) and plain(engine) in (None, "hf"):
            raise NotApplicable("no rollout engine of its own takes part: nothing is sent")
    adapter = run.known("fact:lora")
    if adapter is None:
        adapter = number(run, "lora_rank", "LoRA") > 0
    if not adapter:
        yield run.finding(
            "all parameters are trained and sent to the rollout engine; the handbook wants an adapter alone",
            ("fact:lora_rank", "no LoRA"),
            changes=remedy(run, "lora_rank", 32),
            help="train an adapter",
        )
        return
    sent = run.known("fact:lora_sync")
    if sent is None and flat(run):
        if run.require("fact:bypass_mode") is not True:
            yield run.finding(
                "without bypass mode all parameters are sent to the rollout engine, says the handbook",
                ("fact:bypass_mode", "off"),
                changes=remedy(run, "bypass_mode", True),
            )
        return
    if need(run, "lora_sync", "what is sent to a rollout engine") != "adapter":
        yield run.finding(
            "the adapter is merged, and all parameters are sent to the rollout engine",
            ("fact:lora_sync", f"{sent}"),
            ("fact:lora_rank", "LoRA"),
            help="send the adapter alone",
        )
