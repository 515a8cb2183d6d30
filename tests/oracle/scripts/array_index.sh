#!/bin/bash
# Items by number, length, slices, all keys.
G=(10 20 30 40)
G[1]=21
G[5]=60
python train.py --first ${G[0]} --second ${G[1]} --last ${G[-1]} --len ${#G[@]} --slice "${G[@]:1:2}" --keys "${!G[@]}"
