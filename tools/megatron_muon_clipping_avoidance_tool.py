"""Muon with gradient clipping. The same as `grpolint muon`."""

from _grpolint import run

run("muon")
