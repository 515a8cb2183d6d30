#!/bin/bash
# Tests for emptiness of variables that nobody sets.
# unknown: env:R
if [ -z "$CUSTOM" ]; then CUSTOM=default; fi
if [[ -n "${RESUME:-}" ]]; then R="--resume $RESUME"; fi
if [[ -z ${OTHER+x} ]]; then O=unset; fi
if [ ! -v NOPE ]; then V=no; fi
python train.py --custom $CUSTOM $R --other $O --v $V
