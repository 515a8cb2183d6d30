"""Options that rLLM and verl both have: which of the two the unified trainer obeys."""

from __future__ import annotations

__all__ = ["NATIVE", "RLLM"]

NATIVE = {
    "rllm.algorithm.adv_estimator": "algorithm.adv_estimator",
    "rllm.algorithm.norm_adv_by_std_in_grpo": "algorithm.norm_adv_by_std_in_grpo",
    "rllm.algorithm.gamma": "algorithm.gamma",
    "rllm.algorithm.lam": "algorithm.lam",
    "rllm.algorithm.kl_beta": "actor_rollout_ref.actor.kl_loss_coef",
    "rllm.algorithm.loss_fn": "actor_rollout_ref.actor.policy_loss.loss_mode",
    "rllm.algorithm.loss_agg_mode": "actor_rollout_ref.actor.loss_agg_mode",
    "rllm.algorithm.warmup_steps": "actor_rollout_ref.actor.optim.lr_warmup_steps",
    "rllm.algorithm.warmup_steps_ratio": "actor_rollout_ref.actor.optim.lr_warmup_steps_ratio",
    "rllm.rollout.n": "actor_rollout_ref.rollout.n",
    "rllm.rollout.n_val": "actor_rollout_ref.rollout.val_kwargs.n",
    "rllm.rollout.train.temperature": "actor_rollout_ref.rollout.temperature",
    "rllm.rollout.train.top_p": "actor_rollout_ref.rollout.top_p",
    "rllm.rollout.train.top_k": "actor_rollout_ref.rollout.top_k",
    "rllm.rollout.train.max_tokens": "actor_rollout_ref.rollout.response_length",
    "rllm.rollout.val.temperature": "actor_rollout_ref.rollout.val_kwargs.temperature",
    "rllm.rollout.val.top_p": "actor_rollout_ref.rollout.val_kwargs.top_p",
    "rllm.rollout.val.top_k": "actor_rollout_ref.rollout.val_kwargs.top_k",
    "rllm.trainer.save_freq": "trainer.save_freq",
    "rllm.trainer.test_freq": "trainer.test_freq",
    "rllm.trainer.val_before_train": "trainer.val_before_train",
    "rllm.trainer.val_only": "trainer.val_only",
    "rllm.trainer.total_epochs": "trainer.total_epochs",
    "rllm.trainer.logger": "trainer.logger",
    "rllm.trainer.project_name": "trainer.project_name",
    "rllm.trainer.experiment_name": "trainer.experiment_name",
    "rllm.data.train_batch_size": "data.train_batch_size",
    "rllm.data.max_prompt_length": "data.max_prompt_length",
    "rllm.data.max_response_length": "data.max_response_length",
}
"""Name of each shared option at verl, by its name at rLLM."""

RLLM = {native: own for own, native in NATIVE.items()}
"""Name of each shared option at rLLM, by its name at verl."""
