"""Rules on DeepSpeed."""
