#!/bin/bash
# Braces make words.
python train.py {a,b}.yaml x{1..3} {01..03} pre{x,y}post "{no,no}" {single} a{,b} {2..6..2}
