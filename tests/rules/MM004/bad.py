from datasets import load_dataset
from peft import LoraConfig
from trl import GRPOConfig, GRPOTrainer


def reward(completions, **kwargs):
    return [float(len(set(text.split()))) for text in completions]


args = GRPOConfig(
    output_dir="out/grpo",
    per_device_train_batch_size=32,
    gradient_accumulation_steps=4,
    num_generations=8,
    max_completion_length=4096,
    learning_rate=1e-5,
    bf16=True,
    logging_steps=5,
)
trainer = GRPOTrainer(
    model="Qwen/Qwen3-0.6B",
    reward_funcs=reward,
    args=args,
    train_dataset=load_dataset("trl-lib/tldr", split="train"),
)
trainer.train()
