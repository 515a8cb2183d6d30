#!/bin/bash
# Tabs as blanks and between arguments.
	A=1
	python	train.py	--a	$A
