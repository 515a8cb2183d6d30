"""Logs: signatures and metrics with their numbers, prefixes, compression, size, and what is no log."""

import bz2
import gzip
import io
import lzma
import sys

import pytest
from clean_logs import LOGS, verl

from grpolint.diagnose import LogError, diagnose, logs, open_log
from grpolint.diagnose.logs import bare
from grpolint.documents.source import Source

OOM = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 13.91 GiB. GPU 0 has a total capacity of 79.15 GiB"


def seen(*lines):
    diagnosis = diagnose(None, [Source("train.log", "\n".join(lines))])
    return {each.symptom.id: each for each in diagnosis.seen}


@pytest.mark.parametrize(
    "prefix",
    [
        "(TaskRunner pid=123) ",
        "\x1b[36m(WorkerDict pid=123, ip=10.0.0.2)\x1b[0m ",
        "[rank3]: ",
        "[rank3]:[2026-11-02 10:00:00,123] ",
        "2026-11-02T10:00:00.123Z ",
        "[default0]:",
        "7: ",
    ],
)
def test_prefixes_are_no_part_of_a_line(prefix):
    assert bare(f"{prefix}step:3 - actor/grad_norm:nan\r\n") == "step:3 - actor/grad_norm:nan"
    found = seen(f"{prefix}step:3 - actor/grad_norm:nan")
    assert "step 3" in found["grad_norm_nan"].text


@pytest.mark.parametrize(
    ("line", "symptom", "numbers"),
    [
        ("step:12 - actor/pg_loss:nan - actor/lr:1e-06", "nan_loss", "step 12"),
        ("step:12 - actor/grad_norm:np.float64(51200000000.0)", "grad_norm_huge", "5.12e+10"),
        ("{'loss': 'nan', 'grad_norm': '1.2', 'epoch': 0.1}", "nan_loss", "nan"),
        ("{'loss': 0.1, 'grad_norm': inf, 'step': 7}", "grad_norm_nan", "step 7"),
        ('{"step": 7, "loss": NaN, "grad_norm": 1.0}', "nan_loss", "step 7"),
        (" 1%| | 1/9 [00:01<00:02]\r{'loss': nan, 'grad_norm': 3.0}", "nan_loss", "nan"),
        (
            "(A pid=1) 2026-11-02 10:00:00 INFO ✨ Global step 3: {'policy_loss': nan, 'actor_lr': 5e-07}",
            "nan_loss",
            "step 3",
        ),
        (
            " [2026-11-02 10:00:00] iteration       12/    1000 | lm loss: NAN | grad norm: 2000000.123 |",
            "grad_norm_huge",
            "2e+06",
        ),
        (
            " [2026-11-02 10:00:00] iteration       12/    1000 | lm loss: 1.0E+00 | number of nan iterations:   1 |",
            "nan_loss",
            "step 12",
        ),
        (
            "[2026-11-02 10:00:00] model.py:918 - step 4: {'train/loss': 0.1, 'train/grad_norm': 1e8}",
            "grad_norm_huge",
            "step 4",
        ),
    ],
)
def test_metrics_of_every_framework(line, symptom, numbers):
    found = seen("first", line)
    assert numbers in found[symptom].text
    assert found[symptom].line == 2


def steps(count, **metrics):
    return [
        f"step:{step} - " + " - ".join(f"{name.replace('__', '/')}:{value(step)}" for name, value in metrics.items())
        for step in range(1, count + 1)
    ]


