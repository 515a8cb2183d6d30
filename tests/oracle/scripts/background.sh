#!/bin/bash
# Background launches and wait.
python serve.py --port 1 > /dev/null &
PID=$!
wait
python train.py --b
