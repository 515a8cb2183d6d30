#!/bin/bash
# getopts: without arguments the defaults count.
N=4
while getopts "n:h" opt; do
  case $opt in
    n) N=$OPTARG ;;
    h) exit 0 ;;
  esac
done
shift $((OPTIND - 1))
python train.py --n $N "$@"
