"""Rules: one pure function from a run to findings in each file. Families are folders."""
