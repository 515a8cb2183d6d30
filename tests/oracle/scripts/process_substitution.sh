#!/bin/bash
# Process substitution is a path nobody knows, the rest is known.
# unknown: command:<(
python train.py --file <(echo x) --b 2
