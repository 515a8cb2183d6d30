"""The matrix of frameworks and classes of faults, and the 36 rules on a configuration. The same as `grpolint matrix`."""

from _grpolint import run

run("matrix")
