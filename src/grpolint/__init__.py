"""grpolint: reads RL post-training launch files and says what will go wrong before a GPU is taken."""

__version__ = "0.1.0"
