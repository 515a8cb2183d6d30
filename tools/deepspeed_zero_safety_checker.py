"""Safety of DeepSpeed ZeRO configurations. The same as `grpolint zero`."""

from _grpolint import run

run("zero")
