#!/bin/bash
# case over a known word, with patterns and fall through.
# unknown: env:D
MODEL=Qwen3-8B
case "$MODEL" in
  Llama*|llama*) TEMPLATE=llama3 ;;
  Qwen[23]-*) TEMPLATE=qwen ;;
  *) TEMPLATE=default ;;
esac
case $TEMPLATE in
  qwen) A=1 ;;&
  q*) B=2 ;&
  zzz) C=3 ;;
  *) D=4 ;;
esac
python train.py --template $TEMPLATE --a "$A" --b "$B" --c "$C" --d "$D"
