#!/bin/bash
set -e
uv run rl @ conf/rl.toml --slurm.job-name rl
