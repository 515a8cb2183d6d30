"""Rules on ROLL's options."""
