from peft import LoraConfig
from transformers import AutoModelForCausalLM, BitsAndBytesConfig
from trl import GRPOConfig, GRPOTrainer
from data import prompts
from rewards import exact_answer

quantization = BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type="nf4")
model = AutoModelForCausalLM.from_pretrained("Qwen/Qwen2.5-7B-Instruct", quantization_config=quantization)
args = GRPOConfig(
    output_dir="out",
    per_device_train_batch_size=8,
    num_generations=8,
    use_vllm=True,
    vllm_mode="colocate",
)
peft = LoraConfig(r=16, lora_alpha=32, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM")
GRPOTrainer(model, exact_answer, args=args, train_dataset=prompts(), peft_config=peft).train()
