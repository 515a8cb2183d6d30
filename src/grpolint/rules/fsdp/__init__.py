"""Rules on FSDP: which version runs, and with which PyTorch."""
