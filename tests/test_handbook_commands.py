"""Every command line that the handbook prints runs from a checkout, as it stands there."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHORT = (
    '{"zero_stage":2,"gradient_clipping":1.0,"overlap_comm":false,"lora_rank":32,"fsdp_mode":"fsdp1","group_size":8}'
)
LINES = [
    ("cross_framework_grpo_bug_avoidance_matrix.py", "matrix"),
    ("cross_framework_grpo_bug_avoidance_matrix.py", "validate"),
    ("cross_framework_grpo_bug_avoidance_matrix.py", "rtx4090"),
    ("cross_framework_grpo_bug_avoidance_matrix.py", "cross-framework"),
    ("cross_framework_grpo_bug_avoidance_matrix.py", "validate", "--config", SHORT),
    *(("moe_nan_fp32_softmax_avoidance_tool.py", mode) for mode in ("check", "diagnose", "avoid", "rtx4090")),
    *(("megatron_muon_clipping_avoidance_tool.py", mode) for mode in ("check", "diagnose", "avoid", "rtx4090")),
    *(("fsdp1_vs_fsdp2_decision_guide.py", mode) for mode in ("guide", "compare", "validate", "rtx4090")),
    ("deepspeed_zero_safety_checker.py", "--mode", "check", "--config", "{config}"),
    ("deepspeed_zero_safety_checker.py", "--mode", "diagnose", "--symptoms", "loss is nan from step 1"),
    ("deepspeed_zero_safety_checker.py", "--mode", "rtx4090"),
]


@pytest.mark.parametrize("line", LINES, ids=lambda line: " ".join(line)[:60])
def test_it_runs(line, tmp_path):
    config = tmp_path / "ds.json"
    config.write_text('{"zero_optimization": {"stage": 2}, "train_batch_size": 8, "bf16": {"enabled": true}}')
    words = [word.replace("{config}", str(config)) for word in line]
    done = subprocess.run(
        [sys.executable, f"tools/{words[0]}", *words[1:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout.strip()
    assert "Traceback" not in done.stderr
