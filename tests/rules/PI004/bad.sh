#!/bin/bash
set -e
uv run rl @ conf/rl.toml --output-dir outputs/rl
