"""Logs of healthy runs, in the form of each framework."""

import random

__all__ = ["LOGS"]


def _noise(seed):
    return random.Random(seed)


def verl(steps=40):
    chance = _noise(1)
    lines = [
        "(TaskRunner pid=1234) {'actor_rollout_ref': {'actor': {'ppo_mini_batch_size': 64, 'use_kl_loss': True, 'kl_loss_coef': 0.001}},",
        "(TaskRunner pid=1234)  'data': {'train_batch_size': 256, 'max_response_length': 1024, 'truncation': 'error'}}",
        "(TaskRunner pid=1234) [validate_config] All configuration checks passed successfully!",
        "(TaskRunner pid=1234) Size of train dataloader: 116, Size of val dataloader: 1",
        '(WorkerDict pid=2345) Model config after override: Qwen2Config {"num_attention_heads": 16, "torch_dtype": "bfloat16"}',
        "(WorkerDict pid=2345) Before building vllm rollout, memory allocated (GB): 3.25, memory reserved (GB): 5.0",
        "(WorkerDict pid=2345) INFO 11-02 10:00:00 [gpu_worker.py:98] Sleep mode freed 61.25 GiB memory, 4.38 GiB memory is still in use.",
        "(WorkerDict pid=2345) INFO 11-02 10:00:02 [executor_base.py:226] It took 0.91 seconds to wake up tags ['weights'].",
        "(WorkerDict pid=2345) INFO 11-02 10:00:02 [kv_cache_utils.py:864] Available KV cache memory: 40.21 GiB",
        "(TaskRunner pid=1234) step:0 - val-core/openai/gsm8k/reward/mean@1:0.412",
    ]
    for step in range(1, steps + 1):
        reward = 0.4 + 0.4 * step / steps + chance.uniform(-0.02, 0.02)
        lines.append(
            f"\x1b[36m(TaskRunner pid=1234)\x1b[0m step:{step} - global_seqlen/mean:61120.5 - actor/entropy:{0.42 - 0.2 * step / steps} "
            f"- actor/kl_loss:{0.002 + 0.01 * step / steps} - actor/kl_coef:0.001 - actor/pg_loss:{chance.uniform(-0.02, 0.02)} "
            f"- actor/pg_clipfrac:{chance.uniform(0, 0.01)} - actor/ppo_kl:{chance.uniform(-0.001, 0.001)} "
            f"- actor/grad_norm:np.float64({chance.uniform(0.1, 0.5)}) - actor/lr:1e-06 - perf/max_memory_allocated_gb:44.1 "
            f"- perf/cpu_memory_used_gb:{90 + chance.uniform(0, 2)} - training/rollout_probs_diff_mean:0.003 "
            f"- critic/score/mean:{reward} - critic/score/max:1.0 - critic/score/min:0.0 - critic/rewards/mean:{reward} "
            f"- critic/rewards/max:1.0 - critic/rewards/min:0.0 - critic/advantages/max:2.4 - critic/advantages/min:-2.4 "
            f"- response_length/mean:{300 + chance.uniform(-20, 20)} - response_length/clip_ratio:0.02 - timing_s/step:31.5"
        )
    lines.append("(TaskRunner pid=1234) Training Progress: 100%|##########| 40/40 [20:00<00:00, 30.0s/it]")
    return lines


