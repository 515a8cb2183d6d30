"""GRPO with Unsloth."""

from unsloth import FastLanguageModel
from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer

max_seq_length = 2048
model, tokenizer = FastLanguageModel.from_pretrained(
    model_name="Qwen/Qwen3-4B-Base",
    max_seq_length=max_seq_length,
    load_in_4bit=True,
)
model = FastLanguageModel.get_peft_model(model, r=16, lora_alpha=32, target_modules=["q_proj", "k_proj", "v_proj", "o_proj"])


def correct(completions, **kwargs):
    return [float("####" in text) for text in completions]


max_prompt_length = 256
config = GRPOConfig(
    learning_rate=5e-6,
    per_device_train_batch_size=4,
    num_generations=6,
    gradient_accumulation_steps=3,
    max_prompt_length=max_prompt_length,
    max_completion_length=max_seq_length - max_prompt_length,
    output_dir="outputs",
    report_to="none",
)
trainer = GRPOTrainer(
    model=model,
    processing_class=tokenizer,
    reward_funcs=[correct],
    args=config,
    train_dataset=load_dataset("openai/gsm8k", "main", split="train"),
)
trainer.train()
