from trl import GRPOConfig, GRPOTrainer
from data import prompts
from rewards import exact_answer

config = GRPOConfig(output_dir="out", per_device_train_batch_size=4, num_generations=4)
GRPOTrainer("Qwen/Qwen2.5-1.5B-Instruct", exact_answer, args=config, train_dataset=prompts()).train()
