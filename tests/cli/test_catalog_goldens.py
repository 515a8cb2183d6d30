"""The texts of `options`, `upgrade` and `compare` as people see them, character by character."""

from pathlib import Path

import pytest

from grpolint.cli.main import main

HERE = Path(__file__).parent / "golden"

OPENRLHF = """\
#!/bin/bash
ray job submit --address="http://127.0.0.1:8265" -- python3 -m openrlhf.cli.train_ppo_ray \\
   --pretrain Qwen/Qwen3-4B \\
   --prompt_data OpenRLHF/prompts \\
   --n_samples_per_prompt 8 \\
   --advantage_estimator group_norm \\
   --zero_stage 3 \\
   --flash_attn \\
   --vllm_num_engines 4
"""
TRL = """\
export NCCL_DEBUG={debug}
trl grpo --model_name_or_path Qwen/Qwen3-4B --dataset_name d --output_dir out \\
    --num_generations {group} --per_device_train_batch_size 8 --bf16 true
"""
CASES = {
    "options": ["options", "verl==0.9.1", "actor_rollout_ref.rollout.n", "--table", "ppo_trainer"],
    "options_renamed": ["options", "verl==0.9.1", "actor_rollout_ref.rollout.skip_rollout", "--table", "ppo_trainer"],
    "options_list": ["options", "trl==1.16.0", "*vllm_gpu*", "--table", "GRPOConfig"],
    "upgrade_openrlhf": ["upgrade", "openrlhf.sh", "--to", "openrlhf==0.11.2"],
    "upgrade_trl": ["upgrade", "one.sh", "--from", "trl==0.18.0", "--to", "trl==1.16.0"],
    "compare": ["compare", "one.sh", "two.sh", "--with", "trl==1.16.0", "--with", "transformers==5.24.0"],
}


@pytest.mark.parametrize("name", CASES)
def test_text(name, folder, capsys, monkeypatch, golden):
    folder(openrlhf_sh=OPENRLHF, one_sh=TRL.format(debug="INFO", group=8), two_sh=TRL.format(debug="WARN", group=4))
    monkeypatch.setenv("NO_COLOR", "1")
    main(CASES[name])
    captured = capsys.readouterr()
    assert captured.err == ""
    golden(captured.out, HERE / f"{name}.txt")
