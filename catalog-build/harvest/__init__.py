"""Harvesters: released packages in, catalog data out. A developer's tool, not shipped."""
