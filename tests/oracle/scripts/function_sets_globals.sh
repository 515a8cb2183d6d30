#!/bin/bash
# A function that sets variables of the script, returns early, exports.
setup() {
  TP=4
  export VLLM_USE_V1=1
  [ $TP -gt 2 ] && return 0
  TP=1
}
setup
python train.py --tp $TP
