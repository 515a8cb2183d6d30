#!/bin/bash
# Output into tee and files does not matter.
python train.py --a 1 2>&1 | tee run.log > /dev/null
python train.py --b 2 > /dev/null 2> /dev/null
python train.py --c 3 >> /dev/null 2>&1
