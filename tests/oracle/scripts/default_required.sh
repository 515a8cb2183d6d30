#!/bin/bash
# :? lets the script go on when the variable is there.
RUN_NAME=first
python train.py --name "${RUN_NAME:?give a name}"
