#!/bin/bash
# A script started by its path.
# unknown: env:FROM_OUTSIDE
./lib/child.sh 2e-6 c
