"""What `grpolint lab` prints: one module for each subject, each with `report(...) -> Report`."""
