#!/bin/bash
# Quotes and blanks inside a default, quoted and not.
A=${NOTHING:-"two words"}
B="${NOTHING:-two 'quoted' words}"
python train.py --a "$A" --b "$B" ${NOTHING:-one two} "${NOTHING:-one two}"
