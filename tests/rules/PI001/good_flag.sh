#!/bin/bash
set -e
uv run rl @ conf/rl.toml --orchestrator.batch-size 256
