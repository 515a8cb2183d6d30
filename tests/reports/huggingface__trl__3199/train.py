from trl import GRPOConfig, GRPOTrainer
from data import prompts
from rewards import exact_answer

args = GRPOConfig(
    output_dir="out",
    per_device_train_batch_size=4,
    num_generations=1,
)
GRPOTrainer("Qwen/Qwen2.5-0.5B-Instruct", exact_answer, args=args, train_dataset=prompts()).train()
