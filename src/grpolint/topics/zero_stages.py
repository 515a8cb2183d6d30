"""What the stages of ZeRO shard and what the keys of a DeepSpeed configuration do, in our own words."""

from __future__ import annotations

from grpolint.lab.memory import Item
from grpolint.records import Record
from grpolint.topics.zero_memory import Placement, Size, items

__all__ = ["KEYS", "STAGES", "Key", "Stage", "placements", "stage_of", "table"]


class Stage(Record):
    """One stage: what is split over the ranks, what can be offloaded, what it costs."""

    number: int
    shards: str
    offload: str
    cost: str


STAGES = (
    Stage(
        0,
        "nothing: every rank holds all of it",
        "nothing takes effect; offload_optimizer still builds the CPU optimizer, whose first step fails on a model on the GPU",
        "one all-reduce of the gradients a step",
    ),
    Stage(
        1,
        "optimizer states: master weights and moments",
        "offload_optimizer",
        "as stage 0, and an all-gather of the updated weights",
    ),
    Stage(
        2,
        "optimizer states and gradients",
        "offload_optimizer",
        "as stage 1: each rank keeps only its own part of the reduced gradients",
    ),
    Stage(
        3,
        "optimizer states, gradients and weights, frozen ones too",
        "offload_optimizer, offload_param, and offload_optimizer.ratio below 1",
        "an all-gather of every layer in each forward and backward; generation gathers every layer for each token",
    ),
)


class Key(Record):
    """What a key does, and the evidence (refs) for what is said of it."""

    says: str
    refs: tuple[str, ...] = ()


_ZERO = "zero_optimization."
_CONFIG = "deepspeed 0.19.8: deepspeed/runtime/zero/config.py"

