"""Configurations that are dataclasses below one root, in a package of several modules, and the Hydra tree before them."""

EASYR1 = {
    "verl/trainer/config.py": (
        "from dataclasses import dataclass, field\nfrom ..workers.config import WorkerConfig\n"
        "@dataclass\nclass PPOConfig:\n    worker: WorkerConfig = field(default_factory=WorkerConfig)\n"
    ),
    "verl/workers/config.py": (
        "from dataclasses import dataclass, field\nfrom .actor import ActorConfig\n"
        "@dataclass\nclass WorkerConfig:\n    actor: ActorConfig = field(default_factory=ActorConfig)\n"
    ),
    "verl/workers/actor/__init__.py": "from .config import ActorConfig\n",
    "verl/workers/actor/config.py": (
        "from dataclasses import dataclass\n@dataclass\nclass ActorConfig:\n    global_batch_size: int = 256\n"
    ),
}

SKYRL = {
    "skyrl/train/config/config.py": (
        "from dataclasses import dataclass, field\n@dataclass\nclass TrainerConfig:\n    strategy: str = 'fsdp'\n"
        "@dataclass\nclass SkyRLTrainConfig:\n    trainer: TrainerConfig = field(default_factory=TrainerConfig)\n"
    )
}


def test_easyr1_follows_a_class_through_the_package_that_exports_it(harvest):
    tables = harvest("easyr1", EASYR1)
    assert tables["ppo"]["worker.actor.global_batch_size"]["default"] == 256


def test_skyrl(harvest):
    assert harvest("skyrl", SKYRL)["train"]["trainer.strategy"]["default"] == "fsdp"


def test_skyrl_train_has_a_table_for_each_file(harvest):
    home = "skyrl-train/skyrl_train/config/"
    files = {
        home + "ppo_base_config.yaml": "defaults: [_self_]\ntrainer: {strategy: fsdp2}\n",
        home + "megatron_config/policy.yaml": "pipeline_model_parallel_size: 1\n",
    }
    tables = harvest("skyrl-train", files)
    assert tables["ppo_base_config"]["trainer.strategy"]["default"] == "fsdp2"
    assert tables["megatron_config.policy"]["pipeline_model_parallel_size"]["default"] == 1
