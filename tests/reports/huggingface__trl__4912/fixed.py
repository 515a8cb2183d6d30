from peft import LoraConfig
from trl import GRPOConfig, GRPOTrainer
from data import prompts
from rewards import exact_answer

args = GRPOConfig(
    output_dir="out",
    per_device_train_batch_size=8,
    num_generations=8,
    beta=0.04,
)
peft = LoraConfig(r=16, lora_alpha=32, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM")
GRPOTrainer("Qwen/Qwen2.5-1.5B-Instruct", exact_answer, args=args, train_dataset=prompts(), peft_config=peft).train()
