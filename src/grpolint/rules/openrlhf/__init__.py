"""Rules on OpenRLHF."""
