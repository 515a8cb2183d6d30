from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer


def brevity(completions, **kwargs):
    return [-len(c[0]["content"]) / 1000 for c in completions]


args = GRPOConfig(
    output_dir="out",
    per_device_train_batch_size=8,
    max_completion_length=512,
    learning_rate=1e-6,
)
trainer = GRPOTrainer(
    model="Qwen/Qwen2.5-0.5B-Instruct",
    reward_funcs=brevity,
    args=args,
    train_dataset=load_dataset("trl-lib/tldr", split="train"),
)
trainer.train()
