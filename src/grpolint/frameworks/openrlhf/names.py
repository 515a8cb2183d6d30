"""The dotted option names of OpenRLHF, and what releases before 0.10.2 call them.

Settings are kept under the names of the release in use. They can be asked for by their dotted names in every release, so
that a rule knows one name only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from grpolint.catalog import Table
from grpolint.run import Setting, Settings, Version
from grpolint.values import Value

__all__ = ["FORMER", "LAST_UNDERSCORED", "DottedSettings", "dotted", "name_in_release"]

LAST_UNDERSCORED = "0.10.1.post2"
"""The last release with underscored names."""

_RENAMED = "0.10.2"

FORMER: Mapping[str, tuple[str, ...]] = {
    "actor.num_nodes": ("actor_num_nodes",),
    "actor.num_gpus_per_node": ("actor_num_gpus_per_node",),
    "ds.tensor_parallel_size": ("ds_tensor_parallel_size",),
    "ds.ring_attn_size": ("ring_attn_size",),
    "ds.zero_stage": ("zero_stage",),
    "ds.adam_offload": ("adam_offload",),
    "ds.param_dtype": ("param_dtype",),
    "ds.lora.rank": ("lora_rank",),
    "ds.lora.alpha": ("lora_alpha",),
    "algo.advantage.estimator": ("advantage_estimator",),
    "algo.kl.use_loss": ("use_kl_loss",),
    "algo.advantage.gamma": ("gamma",),
    "algo.advantage.lambd": ("lambd",),
    "actor.eps_clip": ("eps_clip",),
    "actor.eps_clip_low_high": ("eps_clip_low_high",),
    "actor.policy_loss_type": ("policy_loss_type",),
    "actor.entropy_coef": ("entropy_loss_coef",),
    "rollout.temperature": ("temperature",),
    "train.max_epochs": ("max_epochs",),
    "algo.kl.init_coef": ("init_kl_coef",),
    "rollout.n_samples_per_prompt": ("n_samples_per_prompt",),
    "rollout.batch_size": ("rollout_batch_size",),
    "rollout.max_new_tokens": ("max_new_tokens", "generate_max_len"),
    "train.batch_size": ("train_batch_size",),
    "train.micro_batch_size": ("micro_train_batch_size",),
    "train.dynamic_batch_enable": ("use_dynamic_batch",),
    "train.colocate_all": ("colocate_all_models",),
    "train.async_enable": ("async_train",),
    "train.agent_func_path": ("agent_func_path",),
    "vllm.num_engines": ("vllm_num_engines",),
    "vllm.tensor_parallel_size": ("vllm_tensor_parallel_size",),
    "vllm.gpu_memory_utilization": ("vllm_gpu_memory_utilization",),
    "vllm.enforce_eager": ("enforce_eager",),
    "vllm.enable_sleep": ("vllm_enable_sleep",),
    "actor.adam.lr": ("actor_learning_rate",),
    "adam.lr": ("learning_rate",),
    "actor.max_norm": ("max_norm",),
    "max_norm": ("max_norm",),
    "actor.model_name_or_path": ("pretrain",),
    "model.model_name_or_path": ("pretrain",),
    "reward.model_name_or_path": ("reward_pretrain",),
    "reward.remote_url": ("remote_rm_url",),
    "data.max_len": ("max_len",),
    "ckpt.save_steps": ("save_steps",),
    "ds.overlap_comm": ("overlap_comm",),
    "ds.deepcompile": ("deepcompile",),
    "vllm.enable_prefix_caching": ("enable_prefix_caching",),
    "vllm.sync_backend": ("vllm_sync_backend",),
    "algo.dynamic_filtering_enable": ("dynamic_filtering",),
}
"""Names before 0.10.2 that the catalog's renames do not lead to, by the present ones."""


def dotted(version: Version) -> bool:
    """Whether a release has the dotted names."""
    return _dotted(version.text)


@lru_cache(maxsize=64)
def _dotted(version: str) -> bool:
    from packaging.version import InvalidVersion
    from packaging.version import Version as Parsed

    try:
        return Parsed(version) > Parsed(LAST_UNDERSCORED)
    except InvalidVersion:
        return True


@lru_cache(maxsize=512)
def _former(table: str, key: str) -> tuple[str, ...]:
    from grpolint.catalog.history import predecessors

    found = tuple(each.old for each in predecessors("openrlhf", table, key) if each.version == _RENAMED)
    return found + FORMER.get(key, ())


def name_in_release(table: str, key: str, settings: Settings) -> str:
    """What the release of `settings` calls the option with this dotted name; the name itself where nothing is known."""
    if dotted(settings.version):
        return key
    names = _former(table, key)
    for name in names:
        if Settings.get(settings, name) is not None or Settings.default(settings, name) is not None:
            return name
    return names[0] if names else key


class DottedSettings(Settings):
    """Settings of an older release that answer to the dotted names as well."""

    def __init__(
        self, name: str, version: Version, defaults: Callable[[str], Value | None] | None, *, tables: tuple[Table, ...]
    ) -> None:
        super().__init__("openrlhf", version, defaults, tables=tables)
        self._table = name

    def get(self, key: str) -> Setting | None:
        """The setting as a document makes it, by either name."""
        return super().get(key) or super().get(name_in_release(self._table, key, self))

    def value(self, key: str) -> Value | None:
        """The effective value, by either name."""
        own = key if super().get(key) is not None else name_in_release(self._table, key, self)
        return super().value(own)

    def default(self, key: str) -> Value | None:
        """The release's default, by either name."""
        found = super().default(key)
        return found if found is not None else super().default(name_in_release(self._table, key, self))
