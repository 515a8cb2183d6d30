#!/bin/bash
# A command string assembled in pieces.
cmd="python train.py"
cmd+=" --a 1"
if [ -n "${EXTRA_FLAG:-}" ]; then cmd="$cmd $EXTRA_FLAG"; fi
cmd="$cmd --b 2"
echo "$cmd"
$cmd
