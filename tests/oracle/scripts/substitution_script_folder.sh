#!/bin/bash
# The folder of the script, in three spellings.
HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
ROOT=$(dirname "$0")
UP=$(realpath "$HERE/..")
python "$HERE/lib/train.py" --config "$HERE/lib/c.yaml" --root "$ROOT" --up "$UP/x"
