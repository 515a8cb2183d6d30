"""Rules on axolotl."""
