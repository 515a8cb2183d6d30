"""The 36 rules of the handbook, as it states them."""
