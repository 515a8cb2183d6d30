#!/bin/bash
# A script on standard input of bash.
V=out
bash <<'S'
V=in
python train.py --v $V
S
python train.py --v $V
