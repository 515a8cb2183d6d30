"""FSDP1 against FSDP2, aspect by aspect, with the sources."""

from __future__ import annotations

from grpolint.records import Record

__all__ = ["ASPECTS", "Aspect"]


class Aspect(Record):
    """One aspect: what holds for each version, for which frameworks, and where it stands (refs)."""

    name: str
    first: str
    second: str
    refs: tuple[str, ...]
    frameworks: tuple[str, ...] = ()
    """Empty: for every framework."""


ASPECTS = (
    Aspect(
        "unit",
        "The parameters of a wrapped module are flattened into one tensor, which is cut into equal pieces.",
        "Each parameter is a DTensor, cut along its first dimension.",
        ("torch documentation: fully_shard",),
    ),
    Aspect(
        "memory on each rank",
        "(weights + gradients + optimizer states) / ranks, and what is gathered of a layer; freed memory waits for record_stream, so "
        "that the peak varies.",
        "The same arithmetic without record_stream: the peak is the same in every step.",
        ("torch documentation: fully_shard",),
    ),
    Aspect(
        "one rank in a group of shards",
        "Becomes NO_SHARD. With fsdp_size=1 on several GPUs gradients are never averaged; verl's param_offload frees nothing.",
        "A mesh of one: nothing is sharded. verl's maintainers name it as the version to offload with there.",
        ("verl-project/verl#7493", "verl-project/verl#7596", "torch documentation: fully_shard"),
    ),
    Aspect(
        "LoRA",
        "Frozen and trained parameters do not mix in one flat tensor unless use_orig_params is on; verl wraps adapter layers on "
        "their own.",
        "Each parameter is trained or frozen on its own.",
        ("torch documentation: fully_shard", "verl 0.9.1: verl/workers/engine/fsdp/transformer_impl.py"),
    ),
    Aspect(
        "mixed precision",
        "MixedPrecision with types of parameters, reduction and buffers.",
        "MixedPrecisionPolicy with types of parameters, reduction and output; buffers keep theirs.",
        ("verl 0.9.1: verl/workers/engine/fsdp/transformer_impl.py", "torch documentation: fully_shard"),
    ),
    Aspect(
        "offload",
        "verl switches CPU offload in training off, because gradient accumulation goes wrong with it, and moves shards between the phases "
        "(param_offload, optimizer_offload).",
        "The same moves, or offload_policy=True: parameters, gradients and optimizer states stay in host memory in training, too.",
        ("verl 0.9.1: verl/workers/engine/fsdp/transformer_impl.py",),
        ("verl",),
    ),
    Aspect(
        "checkpoint",
        "A sharded state needs all-gathers; accelerate saves full states by default.",
        "A sharded state needs no communication; accelerate saves sharded states by default, and full ones on request since 1.7.",
        ("torch documentation: fully_shard", "accelerate 1.15.0: src/accelerate/utils/dataclasses.py"),
    ),
    Aspect(
        "weights to the rollout engine, verl",
        "The whole shard goes to the GPU first.",
        "From 0.9.0 on one parameter after the other, without LoRA; before, and with LoRA, as FSDP1. One open, unconfirmed report of "
        "growing host memory.",
        ("verl-project/verl#7005", "verl-project/verl#6468"),
        ("verl",),
    ),
    Aspect(
        "weights to the rollout engine, TRL",
        "Gathered module by module since 0.17.",
        "Sent since 0.20.0; before, vLLM kept its first weights.",
        ("huggingface/trl#3670",),
        ("trl",),
    ),
    Aspect(
        "verl",
        "strategy=fsdp: the default of all releases up to 0.9.1.",
        "strategy=fsdp2 since 0.4.0, which the README recommends. 0.7 with use_legacy_worker_impl=disable ran FSDP1 instead; torch "
        "2.6 needs verl 0.5.0 for large models.",
        (
            "verl README: upgrade to FSDP2",
            "verl 0.9.1: verl/trainer/config/_generated_ppo_trainer.yaml",
            "verl-project/verl#5885",
            "verl-project/verl#2606",
        ),
        ("verl",),
    ),
    Aspect(
        "accelerate and TRL",
        "fsdp_version 1: accelerate's default up to 1.15.0, and Transformers' up to 5.9.",
        "fsdp_version 2 since accelerate 1.6.0 with torch 2.5.1 (1.7: 2.6.0); without forward_prefetch.",
        (
            "accelerate 1.15.0: src/accelerate/utils/dataclasses.py",
            "transformers 5.24.0: src/transformers/training_args.py",
        ),
        ("trl", "accelerate", "transformers"),
    ),
    Aspect(
        "deprecation",
        "Transformers warns since 5.10 and announces the end for 5.20; 5.24.0 still has it. torch advises against it.",
        "Transformers' default since 5.10.",
        (
            "transformers 5.24.0: src/transformers/training_args.py",
            "huggingface/transformers#45640",
            "torch documentation: fully_shard",
        ),
    ),
)
