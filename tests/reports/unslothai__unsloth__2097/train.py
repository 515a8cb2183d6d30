from unsloth import FastLanguageModel
from trl import GRPOConfig, GRPOTrainer
from data import prompts
from rewards import exact_answer

model, tokenizer = FastLanguageModel.from_pretrained(
    model_name="Qwen/Qwen2.5-3B-Instruct",
    max_seq_length=2048,
    fast_inference=True,
    max_lora_rank=16,
    gpu_memory_utilization=0.5,
)
model = FastLanguageModel.get_peft_model(
    model,
    r=32,
    lora_alpha=32,
    target_modules=["q_proj", "k_proj", "v_proj", "o_proj"],
    use_gradient_checkpointing="unsloth",
)
args = GRPOConfig(output_dir="out", per_device_train_batch_size=8, num_generations=8, max_completion_length=1024)
GRPOTrainer(model=model, processing_class=tokenizer, reward_funcs=[exact_answer], args=args, train_dataset=prompts()).train()
