#!/bin/bash
# Quotes inside a substitution inside quotes.
P="/a b/c d.txt"
python train.py "$(basename "$(dirname "$P")")" "${X:-"$(basename "$P")"}"
