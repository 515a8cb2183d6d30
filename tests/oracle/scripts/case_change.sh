#!/bin/bash
# Upper and lower case.
M=QwenVL
python train.py ${M,,} ${M^^} ${M,} ${M^} ${M,,[Q]}
