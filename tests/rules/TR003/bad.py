"""GRPO on GSM8K."""

from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer


def reward(completions, **kwargs):
    return [float("####" in text) for text in completions]


config = GRPOConfig(
    output_dir="out",
    per_device_train_batch_size=6,
    gradient_accumulation_steps=4,
    num_generations=6,
    learning_rate=1e-6,
    bf16=True,
    eval_strategy="steps",
    eval_steps=50,
)
trainer = GRPOTrainer(
    model="Qwen/Qwen2.5-1.5B-Instruct",
    reward_funcs=reward,
    args=config,
    train_dataset=load_dataset("openai/gsm8k", "main", split="train"),
)
trainer.train()
