#!/bin/bash
# uv run with extras and a module.
uv run --isolated --extra vllm -m skyrl_train.entrypoints.main_base trainer.algorithm.advantage_estimator="grpo" trainer.epochs=20 "$@"
uv run --no-sync examples/run_grpo.py --config c.yaml policy.train_global_batch_size=64
