"""Which FSDP: what is known of a run is asked for, reasons are weighed, what is missing becomes a question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grpolint.changes import Change, SetOption
from grpolint.records import Record
from grpolint.run import Run, Version
from grpolint.topics.fsdp import DEPRECATED, README, strategies
from grpolint.values import Known, Origin, Unknown, Value, plain
from grpolint.versions import satisfies
from grpolint.world import Supplied

__all__ = ["FRAMEWORKS", "Guide", "Question", "Reason", "Situation", "guide"]

FRAMEWORKS = ("verl", "trl", "accelerate", "transformers")
"""Those whose FSDP is known here."""

_SIZE = "actor_rollout_ref.actor.fsdp_config.fsdp_size"
_LEGACY = "trainer.use_legacy_worker_impl"

QUESTIONS = {
    "framework": ("Which framework trains, in which release?", "--with verl==0.9.1, or the launch file"),
    "torch": ("Which release of torch?", "--with torch==2.8.0"),
    "world_size": ("How many GPUs train?", "--fact world_size=8"),
    "nodes": ("On how many machines?", "--nodes 1"),
    "fsdp_version": ("Which FSDP is it today?", "--fact fsdp_version=1"),
    "offload_params": ("Are parameters offloaded?", "--fact offload_params=cpu (or none)"),
    "lora_rank": ("Is it LoRA, of which rank?", "--fact lora_rank=32 (0: all weights)"),
    "rollout_colocated": ("Does the rollout engine share the trainer's GPUs?", "--fact rollout_colocated=true"),
    "rollout_engine": ("What generates?", "--fact rollout_engine=vllm"),
    _SIZE: ("How many GPUs hold one copy of the weights (fsdp_size)?", f"--set verl:{_SIZE}=8"),
    _LEGACY: ("Are the legacy workers in use?", f"--set verl:{_LEGACY}=auto"),
    "release:verl": ("Which release of verl?", "--with verl==0.9.1"),
    "release:trl": ("Which release of TRL?", "--with trl==1.16.0"),
    "release:transformers": ("Which release of Transformers?", "--with transformers==5.24.0"),
    "release:accelerate": ("Which release of accelerate?", "--with accelerate==1.15.0"),
}
"""What is asked where it cannot be read, and the option that answers it."""


class Question(Record):
    """Something that could not be read and matters: the question, the option that answers it, why it is unknown."""

    name: str
    text: str
    option: str
    why: str = ""


class Reason(Record):
    """One consideration: the version that it speaks for (0: neither), how much, and its evidence (refs).

    `weight` is decides (the other version is broken or missing here), for (an argument), or mind (to be looked after).
    """

    says: str
    favours: int
    weight: str
    refs: tuple[str, ...] = ()


class Guide(Record):
    """The outcome: what is advised (1, 2, None for neither), in a sentence, the reasons, the questions, the edits.

    `read` holds what the conclusion rests on, by name.
    """

    framework: str
    releases: tuple[tuple[str, Version], ...]
    now: int | None
    advised: int | None
    headline: str
    reasons: tuple[Reason, ...]
    questions: tuple[Question, ...]
    read: tuple[tuple[str, Value], ...]
    changes: tuple[Change, ...] = ()


class Situation:
    """What is known of a run, from its launch file or from the command line alone. Every question is remembered."""

    def __init__(self, run: Run | None, given: Supplied, torch: Version | None = None) -> None:
        self.run = run
        self.launched = run is not None and run.trainer != "handbook"
        """Whether a framework's own file tells; the handbook's flat configuration names none."""
        self.given = given
        self.torch_release = torch
        self.read: dict[str, Value] = {}
        self.missing: dict[str, str] = {}
        self.releases: dict[str, Version] = {}

    @property
    def framework(self) -> str:
        """Name of the framework that trains, an empty text if nobody knows."""
        if self.run is not None and self.launched:
            return self.run.trainer
        return next((name for name in FRAMEWORKS if name in self.given.versions), "")

    def ask(self, name: str) -> Any:
        """The plain value of a fact or, with a dot in its name, of an option of verl; None if unknown or absent."""
        value = self._value(name)
        if value is None and (not self.launched or name in ("world_size", "nodes")):
            value = Unknown("nothing says it")
        if isinstance(value, Unknown):
            self.missing[name] = value.reason
        elif value is not None:
            self.read[name] = value
        return plain(value)

    def _value(self, name: str) -> Value | None:
        if "." in name:
            given = self.given.settings.get(("verl", name))
            if self.run is not None and self.launched:
                return self.run.value("verl", name)
            return Known(given, (Origin("--set"),)) if given is not None else None
        found = self.run.fact(name) if self.run is not None else self.given.facts.get(name)
        if found is not None or self.launched:
            return found
        hardware = self.given.hardware
        if name == "nodes" and hardware.nodes is not None:
            return Known(hardware.nodes, (Origin("--nodes"),))
        if name == "world_size" and hardware.gpus_per_node is not None and hardware.nodes is not None:
            return Known(hardware.gpus_per_node * hardware.nodes, (Origin("--gpus-per-node"), Origin("--nodes")))
        return None

    def release(self, name: str) -> str | None:
        """The release of a framework; one that is only assumed is a question too. None if it is not part of the run."""
        version: Version | None = None
        if name in self.given.versions:
            version = Version(self.given.versions[name], assumed=False, origin="--with")
        elif self.run is not None and name in self.run.settings:
            version = self.run.settings[name].version
        if version is None:
            return None
        self.releases[name] = version
        if version.assumed:
            self.missing[f"release:{name}"] = f"the newest known, {version.text}, was taken"
        return version.text

    def torch(self) -> str | None:
        """The release of torch, None if unknown: then it is a question."""
        if self.torch_release is None or self.torch_release.assumed:
            self.missing["torch"] = "nothing says it"
            return None
        self.releases["torch"] = self.torch_release
        return self.torch_release.text


def guide(situation: Situation) -> Guide:
    """Weigh what is known. Never guesses: what is unknown and matters is a question."""
    name = situation.framework
    engine = situation.ask("engine") if situation.launched else None
    if engine is not None and str(engine) not in ("fsdp", "fsdp2"):
        return _guide(situation, [], None, f"this run shards by {engine}, not by FSDP: there is nothing to decide")
    if not name:
        situation.missing["framework"] = "nothing says it"
        now = situation.ask("fsdp_version") if situation.run is not None else None
        headline = "FSDP2, unless the framework or its release speaks against it"
        return _guide(situation, [*_torch_says()], 2, headline, now if now in (1, 2) else None)
    if name not in FRAMEWORKS:
        return _guide(situation, [], None, f"nothing is known here of FSDP in {name}: see `grpolint fsdp compare`")
    now = situation.ask("fsdp_version")
    reasons = [*(_verl(situation) if name == "verl" else _hugging_face(situation)), *_torch_says()]
    advised, headline = _conclude(reasons, now if now in (1, 2) else None)
    return _guide(situation, reasons, advised, headline, now if now in (1, 2) else None)


def _conclude(reasons: list[Reason], now: int | None) -> tuple[int | None, str]:
    decided = {reason.favours for reason in reasons if reason.weight == "decides"}
    if decided == {1, 2}:
        return None, "neither version works as things are: see what decides, and change one of them"
    advised = decided.pop() if decided else 2
    if now is None:
        return advised, f"FSDP{advised}"
    return advised, f"FSDP{advised}: keep it" if now == advised else f"FSDP{advised} instead of FSDP{now}"


def _guide(
    situation: Situation, reasons: list[Reason], advised: int | None, headline: str, now: int | None = None
) -> Guide:
    order = {"decides": 0, "for": 1, "mind": 2}
    asked = tuple(Question(name, *QUESTIONS[name], why) for name, why in situation.missing.items() if name in QUESTIONS)
    turned = situation.framework in FRAMEWORKS and None not in (advised, now) and now != advised
    changes = _changes(situation, advised) if advised is not None and turned else ()
    return Guide(
        situation.framework,
        tuple(situation.releases.items()),
        now,
        advised,
        headline,
        tuple(sorted(reasons, key=lambda reason: order[reason.weight])),
        asked,
        tuple(situation.read.items()),
        changes,
    )


def _changes(situation: Situation, advised: int) -> tuple[Change, ...]:
    if situation.framework == "verl":
        legacy = situation.ask(_LEGACY) != "disable"
        release = situation.release("verl") or ""
        value = "fsdp2" if advised == 2 else "fsdp"
        return tuple(SetOption("verl", key, value) for key in strategies(release, legacy=legacy))
    if situation.run is not None and situation.run.setting("transformers", "fsdp") is not None:
        return (SetOption("transformers", "fsdp_config.version", advised),)
    return (SetOption("accelerate", "fsdp_config.fsdp_version", advised),)


def _torch_says() -> Iterator[Reason]:
    says = "torch's documentation advises to move from FSDP1 to FSDP2, and its FSDP1 is not developed further"
    yield Reason(says, 2, "for", ("torch documentation: fully_shard", "verl-project/verl#7493"))


def _verl(s: Situation) -> Iterator[Reason]:
    release = s.release("verl") or "unknown"
    if satisfies(release, "<0.4"):
        yield Reason(f"verl {release} has no FSDP2: it came with 0.4.0", 1, "decides", (_WORKERS,))
        return
    says = "verl asks to move to FSDP2 and its examples do, though strategy is fsdp (FSDP1) by default in every release up to 0.9.1"
    yield Reason(says, 2, "for", (README, "verl 0.9.1: verl/trainer/config/_generated_ppo_trainer.yaml"))
    yield from _ranks(s)
    yield from _loading(s, release)
    yield from _sync(s, release)
    if satisfies(release, ">=0.7,<0.8") and s.ask(_LEGACY) == "disable":
        says = (
            f"with {_LEGACY}=disable verl {release} takes fsdp_config.strategy, whose default is fsdp: strategy=fsdp2 alone "
            "silently trains with FSDP1"
        )
        yield Reason(says, 0, "mind", ("verl-project/verl#5885",))


def _ranks(s: Situation) -> Iterator[Reason]:
    """One rank in a group of shards: FSDP1 shards nothing and loses what offload and reduction rest on."""
    world, size = s.ask("world_size"), s.ask(_SIZE)
    if world is None or size is None:
        return
    world, size = int(world), int(size)
    group = world if size < 0 or size >= world else size
    if group > 1:
        return
    if world > 1:
        says = (
            f"fsdp_size 1 on {world} GPUs: FSDP1 becomes NO_SHARD and never averages gradients between them, silently"
        )
        yield Reason(says, 2, "decides", ("verl-project/verl#7493",))
    offload = s.ask("offload_params")
    if offload not in (None, "none"):
        where = "fsdp_size 1" if world > 1 else "one GPU"
        says = f"{where}: FSDP1 becomes NO_SHARD, and param_offload frees no GPU memory then"
        inferred = "" if world > 1 else " (reported for fsdp_size 1 on several GPUs; torch makes the same of one GPU)"
        refs = ("verl-project/verl#7596", "torch documentation: fully_shard")
        yield Reason(says + inferred, 2, "decides" if world > 1 else "for", refs)
    elif offload == "none":
        says = "one rank holds everything under either version: sharding saves nothing, offload would"
        yield Reason(says, 0, "mind", ("torch documentation: fully_shard",))


def _loading(s: Situation, release: str) -> Iterator[Reason]:
    if satisfies(release, "<0.5"):
        torch = s.torch()
        if torch is not None and satisfies(torch, ">=2.6,<2.7"):
            says = f"torch {torch} with verl {release} runs out of memory while FSDP2 loads a large model; torch 2.7 or verl 0.5.0 does not"
            yield Reason(says, 1, "decides", ("verl-project/verl#2464", "verl-project/verl#2606"))
    elif s.torch_release is not None and not s.torch_release.assumed and satisfies(s.torch_release.text, ">=2.6,<2.7"):
        says = f"torch {s.torch()} has state-dict functions that run out of memory; verl {release} brings those of 2.7 along"
        yield Reason(says, 0, "mind", ("verl-project/verl#2464", "verl-project/verl#2606"))
    if satisfies(release, "<0.8"):
        says = f"verl {release} may hang while FSDP2 loads a model whose buffers have several sizes; 0.8.0 sorts them"
        yield Reason(says, 0, "mind", (_SORTED,))


def _sync(s: Situation, release: str) -> Iterator[Reason]:
    """Weights on their way to the rollout engine."""
    colocated, lora = s.ask("rollout_colocated"), s.ask("lora_rank")
    says = "one report of host memory that grows with every FSDP2 weight sync, open and unconfirmed: watch the workers' memory"
    yield Reason(says, 0, "mind", ("verl-project/verl#6468",))
    if satisfies(release, "<0.9"):
        nodes = s.ask("nodes") if colocated is not False else None
        if nodes is not None and int(nodes) > 1:
            says = (
                f"verl {release} on {nodes} machines wakes the rollout's weights before the trainer's are freed and puts the whole "
                "shard on the GPU for the export, under either version: leave room; FSDP2 from 0.9.0 on needs less"
            )
            yield Reason(says, 0, "mind", ("verl-project/verl#6772", "verl-project/verl#7005"))
    elif lora is not None and int(lora) == 0:
        says = f"verl {release} exports FSDP2 weights one by one; FSDP1 puts its whole shard on the GPU first"
        yield Reason(says, 2, "for", ("verl-project/verl#7005",))
    if lora is not None and int(lora) > 0:
        says = "with LoRA either version puts the whole shard on the GPU for the export"
        yield Reason(says, 0, "mind", ("verl-project/verl#7005",))
    if s.ask("offload_params") not in (None, "none"):
        says = "offload_policy keeps parameters, gradients and optimizer states in host memory while FSDP2 trains; FSDP1 cannot"
        yield Reason(says, 2, "for", (_ENGINE,))


def _hugging_face(s: Situation) -> Iterator[Reason]:
    transformers, accelerate = s.release("transformers"), s.release("accelerate")
    if transformers is not None and satisfies(transformers, ">=5.10"):
        says = (
            f"transformers {transformers} deprecates FSDP1 (since 5.10, announced to go in 5.20) and takes version 2 where fsdp_config "
            "says none"
        )
        yield Reason(says, 2, "for", (DEPRECATED, "huggingface/transformers#45640"))
    elif transformers is not None:
        says = f"transformers {transformers} takes FSDP1 where fsdp_config names no version"
        yield Reason(says, 0, "mind", (DEPRECATED,))
    if accelerate is not None and satisfies(accelerate, "<1.6"):
        yield Reason(f"accelerate {accelerate} has no FSDP2: it came with 1.6.0", 1, "decides", (_PLUGIN,))
    least = "2.5.1" if accelerate is not None and satisfies(accelerate, "<1.7") else "2.6.0"
    torch = s.torch()
    if torch is not None and satisfies(torch, f"<{least}"):
        says = f"torch {torch} is below {least}, which accelerate asks for with FSDP2"
        yield Reason(says, 1, "decides", (_PLUGIN,))
    trl = s.release("trl")
    if trl is not None and satisfies(trl, "<0.20") and s.ask("rollout_engine") == "vllm":
        says = f"TRL {trl} never sends FSDP2 weights to vLLM, so that the policy does not learn; 0.20.0 does"
        yield Reason(says, 1, "decides", ("huggingface/trl#3670",))
    says = "accelerate refuses forward_prefetch with FSDP2 and saves sharded states by default; FSDP1 saves full ones"
    yield Reason(says, 0, "mind", (_PLUGIN,))


_WORKERS = "verl 0.4.0: verl/workers/fsdp_workers.py"
_ENGINE = "verl 0.9.1: verl/workers/engine/fsdp/transformer_impl.py"
_SORTED = "verl 0.8.0: verl/utils/fsdp_utils.py"
_PLUGIN = "accelerate 1.15.0: src/accelerate/utils/dataclasses.py"
