"""GRPO under ZeRO-3."""

from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer


def reward(completions, **kwargs):
    return [1.0 if "answer" in text else 0.0 for text in completions]


args = GRPOConfig(
    output_dir="out",
    per_device_train_batch_size=8,
    gradient_accumulation_steps=4,
    num_generations=8,
    bf16=True,
    deepspeed="ds/zero3.json",
)
GRPOTrainer(
    "Qwen/Qwen2.5-1.5B",
    reward,
    args,
    load_dataset("openai/gsm8k", "main", split="train"),
).train()
