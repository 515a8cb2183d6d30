#!/bin/bash
set -e
NAME=rlvr
python examples/start_rlvr_pipeline.py --config_path conf --config_name $NAME
