#!/bin/bash
python code/fits.py
