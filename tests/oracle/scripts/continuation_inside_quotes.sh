#!/bin/bash
# Line breaks and continuations inside double and single quotes.
python train.py --note "first half \
second half" --raw 'kept \
as is' --last "a
b"
