#!/bin/bash
# Newlines at the end go away, those inside stay when quoted.
T=$(printf 'a\nb\n\n')
python train.py "$T" $T
