#!/bin/bash
python code/train.py
