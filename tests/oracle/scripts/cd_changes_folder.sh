#!/bin/bash
# The working folder of a launch.
cd lib
python train.py --here
cd ..
(cd lib && python train.py --sub)
python train.py --back
