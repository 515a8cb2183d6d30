"""Rules on vLLM."""
