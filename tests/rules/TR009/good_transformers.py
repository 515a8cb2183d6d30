"""GRPO on pictures."""

from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer


def reward(completions, **kwargs):
    return [1.0 if "answer" in str(text) else 0.0 for text in completions]


args = GRPOConfig(
    output_dir="out",
    per_device_train_batch_size=8,
    gradient_accumulation_steps=4,
    num_generations=8,
    learning_rate=1e-6,
    bf16=True,
)
GRPOTrainer(
    model="models/vl",
    reward_funcs=reward,
    args=args,
    train_dataset=load_dataset("lmms-lab/multimodal-open-r1-8k-verified", split="train"),
).train()
