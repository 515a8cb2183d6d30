"""Rules on memory: what surely does not fit on the accelerator."""
