#!/bin/bash
# A group with its output into a file.
{
  python train.py --a
  python train.py --b
} > /dev/null 2>&1
