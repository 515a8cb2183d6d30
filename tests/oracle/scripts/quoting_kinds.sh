#!/bin/bash
# Single, double, ANSI-C and backslash quoting, glued together.
X=5
python train.py 'single $X' "double $X" $'tab\there' back\ slash mixed'a'"b$X"c \$X "a\$b\"c\\d"
