from unsloth import FastLanguageModel
from trl import GRPOConfig, GRPOTrainer
from data import prompts
from rewards import exact_answer

model, tokenizer = FastLanguageModel.from_pretrained(
    model_name="Qwen/Qwen2.5-3B-Instruct",
    max_seq_length=2048,
    fast_inference=False,
    full_finetuning=True,
    gpu_memory_utilization=0.5,
)
args = GRPOConfig(output_dir="out", per_device_train_batch_size=8, num_generations=8, max_completion_length=1024)
GRPOTrainer(model=model, processing_class=tokenizer, reward_funcs=[exact_answer], args=args, train_dataset=prompts()).train()
