"""Generates, sleeps, trains: nothing is in flight."""

from vllm import LLM, SamplingParams

engine = LLM(model="Qwen/Qwen2.5-1.5B-Instruct", enable_sleep_mode=True, gpu_memory_utilization=0.4)
outputs = engine.generate(["1 + 1 ="], SamplingParams(n=8, temperature=1.0))
engine.sleep(1)
