"""GRPO on GSM8K."""

from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer


def correct(completions, **kwargs):
    return [float("####" in text) for text in completions]


def brief(completions, **kwargs):
    return [1.0 / (1 + len(text)) for text in completions]


config = GRPOConfig(
    output_dir="out",
    per_device_train_batch_size=8,
    gradient_accumulation_steps=4,
    num_generations=8,
    learning_rate=1e-6,
    bf16=True,
    scale_rewards="none",
    loss_type="dr_grpo",
)
trainer = GRPOTrainer(
    model="Qwen/Qwen2.5-1.5B-Instruct",
    reward_funcs=[correct, brief],
    args=config,
    train_dataset=load_dataset("openai/gsm8k", "main", split="train"),
)
trainer.train()
