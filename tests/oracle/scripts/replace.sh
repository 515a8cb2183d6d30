#!/bin/bash
# Replacing once, everywhere, at the ends, with nothing.
S=a/b/c-a
python train.py "${S/a/X}" "${S//a/X}" "${S/#a/X}" "${S/%a/X}" "${S//\//_}" "${S//-a}" "${S//[bc]/?}"
