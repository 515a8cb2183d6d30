"""Rules on verl."""
