"""GRPO with vLLM in the trainer's processes."""

from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer


def reward(completions, **kwargs):
    return [1.0 if "answer" in text else 0.0 for text in completions]


args = GRPOConfig(
    output_dir="out",
    per_device_train_batch_size=8,
    num_generations=8,
    generation_batch_size=64,
    steps_per_generation=4,
    use_vllm=True,
    vllm_mode="colocate",
)
GRPOTrainer("Qwen/Qwen2.5-1.5B", reward, args, load_dataset("openai/gsm8k", "main", split="train")).train()
