"""NeMo-RL: programs and their configurations, files that inherit, overrides, what is recognised and what stays unknown."""

from __future__ import annotations

from pathlib import Path

import pytest
from framework_runs import fact

from grpolint.documents.source import read_source
from grpolint.facts import FACTS
from grpolint.reader import read
from grpolint.values import Default, Unknown
from grpolint.world import Supplied


@pytest.fixture(autouse=True)
def _project(tmp_path: Path) -> None:
    """The folder is a project's root: files above the one that is read are looked at."""
    (tmp_path / ".git").mkdir()


RELEASE = Supplied(versions={"nemo-rl": "0.7.0"})
EXAMPLE = "uv run examples/run_grpo.py --config examples/configs/grpo_math_8B.yaml"
BASE = """\
grpo:
  num_prompts_per_step: 32
  num_generations_per_prompt: 8
  adv_estimator: {name: grpo}
loss_fn: {reference_policy_kl_penalty: 0.0, ratio_clip_min: 0.2}
policy:
  model_name: Qwen/Qwen3-8B
  train_global_batch_size: 128
  train_micro_batch_size: 2
  logprob_batch_size: ${policy.train_micro_batch_size}
  max_total_sequence_length: 4096
  precision: bfloat16
  max_grad_norm: 1.0
  dtensor_cfg: {enabled: true, tensor_parallel_size: 2, context_parallel_size: 1, cpu_offload: false}
  megatron_cfg: {enabled: false}
  dynamic_batching:
    enabled: false
    train_mb_tokens: ${mul:${policy.max_total_sequence_length}, ${policy.train_micro_batch_size}}
  sequence_packing: {enabled: false}
  optimizer: {name: torch.optim.AdamW, kwargs: {lr: 1.0e-6}}
  generation:
    backend: vllm
    max_new_tokens: ${policy.max_total_sequence_length}
    vllm_cfg:
      tensor_parallel_size: 2
      gpu_memory_utilization: 0.5
      max_model_len: ${policy.max_total_sequence_length}
      precision: ${policy.precision}
      enforce_eager: false
    colocated: {enabled: true, resources: {gpus_per_node: null, num_nodes: null}}
checkpointing: {enabled: true, save_period: 20}
cluster: {gpus_per_node: 8, num_nodes: 2}
"""


def run_of(folder: Path, script: str, supplied: Supplied = RELEASE):
    """The run that a script in that folder starts."""
    (folder / "run.sh").write_text(script)
    (run,) = read(read_source(folder / "run.sh"), supplied).runs
    return run


def known(run, name: str, key: str):
    """What is known of an option."""
    return run.value(name, key).value


def yaml_run(folder: Path, name: str, text: str, supplied: Supplied = RELEASE):
    """The run of a configuration on its own."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    (run,) = read(read_source(path), supplied).runs
    return run


def test_released_configuration_by_name(tmp_path: Path) -> None:
    """A checkout is not needed for what a release ships; what it says is a default of the release."""
    run = run_of(tmp_path, f"{EXAMPLE} cluster.num_nodes=2 policy.train_global_batch_size=1024\n")
    assert run.trainer == "nemo-rl"
    assert (fact(run, "world_size"), fact(run, "group_size"), fact(run, "mini_batch_prompts")) == (16, 32, 32)
    assert fact(run, "context_length") == 4096
    assert isinstance(run.value("nemo-rl", "grpo.num_prompts_per_step"), Default)
    assert known(run, "nemo-rl", "policy.train_global_batch_size") == 1024
    assert not run.complaints


def test_no_configuration_is_the_programs_own(tmp_path: Path) -> None:
    """`run_sft.py` alone starts from sft.yaml."""
    run = run_of(tmp_path, "uv run examples/run_sft.py policy.model_name=Qwen/Qwen3-0.6B cluster.gpus_per_node=4\n")
    assert fact(run, "trainer_kind") == "sft"
    assert fact(run, "world_size") == 4
    assert run.fact("group_size") is None


def test_complete_configuration(tmp_path: Path) -> None:
    """Facts of DTensor: batches in samples, DP without the tensor parallel devices, resolvers of NeMo-RL's own."""
    run = yaml_run(tmp_path, "grpo.yaml", BASE)
    wanted = {
        "nodes": 2,
        "gpus_per_node": 8,
        "world_size": 16,
        "tp": 2,
        "dp": 8,
        "engine": "fsdp2",
        "group_size": 8,
        "advantage": "grpo",
        "group_relative": True,
        "train_batch_samples": 256,
        "mini_batch_prompts": 16,
        "micro_batch_per_gpu": 2,
        "gradient_accumulation": 8,
        "dynamic_batch": False,
        "kl_in_loss": False,
        "optimizer": "adamw",
        "learning_rate": 1e-6,
        "clip_norm": 1.0,
        "precision": "bf16",
        "rollout_engine": "vllm",
        "rollout_tp": 2,
        "rollout_memory": 0.5,
        "rollout_dtype": "bfloat16",
        "rollout_colocated": True,
        "context_length": 4096,
        "lora_rank": 0,
        "save_every": 20,
    }
    assert {name: fact(run, name) for name in wanted} == wanted
    assert known(run, "nemo-rl", "policy.dynamic_batching.train_mb_tokens") == 8192
    assert run.value("vllm", "tensor_parallel_size") is not None