def trl(steps=40, quoted=False):
    chance = _noise(2)
    lines = [
        "[2026-11-02 10:00:00,123] [INFO] [real_accelerator.py:254:get_accelerator] Setting ds_accelerator to cuda (auto detect)",
        "INFO 11-02 10:00:00 [__init__.py:239] Automatically detected platform cuda.",
        "Loading checkpoint shards: 100%|##########| 2/2 [00:01<00:00,  1.4it/s]",
        "[rank0]:[W1102 10:00:00.000 ProcessGroupNCCL.cpp:4115] Warning: using GPU 0 to perform barrier",
    ]
    for step in range(1, steps + 1):
        values = {
            "loss": 0.0 if step == 1 else chance.uniform(-0.01, 0.01),
            "grad_norm": chance.uniform(0.1, 1.0),
            "learning_rate": 1e-6 * (1 - step / steps) + 1e-9,
            "num_tokens": 1000 * step,
            "completions/mean_length": 200 + chance.uniform(-5, 5),
            "completions/clipped_ratio": 0.05,
            "rewards/accuracy/mean": 0.3 + 0.01 * step,
            "reward": 0.3 + 0.01 * step,
            "reward_std": 0.35,
            "frac_reward_zero_std": 0.25,
            "kl": 0.001 * step,
            "entropy": 0.4 - 0.002 * step,
            "clip_ratio/region_mean": 0.001,
            "sampling/importance_sampling_ratio/mean": 1.001,
            "epoch": step / steps,
        }
        if quoted:
            values = {key: f"{value:.4g}" for key, value in values.items()}
        lines.append(f"  3%|2         | {step}/40 [00:10<05:00,  7.5s/it]\r{values}")
    lines.append("{'train_runtime': 301.2, 'train_samples_per_second': 1.1, 'train_loss': 0.0012, 'epoch': 1.0}")
    return lines


def openrlhf(steps=20):
    chance = _noise(3)
    lines = [
        "(PolicyModelActor pid=99) [2026-11-02 10:00:00,000] [INFO] [config.py:1003:print]   gradient_clipping ............ 1.0"
    ]
    for step in range(1, steps + 1):
        status = {
            "policy_loss": chance.uniform(-0.02, 0.02),
            "actor_lr": 5e-07,
            "reward": 0.2 + 0.01 * step,
            "response_length": 420.0 + chance.uniform(-10, 10),
            "response_clip_ratio": 0.03,
            "kl": 0.01,
            "group_reward_stds": 0.3,
            "actor_grad_norm": 0.4,
            "entropy_loss": 0.5,
        }
        lines.append(f"(PPOTrainer pid=77) 2026-11-02 10:{step:02}:00 INFO ✨ Global step {step}: {status}")
    return lines


def megatron(steps=30):
    chance = _noise(4)
    return [
        f" [2026-11-02 10:{step % 60:02}:00] iteration {step:8d}/    1000 | consumed samples: {step * 256:12d} | elapsed time per iteration (ms): 1800.0 |"
        f" throughput per GPU (TFLOP/s/GPU): 400.1 | learning rate: 1.000000E-06 | global batch size:   256 |"
        f" lm loss: {2 - step / 100:.6E} | load_balancing_loss: 1.000000E+00 | loss scale: 1.0 |"
        f" grad norm: {1.2 + chance.uniform(-0.2, 0.2):.3f} | number of skipped iterations:   0 | number of nan iterations:   0 |"
        for step in range(1, steps + 1)
    ]


def slime(steps=30):
    chance = _noise(5)
    lines = ["[2026-11-02 10:00:00] INFO loading weights; --rollout-temperature 1.0 --rollout-batch-size 32"]
    for step in range(steps):
        rollout = {
            "rollout/raw_reward": 0.2 + step / 60,
            "rollout/truncated_ratio": 0.04,
            "rollout/response_lengths": 900.0 + step,
        }
        train = {
            "train/loss": chance.uniform(-0.01, 0.01),
            "train/pg_loss": 0.01,
            "train/entropy_loss": 0.4,
            "train/pg_clipfrac": 0.001,
            "train/kl_loss": 0.0004,
            "train/grad_norm": 0.2,
            "train/train_rollout_logprob_abs_diff": 0.012,
        }
        lines.append(f"(RolloutManager pid=5) [2026-11-02 10:00:00] rollout_data.py:268 - rollout {step}: {rollout}")
        lines.append(f"(MegatronTrainRayActor pid=6) [2026-11-02 10:00:00] model.py:918 - step {step}: {train}")
    return lines


