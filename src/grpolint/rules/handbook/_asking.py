"""Questions that the handbook's rules share, and their answers where a trainer has no such thing."""

from __future__ import annotations

from typing import Any

from grpolint.rules.api import Inquiry, NotApplicable, Undecided
from grpolint.values import Unknown, plain

__all__ = [
    "deepspeed",
    "dense",
    "flat",
    "fsdp_version",
    "group_size",
    "need",
    "number",
    "ranks",
    "rewarded",
    "sleep_level",
    "title",
    "training",
    "unsaid",
]

_SERVERS = ("vllm", "sglang", "ascend")

_TITLES = {
    "trl": "TRL",
    "openrlhf": "OpenRLHF",
    "deepspeed": "DeepSpeed",
    "megatron": "Megatron",
    "vllm": "vLLM",
    "sglang": "SGLang",
    "rllm": "rLLM",
    "handbook": "the flat configuration",
}
"""Names as their users write them, where these are not grpolint's words."""


def flat(run: Inquiry) -> bool:
    """Whether the run is a flat configuration: there, what is not said is only not said yet."""
    return run.run.trainer == "handbook"


def title(run: Inquiry) -> str:
    """The leading framework's name as its users write it."""
    return _TITLES.get(run.run.trainer, run.run.trainer)


def need(run: Inquiry, fact: str, what: str) -> Any:
    """The value of a fact. `what` it is in words, for frameworks that have no option for it: not applicable there.

    Undecided where it is unknown, and where a flat configuration does not say it.
    """
    value = run.known(f"fact:{fact}")
    if value is None and not flat(run):
        raise NotApplicable(f"{title(run)} has no option for {what}, or it is not in use")
    if value == "???":  # what a configuration of Hydra leaves to the command line
        raise Undecided(f"fact:{fact} (it has to be given)")
    return run.require(f"fact:{fact}")


def number(run: Inquiry, fact: str, what: str) -> float:
    """`need` for a number; undecided where the value is none."""
    need(run, fact, what)
    value = run.number(f"fact:{fact}")
    if value is None:
        raise Undecided(f"fact:{fact} (no number)")
    return value


def unsaid(run: Inquiry, *facts: str) -> Undecided:
    """To be raised: the facts that are unknown or not said."""
    missing = []
    for fact in facts:
        value = run.ask(f"fact:{fact}")
        if value is None or isinstance(value, Unknown):
            missing.append(f"fact:{fact} ({value.reason if value is not None else 'nothing says it'})")
    return Undecided(*missing)


def training(run: Inquiry) -> None:
    """Not applicable to a server of a rollout engine."""
    if run.run.trainer in _SERVERS:
        raise NotApplicable(f"{title(run)} serves here and trains nothing")


def rewarded(run: Inquiry) -> None:
    """Not applicable where no responses are sampled and rewarded."""
    training(run)
    if not flat(run) and run.ask("fact:advantage") is None and run.ask("fact:group_relative") is None:
        raise NotApplicable(f"nothing in {title(run)}'s options samples and rewards responses")


def deepspeed(run: Inquiry, fact: str) -> Any:
    """A fact that only DeepSpeed's configuration decides; not applicable where something else shards the trainer."""
    training(run)
    if run.ask(f"fact:{fact}") is None and not flat(run):
        engine = plain(run.ask("fact:engine"))
        raise NotApplicable(f"{engine or title(run)} shards the trainer, not DeepSpeed")
    return run.require(f"fact:{fact}")


def fsdp_version(run: Inquiry) -> Any:
    """1 or 2; not applicable where FSDP does not shard the trainer."""
    training(run)
    version = run.known("fact:fsdp_version")
    if version is None and run.known("handbook:fsdp_mode") is not None:
        raise NotApplicable("fsdp_mode says that FSDP is not in use")
    if version is None and not flat(run):
        engine = run.known("fact:engine")
        raise NotApplicable(f"{engine or title(run)} shards the trainer, not FSDP")
    return run.require("fact:fsdp_version")


def group_size(run: Inquiry, least: int) -> int:
    """Responses of a prompt; not applicable where the advantage compares no group, undecided where that matters."""
    rewarded(run)
    relative = run.ask("fact:group_relative")
    if plain(relative) is False:
        raise NotApplicable(f"the advantage {plain(run.ask('fact:advantage')) or 'in use'} compares no group")
    size = int(number(run, "group_size", "a group size"))
    if size < least and isinstance(relative, Unknown):
        raise unsaid(run, "group_relative")
    return size


def ranks(run: Inquiry) -> int | None:
    """Data-parallel ranks; None where nothing says it."""
    for fact in ("dp", "world_size"):
        count = plain(run.ask(f"fact:{fact}"))
        if isinstance(count, int) and (fact == "dp" or count == 1):
            return count
    return None


def dense(run: Inquiry) -> None:
    """Not applicable to a policy that is known to be no mixture of experts."""
    training(run)
    if plain(run.ask("fact:moe")) is False:
        raise NotApplicable("the policy is no mixture of experts")


def sleep_level(run: Inquiry) -> Any:
    """The level at which the rollout engine sleeps; not applicable to one that does not."""
    if run.known("fact:sleep_level") is None and not flat(run) and run.known("fact:rollout_sleep") is False:
        raise NotApplicable("the rollout engine does not sleep")
    return need(run, "sleep_level", "a sleep level")
