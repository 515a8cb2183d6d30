"""Rules on TRL."""
