from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer
from rewards import exact_answer

data = load_dataset("openai/gsm8k", "main")
config = GRPOConfig(
    output_dir="out",
    per_device_train_batch_size=8,
    num_generations=8,
    per_device_eval_batch_size=2,
    num_generations_eval=2,
    eval_strategy="steps",
    eval_steps=50,
)
GRPOTrainer("Qwen/Qwen2.5-1.5B-Instruct", exact_answer, args=config, train_dataset=data["train"], eval_dataset=data["test"]).train()
