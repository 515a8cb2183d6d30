#!/bin/bash
# Commented launches and launches in strings do not run.
# python never.py --a
: '
python never.py --b
'
echo "python never.py --c"
HELP="python never.py --d"
python train.py --e
