from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer
from rewards import exact_answer

config = GRPOConfig(
    output_dir="out",
    per_device_train_batch_size=8,
    num_generations=4,
    auto_find_batch_size=False,
    max_completion_length=1024,
)
GRPOTrainer("Qwen/Qwen2.5-1.5B-Instruct", exact_answer, args=config, train_dataset=load_dataset("openai/gsm8k", "main", split="train")).train()
