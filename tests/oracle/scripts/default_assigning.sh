#!/bin/bash
# := assigns as well.
: "${BATCH:=64}"
: ${TAG:="b${BATCH}"}
python train.py --batch $BATCH --tag $TAG
