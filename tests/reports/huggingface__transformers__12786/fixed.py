from datasets import load_dataset
from trl import SFTConfig, SFTTrainer

data = load_dataset("trl-lib/Capybara")
args = SFTConfig(
    output_dir="out",
    eval_strategy="steps",
    eval_steps=200,
    save_strategy="steps",
    save_steps=400,
    load_best_model_at_end=True,
)
SFTTrainer("Qwen/Qwen2.5-0.5B", args=args, train_dataset=data["train"], eval_dataset=data["test"]).train()
