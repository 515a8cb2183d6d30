#!/bin/bash
# dirname, basename, pwd and the folder of the script.
P=/data/models/qwen.bin
python train.py --d $(dirname $P) --b "$(basename "$P" .bin)" --dd $(dirname $(dirname $P)) --bb $(basename /x/y/)
