#!/bin/bash
# A function with parameters, locals, and a launch inside.
launch() {
  local lr=$1 name="$2"
  shift 2
  python train.py --lr $lr --name "$name" --count $# "$@"
}
lr=outside
launch 1e-6 "two words" --extra 1
function again { launch 2e-6 x; }
again
python after.py --lr $lr
