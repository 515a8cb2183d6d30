from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer
from rewards import exact_answer

config = GRPOConfig(
    output_dir="out",
    per_device_train_batch_size=8,
    num_generations=8,
    use_vllm=True,
    vllm_mode="colocate",
    generation_kwargs={"min_p": 0.0},
    vllm_gpu_memory_utilization=0.3,
)
GRPOTrainer("Qwen/Qwen2.5-1.5B-Instruct", exact_answer, args=config, train_dataset=load_dataset("trl-lib/tldr", split="train")).train()
