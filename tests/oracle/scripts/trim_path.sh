#!/bin/bash
# Folder and base name by trimming.
P=/models/Qwen/Qwen3-8B.tar.gz
python train.py --base ${P##*/} --dir ${P%/*} --stem "${P%%.*}" --tail ${P#*/} --ext ${P##*.} --none ${P#zzz}