def deepspeed(steps=30):
    lines = [
        "[2026-11-02 10:00:00,100] [INFO] [config.py:744:__init__] Config mesh_device None world_size = 8",
        "[2026-11-02 10:00:00,100] [INFO] [stage_1_and_2.py:149:__init__] Reduce bucket size 500000000",
        "[2026-11-02 10:00:00,100] [INFO] [utils.py:782:see_memory_usage] MA 3.1 GB         Max_MA 3.1 GB         CA 3.2 GB         Max_CA 3 GB",
        "[2026-11-02 10:00:00,100] [INFO] [utils.py:789:see_memory_usage] CPU Virtual Memory:  used = 92.1 GB, percent = 9.1%",
        "[2026-11-02 10:00:00,100] [INFO] [config.py:1003:print]   bfloat16_enabled ............. True",
        "[2026-11-02 10:00:00,100] [INFO] [config.py:1003:print]   fp16_enabled ................. False",
    ]
    for step in range(10, 10 * steps, 10):
        lines.append(
            f"[2026-11-02 10:01:00,100] [INFO] [logging.py:107:log_dist] [Rank 0] step={step}, skipped=0, lr=[1e-06], mom=[(0.9, 0.95)]"
        )
        lines.append(
            f"[2026-11-02 10:01:00,100] [INFO] [timer.py:264:stop] epoch=0/micro_step={step}/global_step={step}, RunningAvgSamplesPerSec=31.2"
        )
    return lines


def engines():
    return [
        "INFO 11-02 10:00:00 [config.py:716] This model supports multiple tasks: {'generate'}. Defaulting to 'generate'.",
        "INFO 11-02 10:00:00 [scheduler.py:197] Chunked prefill is enabled with max_num_batched_tokens=8192.",
        "INFO 11-02 10:00:00 [gpu_model_runner.py:2104] Model loading took 15.2683 GiB and 3.551872 seconds",
        "INFO 11-02 10:00:00 [kv_cache_utils.py:634] GPU KV cache size: 510,624 tokens",
        "INFO 11-02 10:00:00 [loggers.py:116] Engine 000: Avg prompt throughput: 1.0 tokens/s, Running: 32 reqs, GPU KV cache usage: 31.1%",
        "[2026-11-02 10:00:00 TP0] Memory pool end. avail mem=11.31 GB",
        "[2026-11-02 10:00:00 TP0] Capture cuda graph begin. This can take up to several minutes. avail mem=10.89 GB",
        "[2026-11-02 10:00:00 TP0] Decode batch, #running-req: 31, #token: 52311, token usage: 0.31, cuda graph: True, gen throughput (token/s): 4500.1",
        "2026-11-02 10:00:00,000\tINFO worker.py:1879 -- Started a local Ray instance. View the dashboard at 127.0.0.1:8265",
        "NCCL version 2.27.3+cuda12.9",
        "node1:123:456 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [RO]; OOB eth0:10.0.0.1<0>",
        "W1102 10:00:00.000000 1 torch/distributed/run.py:774] Setting OMP_NUM_THREADS environment variable for each process to be 1",
        "wandb: Run `wandb offline` to turn off syncing.",
    ]


def prose():
    """Samples of responses, which can hold anything that people write."""
    chance = _noise(6)
    words = "so the answer is therefore 42 step 3: we add 7 and 12 ! to get 19, hence \\boxed{19} loss of generality reward for".split()  # noqa: SIM905 - as people write
    return [
        "[prompt] user: What is 7 + 12? How much memory is out there? The loss: nan bread. KeyError: 'x'",
        *(f"[response] {' '.join(chance.choice(words) for _ in range(60))}" for _ in range(50)),
        "[ground_truth] 19",
        "[score] 1.0",
    ]


LOGS = {
    "verl": verl(),
    "trl": trl(),
    "trl quoted": trl(quoted=True),
    "openrlhf": openrlhf(),
    "megatron": megatron(),
    "slime": slime(),
    "deepspeed": deepspeed(),
    "engines": engines(),
    "prose": prose(),
}
"""Lines of each log by its name."""
