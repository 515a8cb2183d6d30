"""Rules on rLLM."""
