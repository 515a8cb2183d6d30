"""Rules on ms-swift."""
