#!/bin/bash
set -e
BATCH=72
uv run rl @ conf/rl.toml --orchestrator.batch-size $BATCH
