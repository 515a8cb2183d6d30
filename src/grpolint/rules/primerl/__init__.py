"""Rules on prime-rl's options."""
