"""Rules on NeMo-RL's options."""
