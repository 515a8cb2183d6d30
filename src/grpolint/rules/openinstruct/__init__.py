"""Rules on open-instruct's options."""