@pytest.mark.parametrize(
    ("symptom", "lines"),
    [
        ("entropy_collapse", steps(40, actor__entropy=lambda step: max(0.5 - step / 60, 0.004))),
        ("entropy_explodes", steps(40, actor__entropy=lambda step: 0.3 + step / 10)),
        ("kl_explodes", steps(20, actor__kl_loss=lambda step: 0.01 * 2**step)),
        ("grad_norm_spikes", steps(30, actor__grad_norm=lambda step: 900.0 if step == 17 else 0.3)),
        ("grad_norm_zero", steps(10, actor__grad_norm=lambda _: 0.0)),
        (
            "zero_advantage",
            steps(
                10,
                critic__advantages__max=lambda _: 0.0,
                critic__advantages__min=lambda _: 0.0,
                actor__grad_norm=lambda _: 0.1,
            ),
        ),
        (
            "rewards_equal",
            steps(
                10,
                critic__rewards__max=lambda _: 1.0,
                critic__rewards__min=lambda _: 1.0,
                actor__grad_norm=lambda _: 0.1,
            ),
        ),
        ("reward_zero", steps(20, critic__score__mean=lambda _: 0.0)),
        ("reward_flat", steps(60, critic__score__mean=lambda _: 0.25)),
        ("reward_collapse", steps(60, critic__score__mean=lambda step: 0.8 if 10 < step < 40 else 0.02)),
        ("reward_nan", steps(3, critic__score__mean=lambda _: "nan")),
        ("responses_truncated", steps(10, response_length__clip_ratio=lambda _: 0.98)),
        ("response_length_collapse", steps(40, response_length__mean=lambda step: 500 / step)),
        ("clip_fraction_high", steps(10, actor__pg_clipfrac=lambda _: 0.8)),
        ("rollout_mismatch", steps(10, training__rollout_probs_diff_mean=lambda _: 0.05)),
        ("learning_rate_zero", steps(10, actor__lr=lambda _: 0.0)),
        ("host_memory_grows", steps(40, perf__cpu_memory_used_gb=lambda step: 100 + 5 * step)),
        ("device_memory_grows", steps(40, perf__max_memory_allocated_gb=lambda step: 30 + step)),
        ("nan_first_step", steps(3, actor__pg_loss=lambda _: "nan")),
        ("loss_zero", steps(8, actor__pg_loss=lambda _: 0.0, actor__grad_norm=lambda _: 0.2)),
        (
            "loss_scale_minimum",
            [
                f" iteration {step:8d}/     100 | loss scale: {2.0 ** (16 - step)} | grad norm: 1.0 |"
                for step in range(1, 17)
            ],
        ),
        (
            "steps_skipped",
            [
                f" iteration {step:8d}/     100 | lm loss: 1.0 | number of skipped iterations:   1 |"
                for step in range(1, 9)
            ],
        ),
        (
            "zero_advantage",
            [f"{{'loss': 0.1, 'grad_norm': 0.1, 'reward_std': 0.0, 'step': {step}}}" for step in range(5)],
        ),
        (
            "zero_advantage",
            [f"{{'loss': 0.1, 'grad_norm': 0.1, 'frac_reward_zero_std': 0.9, 'step': {step}}}" for step in range(5)],
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_courses_of_metrics(symptom, lines):
    found = seen(*lines)
    assert symptom in found, found
    assert 1 <= found[symptom].line <= len(lines)
    assert any(char.isdigit() for char in found[symptom].text)


def test_a_rounded_learning_rate_is_not_zero():
    assert "learning_rate_zero" not in seen(
        *(f"step:{step} - actor/lr:0.000 - actor/grad_norm:0.1" for step in range(1, 10))
    )


def test_numbers_in_prose_are_no_metrics():
    assert not seen("the loss: nan bread", "response: grad_norm: 1e12 and 'reward': nan", "loss nan", "'loss': nan")


def test_a_frame_counts_only_near_its_error():
    frame = '  File "/x/torch_functional.py", line 168, in entropy_from_logits'
    assert "oom_in_logits" in seen("Traceback", frame, "    return x", OOM)
    assert "oom_in_logits" not in seen("Traceback", frame, "ValueError: other", *["x"] * 200, OOM)
    assert "oom_in_logits" not in seen(frame)


def test_the_number_of_lines_is_told_but_counts_once():
    diagnosis = diagnose(None, [Source("a.log", "\n".join([OOM] * 50))])
    once = diagnose(None, [Source("a.log", OOM)])
    assert diagnosis.seen[0].count == 50
    assert [each.score for each in diagnosis.ranked] == [each.score for each in once.ranked]


@pytest.mark.parametrize(
    ("pack", "suffix"), [(gzip.compress, ".gz"), (bz2.compress, ".bz2"), (lzma.compress, ".xz"), (bytes, ".log")]
)
def test_compressed_logs(tmp_path, pack, suffix):
    path = tmp_path / f"train{suffix}"
    path.write_bytes(pack(f"one\ntwo\n{OOM}\n".encode()))
    found = diagnose(None, [open_log(str(path))]).seen
    assert [(each.symptom.id, each.line, each.path) for each in found] == [("cuda_oom", 3, str(path))]


def test_a_cut_off_archive_is_read_as_far_as_it_goes(tmp_path):
    path = tmp_path / "train.log.gz"
    path.write_bytes(gzip.compress((f"{OOM}\n" + "".join(f"line {n}\n" for n in range(200_000))).encode())[:-20000])
    diagnosis = diagnose(None, [open_log(str(path))])
    assert "cut off" in diagnosis.notes[0]


def test_a_broken_archive_is_a_note(tmp_path):
    path = tmp_path / "train.log.gz"
    data = bytearray(gzip.compress(b"x" * 10000))
    data[15:25] = b"\xff" * 10
    path.write_bytes(bytes(data))
    diagnosis = diagnose(None, [open_log(str(path))])
    assert str(path) in diagnosis.notes[0] and not diagnosis.ranked


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x7fELF\x02\x01\x01\0\0", "binary file (NUL byte at offset 7)"),
        (b"\x28\xb5\x2f\xfd\x00", "zstd"),
        (b"PK\x03\x04rest", "zip archive"),
    ],
)
def test_what_is_no_log(tmp_path, data, message):
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(LogError, match=r"\A.*" + message.replace("(", r"\(").replace(")", r"\)")):
        open_log(str(path))


@pytest.mark.parametrize("path", ["missing.log", ".", "a\0b"])
def test_paths_without_a_log(path):
    with pytest.raises(LogError):
        open_log(path)


def test_utf_16(tmp_path):
    path = tmp_path / "train.log"
    path.write_bytes(f"eins\n{OOM}\n".encode("utf-16"))
    assert diagnose(None, [open_log(str(path))]).seen[0].line == 2


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"x\n{OOM}".encode())))
    assert diagnose(None, [open_log("-")]).seen[0].line == 2


