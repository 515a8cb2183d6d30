"""Supervised fine-tuning under FSDP."""

from datasets import load_dataset
from trl import SFTConfig, SFTTrainer

args = SFTConfig(
    output_dir="out",
    per_device_train_batch_size=2,
    gradient_accumulation_steps=8,
    learning_rate=1e-5,
    bf16=True,
    fsdp="full_shard auto_wrap",
    fsdp_config={"version": 1, "transformer_layer_cls_to_wrap": ["Qwen2DecoderLayer"]},
)
SFTTrainer("Qwen/Qwen2.5-1.5B", args=args, train_dataset=load_dataset("trl-lib/Capybara", split="train")).train()
