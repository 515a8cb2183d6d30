#!/bin/bash
# A range of one element is still an expansion.
START=0
END=0
for PART in $(eval echo {$START..$END}); do
    python generate.py --partition $PART --seeds {7..7} --names run{3..3}.json '{0..0}' {x}
done