KEYS: dict[str, Key] = {
    _ZERO + "stage": Key(
        "Which of weights, gradients and optimizer states are split over the data-parallel ranks. With one rank no stage splits "
        "anything; then it only decides what can be offloaded.",
        (_CONFIG,),
    ),
    _ZERO + "overlap_comm": Key(
        "Reduces gradients on a stream of its own while the backward pass goes on, with a second bucket. Unset it is on at stage 3 "
        "and off below. Before 0.19.3 stages 1 and 2 waited for one stream only, and torch.compile uses several: NaN. With one "
        "rank there is nothing to overlap.",
        ("deepspeedai/DeepSpeed#8061", "deepspeedai/DeepSpeed#8080", _CONFIG),
    ),
    _ZERO + "contiguous_gradients": Key(
        "Copies gradients into one buffer as they come, against fragmentation. With offload_optimizer it is on whatever the file "
        "says."
    ),
    _ZERO + "reduce_scatter": Key(
        "Averages by reduce or reduce-scatter instead of all-reduce. With Muon stage 3 refuses it; at stages 1 and 2 before 0.19.3 "
        "matrices that cross a boundary were orthogonalised from partly reduced gradients.",
        ("deepspeedai/DeepSpeed#8141",),
    ),
    _ZERO + "reduce_bucket_size": Key(
        "Elements, not bytes, that are reduced at once: 5e8 in 16 bits are 0.93 GiB, twice that with overlap_comm."
    ),
    _ZERO + "allgather_bucket_size": Key(
        "Elements, not bytes, that are gathered at once after the step at stages 1 and 2."
    ),
    _ZERO + "offload_optimizer.device": Key(
        "Keeps optimizer states and fp32 gradients in host memory (cpu) or on disk (nvme) and steps there, at stages 1 to 3. For "
        "optimizer.type Adam or AdamW DeepSpeed takes its CPU Adam by itself; an optimizer that the program brings is refused "
        "unless zero_force_ds_cpu_optimizer is false. Muon needs 0.19.8."
    ),
    _ZERO + "offload_optimizer.ratio": Key(
        "The part of the states that goes to the host; below 1 only at stage 3.", (_CONFIG,)
    ),
    _ZERO + "offload_param.device": Key(
        "Keeps the weights in host memory or on disk and brings each layer when it is needed. Stage 3 only; below nothing happens."
    ),
    _ZERO + "sub_group_size": Key("Parameters that stage 3 steps at once; smaller needs less memory in the step."),
    _ZERO + "max_live_parameters": Key(
        "Stage 3: parameters that may lie gathered on one rank at once: 1e9 in 16 bits are 1.86 GiB."
    ),
    _ZERO + "max_reuse_distance": Key(
        "Stage 3: a weight that is used again within so many parameters is kept gathered."
    ),
    _ZERO + "prefetch_bucket_size": Key("Stage 3: parameters that are gathered ahead of their use."),
    _ZERO + "param_persistence_threshold": Key("Stage 3: smaller parameters than this are not split at all."),
    _ZERO + "gather_16bit_weights_on_model_save": Key(
        "Stage 3: gathers the weights when the model is saved. Without it what is saved are shards or placeholders."
    ),
    _ZERO + "round_robin_gradients": Key(
        "Stages 1 and 2 with offload: spreads the copying of gradients to the host over the ranks."
    ),
    "gradient_clipping": Key(
        "The norm above which gradients are scaled down; 0.0 is off. Absent it is off before 0.19.3 and 1.0 since. DeepSpeed clips "
        "Muon after the orthogonalisation, so that Muon wants 0.0.",
        ("deepspeedai/DeepSpeed#8068", "deepspeedai/DeepSpeed#8439"),
    ),
    "bf16.enabled": Key(
        "Trains in bf16 with fp32 master weights; compute capability 8.0 or newer. Not together with fp16."
    ),
    "fp16.enabled": Key(
        "Trains in fp16 with a loss scale, which is dynamic unless loss_scale is set. Not together with bf16."
    ),
    "bf16.check_grad_overflow": Key(
        "Skips a step whose gradients are not finite. Off by default before 0.19.3: one infinite gradient ruins all weights.",
        ("deepspeedai/DeepSpeed#8035",),
    ),
    "optimizer.type": Key(
        "The optimizer that DeepSpeed builds; absent the program brings one. Muon since 0.17.6, at stage 3 since 0.18.9."
    ),
    "zero_force_ds_cpu_optimizer": Key("Whether an optimizer of the program is refused under offload_optimizer."),
    "zero_allow_untested_optimizer": Key(
        "Whether ZeRO takes an optimizer of the program that DeepSpeed does not know."
    ),
    "train_batch_size": Key(
        "Must be train_micro_batch_size_per_gpu * gradient_accumulation_steps * data-parallel ranks; leave one of the three out and "
        "it is derived."
    ),
}
"""By the key's own name. Every one is in the catalog's newest release."""


def stage_of(word: str) -> Stage | None:
    """The stage that a word names: `2`, `stage2`, `zero-2`; None if it names none."""
    digit = word.lower().removeprefix("zero").removeprefix("stage").strip("-_ ")
    return STAGES[int(digit)] if digit in ("0", "1", "2", "3") else None


def placements(stage: int | None = None) -> tuple[Placement, ...]:
    """Every stage with what it can offload, or those of one stage."""
    found = (
        Placement(0),
        Placement(1),
        Placement(1, optimizer=True),
        Placement(2),
        Placement(2, optimizer=True),
        Placement(3),
        Placement(3, optimizer=True),
        Placement(3, optimizer=True, parameters=True),
    )
    return tuple(each for each in found if stage in (None, each.stage))


def table(
    size: Size, ranks: int, *, muon: bool, bucket: int, stage: int | None = None
) -> list[tuple[Placement, list[Item]]]:
    """The amounts of every placement, for a model on that many ranks."""
    return [(at, items(size, at, ranks, muon=muon, accumulates=True, bucket=bucket)) for at in placements(stage)]
