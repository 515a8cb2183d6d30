#!/bin/bash
# An array made by splitting; another from a command's words; a copy.
S="a b c"
A=($S)
B=("$S")
C=("${A[@]}" $(echo d e))
python train.py --na ${#A[@]} --nb ${#B[@]} "${C[@]}"
