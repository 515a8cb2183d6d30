#!/bin/bash
# The dot, by the folder idiom, with an environment for it alone.
DIR="$( cd "$( dirname "${BASH_SOURCE[0]}" )" &> /dev/null && pwd )"
LAYERS=48 . "$DIR/lib/model.sh"
python3 train.py ${MODEL_ARGS[@]}
