"""Rules on group-relative algorithms and rewards."""
