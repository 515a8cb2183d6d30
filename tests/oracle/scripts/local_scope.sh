#!/bin/bash
# Local variables hide outer ones also for the functions they call.
X=outer
inner() { python train.py --x $X; }
outer() { local X=local; inner; }
outer
inner
