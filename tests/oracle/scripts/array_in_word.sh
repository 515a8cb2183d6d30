#!/bin/bash
# Text glued to the edges of an array's items.
F=(one two)
python train.py "x${F[@]}y" "${F[@]/#/--file=}" "${F[@]%e}"
