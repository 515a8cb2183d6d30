#!/bin/bash
# <<- takes tabs away; two here-documents on one line are read in order.
X=$(cat <<-A
	one
	two
	A
)
cat << ONE > /dev/null; cat << 'TWO' > /dev/null
python in_text.py --never
ONE
python in_text.py --never
TWO
python train.py "$X"
