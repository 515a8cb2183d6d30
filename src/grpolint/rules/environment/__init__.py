"""Rules on the environment of the run."""
