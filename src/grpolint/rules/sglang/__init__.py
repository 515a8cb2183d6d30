"""Rules on SGLang."""
