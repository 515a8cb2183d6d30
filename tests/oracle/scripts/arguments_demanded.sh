#!/bin/bash
# Options and empty defaults that a check demands: not empty, only unknown.
if [ -z "$STARTED" ]; then
  STARTED=1 ROOT=/data exec bash "$0" --model Qwen/Qwen3-8B --task grpo
fi
MODEL=""
TASK=""
ROOT=${ROOT:-}
while [[ $# -gt 0 ]]; do
  case $1 in
    --model) MODEL="$2"; shift 2 ;;
    --task) TASK="$2"; shift 2 ;;
    *) exit 1 ;;
  esac
done
if [[ -z "$MODEL" || -z "$TASK" ]]; then echo usage; exit 1; fi
[ -n "$ROOT" ] || exit 2
python train.py --model "$MODEL" --config "recipes/$TASK.yaml" --data "$ROOT/train" --lr 1e-6
