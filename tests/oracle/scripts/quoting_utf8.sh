#!/bin/bash
# Letters outside ASCII.
NAME="größe-学習"
python train.py --name "$NAME" --len ${#NAME}