@pytest.mark.parametrize(
    ("child", "engine", "dp"),
    [
        (
            "policy: {dtensor_cfg: {enabled: false}, megatron_cfg: {enabled: true, tensor_model_parallel_size: 4, pipeline_model_parallel_size: 2}}",
            "megatron",
            2,
        ),
        ("policy: {dtensor_cfg: {context_parallel_size: 2}}", "fsdp2", 4),
        (
            "policy: {generation: {colocated: {enabled: false, resources: {num_nodes: 1, gpus_per_node: 8}}}}",
            "fsdp2",
            4,
        ),
    ],
)
def test_inheritance(tmp_path: Path, child: str, engine: str, dp: int) -> None:
    """A child changes what it says, relative to its own folder, over several generations."""
    (tmp_path / "base.yaml").write_text(BASE)
    (tmp_path / "recipes").mkdir()
    (tmp_path / "recipes/middle.yaml").write_text("defaults: ../base.yaml\ngrpo: {num_generations_per_prompt: 16}\n")
    run = yaml_run(
        tmp_path, "recipes/deep/leaf.yaml", f"defaults: ../middle.yaml\n{child}\ncheckpointing: {{save_period: 5}}\n"
    )
    assert (fact(run, "engine"), fact(run, "dp"), fact(run, "group_size"), fact(run, "save_every")) == (
        engine,
        dp,
        16,
        5,
    )


def test_several_parents_and_replaced_sections(tmp_path: Path) -> None:
    """The last parent wins; `_override_` drops what was inherited below a section."""
    (tmp_path / "base.yaml").write_text(BASE)
    (tmp_path / "size.yaml").write_text("grpo: {num_generations_per_prompt: 4}\ncluster: {num_nodes: 1}\n")
    run = yaml_run(
        tmp_path,
        "leaf.yaml",
        "defaults: [base.yaml, size.yaml]\ngrpo: {num_prompts_per_step: 8}\n"
        "checkpointing:\n  _override_: true\n  enabled: false\npolicy: {train_global_batch_size: 32}\n",
    )
    assert (fact(run, "group_size"), fact(run, "world_size"), fact(run, "save_every")) == (4, 8, None)
    assert run.value("nemo-rl", "checkpointing.save_period") is None


def test_copy_of_a_released_file_counts_as_the_release(tmp_path: Path) -> None:
    """Of an inherited copy only what was changed in it is somebody's setting."""
    from grpolint.catalog import config_files

    text = config_files("nemo-rl", "0.7.0")["sft.yaml"].text.replace('"num_nodes": 1', '"num_nodes": 3')
    (tmp_path / "examples/configs").mkdir(parents=True)
    (tmp_path / "examples/configs/sft.yaml").write_text(text)
    run = yaml_run(
        tmp_path,
        "examples/configs/recipes/mine.yaml",
        "defaults: ../sft.yaml\nsft: {max_num_steps: 5}\npolicy: {train_global_batch_size: 32}\n",
    )
    assert isinstance(run.value("nemo-rl", "policy.train_micro_batch_size"), Default)
    assert {setting.key for setting in run.settings["nemo-rl"]} == {
        "cluster.num_nodes",
        "policy.train_global_batch_size",
        "sft.max_num_steps",
    }


