"""GRPO on GSM8K."""

from datasets import load_dataset
from peft import LoraConfig
from transformers import BitsAndBytesConfig
from trl import SFTConfig, SFTTrainer


def correct(completions, **kwargs):
    return [float("####" in text) for text in completions]


def brief(completions, **kwargs):
    return [1.0 / (1 + len(text)) for text in completions]


quantization = BitsAndBytesConfig(load_in_4bit=True, load_in_8bit=True)
config = SFTConfig(
    output_dir="out",
    per_device_train_batch_size=8,
    gradient_accumulation_steps=4,
    learning_rate=1e-6,
    bf16=True,
)
trainer = SFTTrainer(
    model="Qwen/Qwen2.5-1.5B-Instruct",
    peft_config=LoraConfig(r=16, lora_alpha=32, target_modules=["q_proj"]),
    args=config,
    train_dataset=load_dataset("openai/gsm8k", "main", split="train"),
)
trainer.train()
