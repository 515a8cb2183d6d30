from datasets import load_dataset
from peft import LoraConfig
from trl import GRPOConfig, GRPOTrainer


def reward(completions, **kwargs):
    return [float(len(set(text.split()))) for text in completions]


args = GRPOConfig(
    output_dir="out/grpo",
    per_device_train_batch_size=8,
    gradient_accumulation_steps=4,
    num_generations=8,
    max_completion_length=512,
    learning_rate=1e-5,
    bf16=True,
    logging_steps=5,
)
trainer = GRPOTrainer(
    model="Qwen/Qwen3-0.6B",
    reward_funcs=reward,
    args=args,
    train_dataset=load_dataset("trl-lib/tldr", split="train"),
    peft_config=LoraConfig(
        r=16, lora_alpha=32, target_modules=["q_proj", "v_proj", "embed_tokens"], task_type="CAUSAL_LM"
    ),
)
trainer.train()