def test_parent_that_is_not_there_leaves_everything_else_unknown(tmp_path: Path) -> None:
    """No guess from the file that is there alone."""
    run = yaml_run(
        tmp_path, "x.yaml", "defaults: ../lab/base.yaml\ngrpo: {num_prompts_per_step: 8}\ncluster: {num_nodes: 2}\n"
    )
    assert fact(run, "nodes") == 2
    assert isinstance(run.fact("gpus_per_node"), Unknown)
    assert run.settings["nemo-rl"].open_reason == "file:../lab/base.yaml"


def test_parents_in_a_circle_are_refused(tmp_path: Path) -> None:
    """They end in a complaint, not in a crash."""
    (tmp_path / "a.yaml").write_text("defaults: b.yaml\ngrpo: {num_prompts_per_step: 8}\ncluster: {num_nodes: 2}\n")
    (tmp_path / "b.yaml").write_text("defaults: a.yaml\n")
    (run,) = read(read_source(tmp_path / "a.yaml"), RELEASE).runs
    assert [each.kind for each in run.complaints] == ["bad-config"]


def test_overrides_set_only_what_is_there(tmp_path: Path) -> None:
    """A key that no file has is refused without a plus; the value counts for everything else all the same."""
    (tmp_path / "base.yaml").write_text(BASE)
    run = run_of(
        tmp_path,
        "python examples/run_grpo.py --config=base.yaml grpo.num_generations_per_promt=4 +policy.logprob_chunk_size=1024"
        " ++cluster.num_nodes=4 policy.generation.vllm_cfg.precision=fp8\n",
        supplied=RELEASE,
    )
    (complaint,) = run.complaints
    assert (complaint.kind, complaint.key, complaint.suggestion, complaint.certain) == (
        "unknown-key",
        "grpo.num_generations_per_promt",
        "grpo.num_generations_per_prompt",
        True,
    )
    assert (fact(run, "world_size"), fact(run, "rollout_dtype")) == (32, "bfloat16")
    assert known(run, "nemo-rl", "policy.logprob_chunk_size") == 1024


@pytest.mark.parametrize(
    "script",
    [
        "uv run examples/run_grpo.py --config $CONFIG cluster.num_nodes=2 policy.train_global_batch_size=64\n",
        "uv run examples/run_grpo.py --config recipes/mine.yaml cluster.num_nodes=2 policy.train_global_batch_size=64\n",
        f"{EXAMPLE} policy.train_global_batch_size=64 cluster.num_nodes=2 $EXTRA\n",
    ],
)
def test_what_is_not_known_stays_unknown(tmp_path: Path, script: str) -> None:
    """A configuration behind a variable, one that is not there, words that may hide overrides."""
    run = run_of(tmp_path, script)
    assert fact(run, "nodes") == 2
    assert isinstance(run.fact("group_size"), Unknown)


def test_value_behind_a_variable(tmp_path: Path) -> None:
    """One unknown value leaves the others known."""
    run = run_of(tmp_path, f"{EXAMPLE} grpo.num_generations_per_prompt=$N\n")
    assert isinstance(run.fact("group_size"), Unknown)
    assert fact(run, "world_size") == 8


def test_devices_of_a_reward_model_are_not_guessed(tmp_path: Path) -> None:
    """Where an environment takes devices the trainer's are not computed here."""
    run = yaml_run(
        tmp_path,
        "rm.yaml",
        BASE + "env: {reward_model: {enabled: true, resources: {gpus_per_node: 8, num_nodes: 1}}}\n",
    )
    assert isinstance(run.fact("world_size"), Unknown)
    assert fact(run, "nodes") == 2


def test_overridden_positions_reach_vllm(tmp_path: Path) -> None:
    """`hf_config_overrides` is what vLLM gets as hf_overrides."""
    run = yaml_run(
        tmp_path,
        "grpo.yaml",
        BASE.replace("  precision:", "  hf_config_overrides: {max_position_embeddings: 65536}\n  precision:", 1),
    )
    assert run.setting("vllm", "hf_overrides") is not None


