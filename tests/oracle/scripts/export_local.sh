#!/bin/bash
# A local variable is exported when the one it hides is.
export STAGE=outer
PLAIN=outer
run() {
  local STAGE=inner PLAIN=inner
  STAGE="${STAGE}2"
  python train.py --plain $PLAIN
}
run
python train.py --stage $STAGE --plain $PLAIN
