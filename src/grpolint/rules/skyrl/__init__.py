"""Rules on SkyRL."""
