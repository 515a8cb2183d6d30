"""Rules on AReaL."""
