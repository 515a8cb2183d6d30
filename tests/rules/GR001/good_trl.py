"""GRPO on GSM8K with eight completions to each prompt."""

from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer

GENERATIONS = 8

training_args = GRPOConfig(
    output_dir="qwen-grpo",
    per_device_train_batch_size=8,
    gradient_accumulation_steps=2,
    num_generations=GENERATIONS,
    max_completion_length=512,
    learning_rate=1e-6,
)
trainer = GRPOTrainer(
    model="Qwen/Qwen2.5-0.5B-Instruct",
    args=training_args,
    reward_funcs=[lambda completions, **kwargs: [float(len(set(text))) for text in completions]],
    train_dataset=load_dataset("openai/gsm8k", "main", split="train"),
)
trainer.train()
