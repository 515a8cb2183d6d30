"""Rules on LLaMA-Factory."""
