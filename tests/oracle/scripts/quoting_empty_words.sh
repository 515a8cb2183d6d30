#!/bin/bash
# Empty words survive when quoted.
E=""
python train.py "" '' "$E" --x="" --y=$E end
