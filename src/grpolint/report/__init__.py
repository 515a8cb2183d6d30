"""Reports: one file per format. They know nothing of frameworks, and of rules only what a rule says of itself."""
