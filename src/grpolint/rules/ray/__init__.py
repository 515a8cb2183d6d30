"""Rules on Ray: its cluster, its jobs, what its workers inherit."""
