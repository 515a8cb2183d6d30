import deepspeed
from transformers import AutoModelForCausalLM

ds_config = {
    "train_micro_batch_size_per_gpu": 2,
    "gradient_accumulation_steps": 4,
    "gradient_clipping": 1.0,
    "bf16": {
        "enabled": True
    },
    "zero_optimization": {
        "stage": 2
    },
    "optimizer": {
        "type": "AdamW",
        "params": {
            "lr": "auto"
        }
    }
}

model = AutoModelForCausalLM.from_pretrained("Qwen/Qwen2.5-1.5B-Instruct")
engine, optimizer, _, scheduler = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=ds_config)
