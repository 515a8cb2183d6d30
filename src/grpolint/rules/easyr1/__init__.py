"""Rules on EasyR1."""
