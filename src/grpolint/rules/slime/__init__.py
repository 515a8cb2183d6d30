"""Rules on slime."""