@pytest.mark.parametrize(
    "text",
    [
        "defaults: [ppo_trainer, _self_]\ngrpo: {x: 1}\ncluster: {num_nodes: 1}\n",
        "defaults: base.yaml\ndata: {train_files: x}\n",
        "policy: {model_name: gpt2}\ngrpo: {num_generations: 8}\n",
        "grpo: {beta: 0.0}\ncluster: {num_nodes: 1}\n",
        "actor: {path: x}\ngrpo: {x: 1}\npolicy: {train_global_batch_size: 8, dtensor_cfg: {enabled: true}}\n",
    ],
)
def test_other_configurations_are_not_taken(tmp_path: Path, text: str) -> None:
    """Files that share a few words."""
    path = tmp_path / "x.yaml"
    path.write_text(text)
    runs = read(read_source(path)).runs
    assert [run.trainer for run in runs if run.trainer == "nemo-rl"] == []


@pytest.mark.parametrize(
    "command",
    [
        "python run_grpo.py --config config.yaml --lr 1e-6",
        "python examples/run_grpo.py --model_name_or_path Qwen/Qwen3-8B --num_generations 8",
        "python train.py cluster.num_nodes=2",
        "python tools/config_cli.py expand examples/configs/grpo_math_1B.yaml",
    ],
)
def test_other_programs_are_not_taken(tmp_path: Path, command: str) -> None:
    """Programs of that name, or with one such option."""
    path = tmp_path / "run.sh"
    path.write_text(command + "\n")
    assert [run.trainer for run in read(read_source(path)).runs if run.trainer == "nemo-rl"] == []


def test_spelling(tmp_path: Path) -> None:
    """An override where the configuration has the key, with `++` where it has not; a line of YAML in a file."""
    from grpolint.frameworks.registry import framework

    nemo = framework("nemo-rl")
    run = run_of(tmp_path, f"{EXAMPLE} grpo.num_generations_per_prompt=1\n")
    assert nemo.spell(
        "grpo.num_generations_per_prompt", 8, run.setting("nemo-rl", "grpo.num_generations_per_prompt"), run
    ) == ("grpo.num_generations_per_prompt=8")
    assert nemo.spell("policy.train_global_batch_size", 256, None, run) == "policy.train_global_batch_size=256"
    assert nemo.spell("policy.new", 1, None, run) == "++policy.new=1"
    alone = yaml_run(tmp_path, "grpo.yaml", BASE)
    assert nemo.spell("cluster.num_nodes", 4, alone.setting("nemo-rl", "cluster.num_nodes"), alone) == "num_nodes: 4"


def test_every_fact_is_declared_and_answers(tmp_path: Path) -> None:
    """No provider has a name that nobody can ask for, and none raises."""
    run = yaml_run(tmp_path, "grpo.yaml", BASE)
    assert {name for provider in run.providers for name in provider} <= set(FACTS)
    for name in FACTS:
        run.fact(name)


@pytest.mark.parametrize(
    ("script", "size"),
    [
        ('N=2\nCOMMAND="{0} cluster.num_nodes=$N" CONTAINER=x sbatch --nodes=2 ray.sub\n', 16),
        ("export COMMAND='{0} cluster.num_nodes=3'\nsbatch --nodes=3 /opt/nemo/ray.sub\n", 24),
    ],
)
def test_command_of_a_batch_job(tmp_path: Path, script: str, size: int) -> None:
    """`ray.sub` starts Ray on all machines and runs what COMMAND says."""
    run = run_of(tmp_path, script.format(EXAMPLE))
    assert fact(run, "world_size") == size


def test_command_that_does_not_reach_the_job(tmp_path: Path) -> None:
    """It is not exported, or the job script is another one."""
    for script in (f"COMMAND='{EXAMPLE}'\nsbatch ray.sub\n", f"COMMAND='{EXAMPLE}' sbatch job.sub\n"):
        (tmp_path / "run.sh").write_text(script)
        assert not read(read_source(tmp_path / "run.sh"), RELEASE).runs
