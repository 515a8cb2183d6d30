#!/bin/bash
# Argument parsing: without arguments the defaults count.
LR=1e-6
DEBUG=0
while [[ $# -gt 0 ]]; do
  case "$1" in
    --lr) LR="$2"; shift 2 ;;
    --debug) DEBUG=1; shift ;;
    *) echo "unknown $1"; exit 1 ;;
  esac
done
python train.py --lr $LR --debug $DEBUG
