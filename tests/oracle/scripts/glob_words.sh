#!/bin/bash
# Patterns that match nothing stay as written; in assignments they are never expanded.
P=none_such_*.yaml
python train.py --p "$P" none_such_?.txt --q 'x*'
