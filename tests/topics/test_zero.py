"""`grpolint zero`: configurations that fit, stages and keys explained, DeepSpeed settings checked through every door."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from grpolint.catalog import table, versions
from grpolint.check import check
from grpolint.cli.main import main
from grpolint.documents.source import Source
from grpolint.hardware import GPUS, find_gpu
from grpolint.models import architectures, find_model
from grpolint.reader import read
from grpolint.run import Hardware
from grpolint.topics.base import Asked
from grpolint.topics.zero import TOPIC
from grpolint.topics.zero_config import Impossible, Wanted, choose
from grpolint.topics.zero_memory import GIB, PLACEMENTS, Placement, Size, host, items, peak, size_of
from grpolint.topics.zero_stages import KEYS, STAGES, placements, stage_of
from grpolint.world import Supplied

RELEASES = versions("deepspeed")
GOLDEN = Path(__file__).parent / "golden"


def chosen(gpu="rtx4090", model="Qwen2.5-7B-Instruct", lora=0, **wanted):
    return choose(Wanted(find_gpu(gpu), size_of(find_model(model), lora), **wanted))


# the arithmetic


@pytest.mark.parametrize("ranks", [1, 2, 8, 64])
def test_mixed_precision_adam_is_sixteen_bytes_a_parameter(ranks):
    n = 1_000_000

    def standing(stage):
        found = items(Size(n, n), Placement(stage), ranks, muon=False, accumulates=True, bucket=1)
        return sum(each.device for each in found if not each.passing) - 2  # the bucket

    assert standing(0) == 16 * n
    assert standing(1) == (4 + 12 / ranks) * n
    assert standing(2) == (2 + 14 / ranks) * n
    assert standing(3) == 16 / ranks * n


def test_offload_moves_states_to_the_host_and_adds_what_the_way_needs():
    n, ranks = 1_000_000, 4
    found = items(Size(n, n, 1000), Placement(2, optimizer=True), ranks, muon=False, accumulates=False, bucket=1)
    assert host(found) == (4 + 8 + 4 + 2) * n / ranks
    assert sum(each.device for each in found) == 2 * n + 2 * 1000 + 2
    several = items(Size(n, n, 1000), Placement(2, optimizer=True), ranks, muon=False, accumulates=True, bucket=1)
    assert host(several) - host(found) == 2 * n / ranks  # the sum of the micro batches
    away = items(
        Size(n, n), Placement(3, optimizer=True, parameters=True), ranks, muon=False, accumulates=True, bucket=1
    )
    assert sum(each.device for each in away if not each.passing) == 2
    assert host(away) == (2 + 2 + 4 + 8 + 4) * n / ranks


def test_lora_has_states_for_the_adapters_only():
    size = size_of(find_model("qwen2.5-7b"), 32)
    found = items(size, Placement(2), 1, muon=False, accumulates=True, bucket=1)
    assert size.trained < size.total / 50
    assert sum(each.device for each in found if not each.passing) == 2 * size.total + 14 * size.trained + 2


def test_muon_keeps_one_moment_of_its_matrices():
    size = size_of(find_model("qwen2.5-7b"), 0)
    muon, adam = (
        sum(each.device for each in items(size, Placement(2), 1, muon=on, accumulates=True, bucket=1))
        for on in (True, False)
    )
    assert adam - muon == 4 * (size.trained - size.adam)


@given(
    st.sampled_from(PLACEMENTS),
    st.integers(1, 512),
    st.integers(1, 10**12),
    st.booleans(),
    st.booleans(),
)
def test_more_ranks_never_need_more(at, ranks, total, muon, accumulates):
    few, many = (
        items(Size(total, total), at, each, muon=muon, accumulates=accumulates, bucket=10**6)
        for each in (ranks, 2 * ranks)
    )
    assert peak(many) <= peak(few)
    assert host(many) <= host(few)


# generate


def test_one_small_card_offloads_to_the_host():
    found = chosen()
    zero = found.config["zero_optimization"]
    assert (zero["stage"], zero["overlap_comm"]) == (2, False)
    assert zero["offload_optimizer"]["device"] == "cpu"
    assert found.config["gradient_clipping"] == 1.0
    assert found.config["bf16"] == {"enabled": True}
    assert found.device <= found.room < 24 * GIB
    assert found.host == 18 * find_model("qwen2.5-7b").parameters


def test_lora_fits_without_offload():
    zero = chosen(lora=32).config["zero_optimization"]
    assert zero["stage"] == 2
    assert "offload_optimizer" not in zero


def test_many_cards_shard_the_weights_before_the_host_takes_states():
    assert chosen("h100", ranks=8).placement == Placement(2)
    assert chosen("h100", "Qwen2.5-32B", ranks=16).placement == Placement(3)
    assert chosen("h100", "Qwen2.5-32B", ranks=8).placement.optimizer


def test_old_cards_train_in_fp16():
    found = chosen("v100", ranks=8)
    assert found.config["fp16"] == {"enabled": True}
    assert "bf16" not in found.config
    with pytest.raises(Impossible, match=r"compute capability 7\.0, and bf16 needs 8\.0"):
        chosen("v100", precision="bf16")


@pytest.mark.parametrize(
    ("release", "gpus", "says"),
    [
        ("0.17.5", 8, "has no Muon"),
        ("0.18.8", 1, "Muon up to stage 2 only"),
        ("0.19.7", 1, "loses the shape of Muon's matrices"),
        ("0.19.7", 1, "runs Muon once for every micro batch at stage 3"),
    ],
)
def test_releases_that_cannot_do_it_are_refused(release, gpus, says):
    with pytest.raises(Impossible, match=says):
        chosen(ranks=gpus, optimizer="muon", release=release, global_batch=4 * gpus)


def test_lora_at_stage_three_skips_the_release_that_fails():
    wanted = {"gpu": "rtx4090", "model": "Qwen2.5-32B", "lora": 32, "ranks": 8}
    assert chosen(**wanted, release="0.19.3").placement.stage == 3
    with pytest.raises(Impossible, match=r"deepspeed 0\.19\.2 ends in a TypeError with LoRA at stage 3"):
        chosen(**wanted, release="0.19.2")


def test_muon_in_fp16_takes_the_release_that_repairs_it():
    assert chosen("v100", "Qwen2.5-0.5B", ranks=8, optimizer="muon").config["fp16"] == {"enabled": True}
    with pytest.raises(Impossible, match=r"breaks Muon's momentum at the first overflow of fp16"):
        chosen("v100", "Qwen2.5-0.5B", ranks=8, optimizer="muon", release="0.19.7")


def test_muon_is_not_clipped_and_reduced_whole_where_it_must_be():
    old, new = (chosen("h200", ranks=8, optimizer="muon", release=each).config for each in ("0.19.2", "0.19.8"))
    assert old["gradient_clipping"] == new["gradient_clipping"] == 0.0
    assert (old["zero_optimization"]["reduce_scatter"], new["zero_optimization"]["reduce_scatter"]) == (False, True)
    three = chosen("h100", "Qwen2.5-32B", ranks=16, optimizer="muon").config["zero_optimization"]
    assert (three["stage"], three["reduce_scatter"]) == (3, False)


def test_what_does_not_fit_says_so_with_its_numbers():
    with pytest.raises(Impossible, match=r"GiB on each accelerator, and 19\.2 GiB are free"):
        chosen(model="Qwen2.5-32B", host_memory=64)
    with pytest.raises(Impossible, match=r"GiB of host memory on each machine, and it has 64 GiB"):
        chosen(host_memory=64)


def test_batches_must_divide():
    config = chosen("h100", ranks=8, micro_batch=2, global_batch=64).config
    assert [
        config[key] for key in ("train_batch_size", "train_micro_batch_size_per_gpu", "gradient_accumulation_steps")
    ] == [64, 2, 4]
    with pytest.raises(Impossible, match=r"global batch 60 is not a multiple of micro batch 2 \* 8 ranks = 16"):
        chosen("h100", ranks=8, micro_batch=2, global_batch=60)


def keys_of(tree, prefix=""):
    for key, value in tree.items():
        if isinstance(value, dict) and key != "params":
            yield from keys_of(value, f"{prefix}{key}.")
        elif key != "params":
            yield prefix + key


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.tuples(
        st.sampled_from(sorted(GPUS)),
        st.sampled_from(sorted(architectures())),
        st.sampled_from([1, 2, 4, 8, 64]),
        st.sampled_from([0, 16, 64]),
        st.sampled_from(["adamw", "muon"]),
        st.sampled_from(RELEASES),
        st.booleans(),
    )
)
@example(("rtx4090", "qwen2.5-7b", 1, 0, "adamw", RELEASES[0], False))
@example(("b200", "qwen3-30b-a3b", 8, 0, "muon", RELEASES[-1], True))
def test_every_configuration_is_sound(case):
    gpu, model, ranks, lora, optimizer, release, automatic = case
    try:
        found = choose(
            Wanted(
                find_gpu(gpu),
                size_of(find_model(model), lora),
                ranks,
                optimizer=optimizer,
                release=release,
                global_batch=4 * ranks,
                automatic=automatic,
            )
        )
    except Impossible as error:
        assert str(error)
        return
    options = table("deepspeed", "config", release)
    assert [key for key in keys_of(found.config) if key not in options] == []
    assert found.device <= found.room
    nodes = max(1, ranks // 8)
    given_ = Supplied(versions={"deepspeed": release}, hardware=Hardware(find_gpu(gpu).name, ranks // nodes, nodes))
    report = check(read(Source("ds.json", json.dumps(found.config)), given_))
    assert report.reading.runs
    assert [(result.rule, finding.message) for _, result, finding in report.findings()] == []


# the command


def test_generate_prints_a_configuration_and_its_arithmetic(capsys):
    words = ["zero", "generate", "--gpu", "rtx4090", "--model", "Qwen/Qwen2.5-7B-Instruct", "--ranks", "1"]
    assert main(words) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["zero_optimization"]["offload_optimizer"]["device"] == "cpu"
    assert "7,615,616,512 x 4 B, in host memory" in shown.err
    assert "Host memory: 127.7 GiB" in shown.err
    assert main([*words, "--explain"]) == 0
    assert capsys.readouterr().out.startswith(
        "stage 2 with optimizer states in host memory: Qwen/Qwen2.5-7B-Instruct on 1 rank"
    )
    assert main([*words, "--explain", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == "grpolint.zero/1"
    assert data["device"] == sum(each["device"] for each in data["items"] if not each["passing"])


def test_the_arithmetic_as_it_is_shown(capsys, golden):
    words = ["--gpu", "rtx4090", "--model", "Qwen/Qwen2.5-7B-Instruct", "--with", "deepspeed==0.19.8"]
    assert main(["zero", "generate", *words, "--ranks", "4", "--optimizer", "muon", "--explain"]) == 0
    assert main(["zero", "explain", *words, "--ranks", "4"]) == 0
    golden(capsys.readouterr().out, GOLDEN / "zero.txt")


def test_what_generate_writes_passes_check(tmp_path, capsys):
    path = tmp_path / "ds.json"
    words = ["zero", "--mode", "generate", "--gpu", "h100", "--model", "Qwen/Qwen3-8B", "--ranks", "8"]
    assert main([*words, "--output", str(path), "--optimizer", "muon"]) == 0
    assert capsys.readouterr().out == ""
    for mode in (["zero", "check", str(path)], ["zero", "--mode", "check", "--config", str(path)]):
        assert main([*mode, "--with", "deepspeed==0.19.8", "--gpus-per-node", "8", "--nodes", "1"]) == 0
        assert "error" not in capsys.readouterr().out


def test_a_local_architecture_or_a_count_serves_too(tmp_path, capsys):
    config = {
        "hidden_size": 1024,
        "num_hidden_layers": 4,
        "num_attention_heads": 16,
        "num_key_value_heads": 4,
        "intermediate_size": 4096,
        "vocab_size": 32000,
        "model_type": "llama",
    }
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    assert main(["zero", "generate", "--gpu", "t4", "--model", str(tmp_path)]) == 0
    assert '"fp16"' in capsys.readouterr().out
    assert main(["zero", "generate", "--gpu", "b200", "--params", "7.6B"]) == 0
    assert "7,600,000,000 parameters" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--gpu", "rtx4090"], "say for what: --gpu NAME and --model MODEL"),
        (["--gpu", "rtx409", "--model", "Qwen/Qwen3-8B"], "did you mean 'rtx4090'?"),
        (["--gpu", "rtx4090", "--model", "me/unheard-of"], "give its config.json, or --params"),
        (["--gpu", "rtx4090", "--params", "7.6B", "--lora-rank", "8"], "--lora-rank needs the architecture"),
        (["--gpu", "rtx4090", "--params", "much"], "no number of parameters"),
        (["--gpu", "rtx4090", "--model", "Qwen/Qwen3-8B", "--ranks", "0"], "not a whole number above 0"),
        (["--gpu", "rtx4090", "--model", "Qwen/Qwen3-8B", "--output", "/no/such/folder/ds.json"], "cannot be written"),
    ],
)
def test_generate_says_what_is_missing(words, says, capsys):
    assert main(["zero", "generate", *words]) == 2
    assert says in capsys.readouterr().err


def test_generate_ends_with_one_where_nothing_fits(capsys):
    assert main(["zero", "generate", "--gpu", "t4", "--model", "Qwen/Qwen2.5-32B", "--host-memory", "64"]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "do not fit 1 x T4" in shown.err


# explain


@pytest.mark.parametrize(("word", "number"), [("0", 0), ("2", 2), ("stage2", 2), ("ZeRO-3", 3), ("zero1", 1)])
def test_stages_by_any_name(word, number):
    assert stage_of(word).number == number


@pytest.mark.parametrize("word", ["4", "stage", "overlap_comm", ""])
def test_other_words_are_no_stages(word):
    assert stage_of(word) is None


def test_every_key_that_is_explained_exists():
    options = table("deepspeed", "config", RELEASES[-1])
    assert [key for key in KEYS if key not in options] == []
    assert [stage.number for stage in STAGES] == [0, 1, 2, 3]
    assert {at.stage for at in placements()} == {0, 1, 2, 3}


def test_explain_a_key_tells_its_life_in_the_catalog(capsys):
    assert main(["zero", "explain", "gradient_clipping", "--with", "deepspeed==0.19.2"]) == 0
    out = capsys.readouterr().out
    assert "default  0.0" in out
    assert "0.19.3   default 0.0 -> 1.0" in out
    assert "deepspeedai/DeepSpeed#8068" in out
    assert main(["zero", "explain", "overlap_com"]) == 2
    assert "did you mean" in capsys.readouterr().err
    assert main(["zero", "explain", "stage", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["keys"][0]["says"]


def test_explain_a_stage_says_what_fits(capsys):
    words = ["zero", "explain", "2", "--model", "Qwen/Qwen2.5-7B-Instruct", "--ranks", "1", "--gpu", "rtx4090"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "optimizer states and gradients" in out
    assert out.count("does not fit") == 1
    assert "stage 2 with optimizer states in host memory" in out
    assert "stage 3" not in out
    assert main([*words, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["memory"]
    assert [row["fits"] for row in rows] == [False, True]


# every door leads to the rules


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


DOORS = {
    "ds.json": None,
    "initialize.py": 'import deepspeed\nengine = deepspeed.initialize(model=model, config="ds.json")\n',
    "grpo.py": 'from trl import GRPOConfig\nargs = GRPOConfig(output_dir="o", deepspeed="ds.json")\n',
    "arguments.py": "from transformers import TrainingArguments\nargs = TrainingArguments(deepspeed='ds.json')\n",
    "launch.sh": "accelerate launch train.py --deepspeed ds.json --bf16 true\n",
    "deepspeed.sh": "deepspeed --num_gpus 4 train.py --deepspeed ds.json\n",
    "torchrun.sh": "torchrun --nproc_per_node 4 train.py --deepspeed ds.json\n",
    "flags.sh": "accelerate launch --use_deepspeed --deepspeed_config_file ds.json train.py\n",
    "accelerate.yaml": (
        "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\n"
        "deepspeed_config:\n  deepspeed_config_file: ds.json\nnum_processes: 8\n"
    ),
}
WRONG = {"zero_optimization": {"stage": 2, "offload_param": {"device": "cpu"}}, "gradient_cliping": 1.0}


@pytest.mark.parametrize("name", DOORS)
def test_a_file_is_judged_through_every_door(name, here, capsys):
    (here / "ds.json").write_text(json.dumps(WRONG), encoding="utf-8")
    if DOORS[name] is not None:
        (here / name).write_text(DOORS[name], encoding="utf-8")
    assert main(["zero", "check", name, "--with", "deepspeed==0.19.8"]) == 1
    out = capsys.readouterr().out
    assert "warning[DS005] offload-without-effect" in out
    assert "warning[DS004] ignored-top-level-key" in out


@pytest.mark.parametrize(
    ("name", "text", "rule"),
    [
        (
            "mapping.py",
            (
                "from transformers import TrainingArguments\n"
                "ds = {'zero_optimization': {'stage': 2, 'offload_param': {'device': 'cpu'}}, 'gradient_cliping': 1.0}\n"
                "args = TrainingArguments(output_dir='o', deepspeed=ds)\n"
            ),
            "DS004",
        ),
        (
            "section.py",
            (
                "from transformers import TrainingArguments\n"
                "args = TrainingArguments(deepspeed={'zero_optimization': {'stage': 2, 'overlap_com': True}})\n"
            ),
            "CF001",
        ),
        (
            "differs.py",
            (
                "from transformers import TrainingArguments\n"
                "args = TrainingArguments(learning_rate=1e-6, deepspeed={'zero_optimization': {'stage': 2},\n"
                "    'optimizer': {'type': 'AdamW', 'params': {'lr': 0.02}}})\n"
            ),
            "DS007",
        ),
        (
            "accelerate.yaml",
            (
                "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\n"
                "deepspeed_config:\n  zero_stage: 2\n  offload_param_device: cpu\nnum_processes: 8\n"
            ),
            "DS005",
        ),
        ("flags.sh", "accelerate launch --use_deepspeed --zero_stage 2 --offload_param_device cpu my.py\n", "DS005"),
        (
            "openrlhf.sh",
            (
                "python3 -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path Qwen/Qwen3-8B "
                "--ds.zero_stage 2 --actor.optim muon --actor.max_norm 1.0\n"
            ),
            "DS003",
        ),
    ],
)
def test_what_stands_in_the_file_itself_is_judged(name, text, rule, here, capsys):
    (here / name).write_text(text, encoding="utf-8")
    assert main(["zero", "check", name, "--with", "deepspeed==0.19.8", "--with", "openrlhf==0.11.2"]) == 1
    assert f"[{rule}]" in capsys.readouterr().out


def test_arguments_without_a_deepspeed_configuration_are_nobodys():
    text = "from transformers import TrainingArguments\nargs = TrainingArguments(output_dir='o')\n"
    assert read(Source("train.py", text)).runs == ()
    same_name = "from mine import TrainingArguments\nargs = TrainingArguments(deepspeed='ds.json')\n"
    assert read(Source("train.py", same_name)).runs == ()


def test_auto_is_what_the_arguments_say():
    text = (
        "from transformers import TrainingArguments\n"
        "args = TrainingArguments(max_grad_norm=0.5, per_device_train_batch_size=4,\n"
        "    deepspeed={'zero_optimization': {'stage': 2}, 'gradient_clipping': 'auto',\n"
        "               'train_micro_batch_size_per_gpu': 'auto'})\n"
    )
    (run,) = read(Source("train.py", text)).runs
    assert run.fact("clip_norm").value == 0.5
    assert run.fact("micro_batch_per_gpu").value == 4


# advice


@pytest.mark.parametrize("release", RELEASES)
def test_advice_names_keys_of_the_release(release):
    options = table("deepspeed", "config", release)
    for gpu in (None, "v100", "h100"):
        for each in TOPIC.advice(Asked("deepspeed", release, gpu)):
            assert each.change.key in options


def test_advice_for_frameworks():
    assert TOPIC.advice(Asked("verl", "0.9.1")) is None
    old, new = (
        {each.change.key for each in TOPIC.advice(Asked("openrlhf", release))} for release in ("0.9.0", "0.11.2")
    )
    assert old == {"zero_stage", "max_norm"}
    assert new == {"ds.zero_stage", "actor.max_norm"}
    assert any(each.change.key == "fp16.enabled" for each in TOPIC.advice(Asked("deepspeed", "0.19.8", "t4")))
