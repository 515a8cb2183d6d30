#!/bin/bash
# Shell options do not change values.
set -euxo pipefail
shopt -s nullglob
ulimit -n 1024 2> /dev/null
trap 'echo bye' EXIT
python train.py --a ${UNSET:-1}
