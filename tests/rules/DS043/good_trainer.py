from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

ds_config = {"train_micro_batch_size_per_gpu": "auto", "gradient_accumulation_steps": "auto", "gradient_clipping": "auto", "bf16": {"enabled": "auto"}, "zero_optimization": {"stage": 2}}
args = TrainingArguments(output_dir="out", per_device_train_batch_size=2, bf16=True, deepspeed=ds_config)
trainer = Trainer(model=AutoModelForCausalLM.from_pretrained("Qwen/Qwen2.5-1.5B-Instruct"), args=args)
trainer.train()
