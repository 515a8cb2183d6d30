#!/bin/bash
# Names that end where the letters do.
A=1 A_B=2
python train.py $A-x $A_B ${A}_B $A.B "$A/$A_B" $A$A
