"""Text to positioned documents: one module per language. Nothing here knows of frameworks or rules."""
