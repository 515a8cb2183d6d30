#!/bin/bash
# A tilde is the home folder at the start of a word and of a value, not in quotes.
D=~/data
python train.py --data ~/x --d $D --quoted "~/x" --mid a~b
