"""GRPO on GSM8K."""

from datasets import load_dataset
from trl import SFTConfig, SFTTrainer


def correct(completions, **kwargs):
    return [float("####" in text) for text in completions]


def brief(completions, **kwargs):
    return [1.0 / (1 + len(text)) for text in completions]


config = SFTConfig(
    output_dir="out",
    per_device_train_batch_size=8,
    gradient_accumulation_steps=4,
    learning_rate=1e-5,
    bf16=True,
    padding_free=True,
)
trainer = SFTTrainer(
    model="Qwen/Qwen2.5-1.5B-Instruct",
    processing_class=None,
    args=config,
    train_dataset=load_dataset("openai/gsm8k", "main", split="train"),
)
trainer.train()
