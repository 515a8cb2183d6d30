#!/bin/bash
# pushd and popd.
pushd lib > /dev/null
python train.py --in
popd > /dev/null
python train.py --out