def test_a_large_log_is_read_at_both_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(logs, "CHUNK", 4096)
    monkeypatch.setattr(logs, "HEAD", 40_000)
    monkeypatch.setattr(logs, "TAIL", 40_000)
    filler = [f"line {number} of nothing" for number in range(20_000)]
    path = tmp_path / "train.log"
    path.write_text("\n".join(["Server is not up yet. Retrying in 2.0 seconds...", *filler, OOM, ""]))
    diagnosis = diagnose(None, [open_log(str(path))])
    assert [(each.symptom.id, each.line) for each in diagnosis.seen] == [("server_not_up", 1), ("cuda_oom", 20_002)]
    assert "the first" in diagnosis.notes[0] and "the last" in diagnosis.notes[0]


def test_chunks_hold_every_line_once(tmp_path, monkeypatch):
    monkeypatch.setattr(logs, "CHUNK", 64)
    text = "".join(f"{'x' * (number % 150)}{number}\n" for number in range(400)) + "end"
    path = tmp_path / "train.log"
    path.write_text(text)
    chunks = list(open_log(str(path)).chunks())
    assert b"".join(chunk.data for chunk in chunks).decode() == text
    at = 1
    for chunk in chunks:
        assert chunk.line == at
        at += chunk.data.count(b"\n")


class Counting(io.BytesIO):
    """Counts what is read at once."""

    most = 0

    def read(self, size=-1):
        Counting.most = max(Counting.most, size if size >= 0 else 1 << 60)
        return super().read(size)


def test_nothing_is_slurped():
    data = ("\n".join(verl()) + "\n").encode() * 200
    list(logs.Log("x", lambda: Counting(data), len(data)).chunks())
    assert Counting.most <= logs.CHUNK


@pytest.mark.parametrize(
    "data",
    [
        b"x" * 3_000_000,
        b"only support equal chunk. Got size of DataProto " * 60_000,
        b"Could not override '" + b"a." * 500_000,
        b"NCCL error: " * 100_000,
        b"{'loss': " * 200_000,
        b"step:1 - " + b"actor/grad_norm:" * 100_000,
        b"iteration " * 100_000,
        (b"(" * 1000 + b"\x1b[" * 1000 + b"\n") * 50,
        b"\xff\xfe\x80" * 10_000 + b"\nstep:1 - actor/pg_loss:nan",
        b"\r" * 1_000_000,
        b"\n" * 1_000_000,
        ("!" * 100_000 + "\n").encode() * 3,
    ],
    ids=range(12),
)
def test_hostile_logs_end(data):
    diagnose(None, [logs.Log("hostile", lambda: io.BytesIO(data), len(data))])


def test_work_does_not_grow_with_the_length_of_a_line(monkeypatch):
    """An expression sees a window of a line, and each part of the line at most twice."""
    from grpolint.diagnose import patterns

    tried = []

    class Spy:
        def __init__(self, pattern):
            self.pattern = pattern

        def search(self, text):
            tried.append(len(text))

    monkeypatch.setattr(patterns.re, "compile", Spy)
    size = 1_000_000
    data = (b"Could not override 'x" * (size // 21))[:size]
    diagnose(None, [logs.Log("hostile", lambda: io.BytesIO(data), len(data))])
    assert max(tried) <= 4000
    assert sum(tried) <= 2.5 * size * 4


def test_every_log_counts():
    diagnosis = diagnose(None, [Source("a.log", OOM), Source("b.log", "Too many open files")])
    assert {each.path for each in diagnosis.seen} == {"a.log", "b.log"}
    assert LOGS
