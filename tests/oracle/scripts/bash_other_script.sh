#!/bin/bash
# Another script is run with arguments and with what is exported.
export FROM_OUTSIDE=yes
HIDDEN=1
bash lib/child.sh 1e-6 "a b"
