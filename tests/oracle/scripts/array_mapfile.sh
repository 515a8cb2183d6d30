#!/bin/bash
# mapfile from a here-document.
mapfile -t LINES <<END
--alpha 1
--beta 2
END
python train.py "${LINES[0]}" ${LINES[1]}
