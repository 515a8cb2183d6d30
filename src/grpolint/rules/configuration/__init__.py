"""Rules on the configuration itself: lost, unknown, repeated options."""
