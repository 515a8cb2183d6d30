#!/bin/bash
# Values glued with equal signs, and with blanks in them.
TITLE="My Run"
python train.py --title="$TITLE" --a=b=c --json='{"k": [1, 2]}' --path=/x:$TITLE
