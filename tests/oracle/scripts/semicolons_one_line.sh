#!/bin/bash
# Everything on one line.
A=1; C=; B=$((A+1)); for x in p q; do C=$C$x; done; if [ $B = 2 ]; then D=y; else D=n; fi; python train.py --b $B --c $C --d $D; true
