"""FSDP1 or FSDP2. The same as `grpolint fsdp`."""

from _grpolint import run

run("fsdp")
