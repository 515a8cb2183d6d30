"""Harvesters: released packages to catalog data. Not shipped."""
