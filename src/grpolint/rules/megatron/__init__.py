"""Rules on Megatron."""
