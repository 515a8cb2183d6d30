"""Facts of an open-instruct run, from what its programs compute with (0.1 to 0.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grpolint.frameworks.asking import constant, exactly, lower, option, positive, through, times, truth
from grpolint.frameworks.openinstruct.programs import Command
from grpolint.run import FactFunction, Run
from grpolint.values import Known, Value, plain

__all__ = ["FACTS", "GRPO", "kind_facts"]

_KINDS = {"finetune": "sft", "dpo": "dpo", "dpo_tune_cache": "dpo", "reward_modeling": "reward"}
_TYPES = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32"}


def _ask(*keys: str) -> FactFunction:
    return option("open-instruct", *keys)


def _total(value: Any) -> int:
    """Learners of all nodes: a list with the number of each."""
    return sum(int(each) for each in (value if isinstance(value, list) else [value]))


_WORLD = through(_total, _ask("num_learners_per_node"))
_SP = _ask("sequence_parallel_size")
_PROMPTS = _ask("num_unique_prompts_rollout")
_N = _ask("num_samples_per_prompt_rollout")
_PROMPT, _RESPONSE = _ask("max_prompt_token_length"), _ask("response_length")


def _lora_rank(run: Run) -> Value | None:
    used = through(truth, _ask("use_lora", "use_peft"))(run)
    if used is None:
        return None
    return _ask("lora_rank", "lora_r")(run) if plain(used) is not False else Known(0, ())


FACTS: Mapping[str, FactFunction] = {
    "learning_rate": through(float, _ask("learning_rate")),
    "clip_norm": through(float, _ask("max_grad_norm", "clip_grad_norm")),
    "micro_batch_per_gpu": _ask("per_device_train_batch_size"),
    "model": _ask("model_name_or_path"),
    "lora_rank": _lora_rank,
}
"""Facts of every program."""

GRPO: Mapping[str, FactFunction] = {
    "world_size": _WORLD,
    "sp": _SP,
    "dp": through(exactly, _WORLD, _SP),
    "advantage": constant("grpo", "open-instruct"),
    "group_relative": constant(True, "open-instruct"),
    "group_size": _N,
    "uses_critic": constant(False, "open-instruct"),
    "kl_in_reward": constant(False, "open-instruct"),
    "kl_in_loss": through(lambda beta, loaded: positive(beta) and truth(loaded), _ask("beta"), _ask("load_ref_policy")),
    "train_batch_prompts": _PROMPTS,
    "train_batch_samples": through(times, _PROMPTS, _N),
    "mini_batch_prompts": through(exactly, _PROMPTS, _ask("num_mini_batches")),
    "optimizer": constant("adamw", "open-instruct"),
    "precision": through(lambda name: _TYPES.get(lower(name), lower(name)), _ask("model_dtype")),
    "zero_stage": _ask("deepspeed_stage"),
    "rollout_engine": constant("vllm", "open-instruct"),
    "rollout_colocated": through(truth, _ask("single_gpu_mode")),
    "rollout_tp": _ask("vllm_tensor_parallel_size"),
    "rollout_memory": _ask("vllm_gpu_memory_utilization"),
    "enforce_eager": through(truth, _ask("vllm_enforce_eager")),
    "prompt_length": _PROMPT,
    "response_length": _RESPONSE,
    "context_length": through(lambda prompt, response: int(prompt) + int(response), _PROMPT, _RESPONSE),
    "save_every": _ask("save_freq"),
}
"""Facts of its two GRPO programs."""


def kind_facts(command: Command) -> Mapping[str, FactFunction]:
    """What is trained, what shards it, and the machines that mason.py asks for."""
    from grpolint.frameworks.openinstruct.compose import number_of

    found = {"trainer_kind": constant(_KINDS.get(command.name, "grpo"), command.name)}
    if command.name == "grpo_fast":
        found["engine"] = constant("deepspeed", "grpo_fast")
    if command.mason:
        found["nodes"] = lambda _run: number_of(command, "--num_nodes")
        found["gpus_per_node"] = lambda _run: number_of(command, "--gpus")
    return found
