"""`grpolint zero`: DeepSpeed configurations checked, explained and generated."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grpolint.cli import topic
from grpolint.cli.main import FINDINGS, OK
from grpolint.cli.options import Parser, UsageError, releases
from grpolint.cli.output import paint_for

if TYPE_CHECKING:
    from grpolint.hardware import Gpu
    from grpolint.topics.base import Topic
    from grpolint.topics.zero_memory import Size

__all__ = ["main"]

_EXAMPLE = "Qwen/Qwen2.5-7B-Instruct"


def main(words: list[str]) -> int:
    """Run a mode of the topic; the result is the exit code."""
    more = {
        "generate": ("write a configuration for a card, a model and a number of ranks, by arithmetic", _generate),
        "explain": ("say what a stage or a key does, and what each stage needs", _explain),
    }
    return topic.main("zero", words, more)


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 11 and 0 < int(text) < 1 << 30):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def _rank(text: str) -> int:
    return 0 if text == "0" else _whole(text)


def _amount(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 on")
    return value


_UNITS = {"k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12}


def _parameters(text: str) -> int:
    digits, unit = (text[:-1], text[-1:].lower()) if text[-1:].lower() in _UNITS else (text, "")
    try:
        value = float(digits) * _UNITS.get(unit, 1)
    except ValueError:
        value = 0.0
    if not 1 <= value < 1e14:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of parameters, such as 7.6B")
    return round(value)


def _parser(mode: str, what: str, usage: str) -> Parser:
    parser = Parser(f"grpolint zero {mode}", what, f"grpolint zero {mode} {usage}")
    parser.add_argument("--gpu", metavar="NAME", help="accelerator, such as rtx4090 or h100")
    parser.add_argument("--model", metavar="MODEL", help="hub id, or a config.json, or the folder that holds it")
    parser.add_argument(
        "--params", metavar="N", type=_parameters, help="parameters, where the model is not known: 7.6B"
    )
    parser.add_argument("--ranks", metavar="N", type=_whole, help="data-parallel ranks")
    parser.add_argument("--lora-rank", metavar="R", type=_rank, default=0, help="rank of LoRA; default 0, all weights")
    parser.add_argument("--optimizer", choices=("adamw", "muon"), default="adamw", help="default adamw")
    parser.add_argument("--reserve", metavar="GIB", type=_amount, help="left free on each accelerator; default 20 %%")
    parser.add_argument(
        "--with", metavar="deepspeed==VERSION", action="append", default=[], dest="versions", help="release in use"
    )
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours")
    return parser


def _gpu(parser: Parser, name: str) -> Gpu:
    from grpolint.hardware import GPUS, find_gpu

    found = find_gpu(name)
    if found is None:
        from grpolint.suggest import suggestion

        parser.error(f"--gpu: unknown accelerator {name!r}{suggestion(name.lower(), GPUS) or ''}")
    return found


def _size(parser: Parser, found: argparse.Namespace) -> tuple[str, Size]:
    """What the model is called, and its sizes. Ends with one line that says what is missing."""
    from grpolint.topics.zero_memory import Size, size_of

    if found.params is not None:
        if found.lora_rank:
            parser.error("--lora-rank needs the architecture: give --model instead of --params")
        name = found.model or f"a model of {found.params:,} parameters"
        return name, Size(found.params, found.params)
    from grpolint.models import find_model
    from grpolint.models.config import from_config

    path = Path(found.model)
    path = path / "config.json" if path.is_dir() else path
    known = None
    if path.is_file():
        from grpolint.documents.source import SourceError, read_source

        try:
            known = from_config(read_source(path))
        except SourceError as error:
            parser.error(f"--model: {error}")
        if known is None:
            parser.error(f"--model: {path} lacks the numbers of a decoder (hidden_size, num_hidden_layers, ...)")
    else:
        known = find_model(found.model)
        if known is None:
            parser.error(
                f"--model: the architecture of {found.model!r} is not known: give its config.json, or --params"
            )
    if not known.plain and (known.total is None or found.lora_rank):
        parser.error(f"--model: the parameters of {found.model} do not follow from its numbers: give --params")
    return found.model, size_of(known, found.lora_rank)


def _release(parser: Parser, found: argparse.Namespace) -> str | None:
    """The release of DeepSpeed that is asked for."""
    try:
        given = releases(found.versions, "--with")
    except UsageError as error:
        parser.error(str(error))
    return given.get("deepspeed")


def _generate(_topic: Topic, words: list[str]) -> int:
    parser = _parser(
        "generate",
        "Write a DeepSpeed configuration chosen by arithmetic. The arithmetic goes to standard error.",
        "--gpu NAME --model MODEL [--ranks N] [--lora-rank R] [--optimizer adamw|muon] [--output FILE]",
    )
    parser.add_argument("--gpus-per-node", metavar="N", type=_whole, help="accelerators of each machine")
    parser.add_argument("--host-memory", metavar="GIB", type=_amount, help="of each machine; default: only said")
    parser.add_argument("--precision", choices=("bf16", "fp16"), help="default: bf16 where the accelerator has it")
    parser.add_argument("--micro-batch", metavar="N", type=_whole, default=1, help="sequences at once; default 1")
    parser.add_argument("--global-batch", metavar="N", type=_whole, help="sequences of one optimizer step, all ranks")
    parser.add_argument("--lr", metavar="X", type=_amount, help="learning rate; default 1e-6, for Muon 2e-5")
    parser.add_argument(
        "--for",
        dest="reader",
        choices=("deepspeed", "transformers"),
        default="deepspeed",
        help="transformers: batches and learning rate are auto, its arguments decide",
    )
    parser.add_argument("--output", metavar="FILE", help="write it there instead of standard output")
    parser.add_argument("--explain", action="store_true", help="only the arithmetic, on standard output")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of --explain")
    found = parser.read(words)
    if found.gpu is None or (found.model is None and found.params is None):
        parser.error("say for what: --gpu NAME and --model MODEL (or --params N)")
    from grpolint.topics.zero_config import Impossible, Wanted, choose

    model, size = _size(parser, found)
    wanted = Wanted(
        gpu=_gpu(parser, found.gpu),
        size=size,
        ranks=found.ranks or 1,
        per_node=found.gpus_per_node,
        optimizer=found.optimizer,
        precision=found.precision,
        micro_batch=found.micro_batch,
        global_batch=found.global_batch,
        learning_rate=found.lr,
        release=_release(parser, found),
        reserve=found.reserve,
        host_memory=found.host_memory,
        automatic=found.reader == "transformers",
    )
    try:
        choice = choose(wanted)
    except Impossible as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return FINDINGS
    import json

    from grpolint.report.json import dump
    from grpolint.report.zero import choice_data, choice_text

    text = json.dumps(choice.config, indent=2) + "\n"
    if found.output is not None:
        try:
            Path(found.output).write_text(text, encoding="utf-8")
        except OSError as error:
            parser.error(f"{found.output} cannot be written: {error.strerror or error}")
    if found.explain and found.format == "json":
        print(dump(choice_data(choice, wanted, model)))
    elif found.explain:
        print(choice_text(choice, wanted, model, paint_for(found.color)))
    else:
        print(choice_text(choice, wanted, model, paint_for("never")), file=sys.stderr)
        if found.output is None:
            print(text, end="")
    return OK


def _explain(_topic: Topic, words: list[str]) -> int:
    parser = _parser(
        "explain",
        "Say what a stage or a key does, by release, and what each stage needs of memory.",
        "[STAGE|KEY] [--model MODEL] [--ranks N] [--gpu NAME] [--with deepspeed==VERSION]",
    )
    parser.add_argument("what", nargs="?", metavar="STAGE|KEY", help="0 to 3, or a key or the end of one")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the output")
    found = parser.read(words)
    from grpolint.topics.zero_stages import STAGES, stage_of

    stage = stage_of(found.what) if found.what is not None else None
    if found.what is not None and stage is None:
        return _explain_key(parser, found)
    return _explain_stages(parser, found, (stage,) if stage is not None else STAGES)


def _explain_stages(parser: Parser, found: argparse.Namespace, stages: tuple[Any, ...]) -> int:
    from grpolint.topics.zero_config import bucket_of, room_of
    from grpolint.topics.zero_memory import GIB
    from grpolint.topics.zero_stages import table

    example = found.model is None and found.params is None
    found.model = found.model or (_EXAMPLE if found.params is None else None)
    model, size = _size(parser, found)
    ranks = found.ranks or 8
    room, bucket = None, 500_000_000
    if found.gpu is not None:
        gpu = _gpu(parser, found.gpu)
        room, bucket = room_of(gpu, found.reserve), bucket_of(gpu)
    only = stages[0].number if len(stages) == 1 else None
    rows = table(size, ranks, muon=found.optimizer == "muon", bucket=bucket, stage=only)
    from grpolint.report.zero import memory, stage_text, table_data

    if found.format == "json":
        from grpolint.report.json import dump

        said = [{name: getattr(each, name) for name in ("number", "shards", "offload", "cost")} for each in stages]
        print(
            dump(
                {
                    "schema": "grpolint.zero-stages/1",
                    "model": model,
                    "ranks": ranks,
                    "stages": said,
                    "memory": table_data(rows, room),
                }
            )
        )
        return OK
    paint = paint_for(found.color)
    print("\n\n".join(stage_text(each, paint) for each in stages))
    how = f", LoRA rank {found.lora_rank}" if found.lora_rank else ""
    hint = " (an example; --model, --ranks and --gpu take yours)" if example else ""
    print(f"\n{model}, {size.total:,} parameters{how}, {ranks} rank{'s' if ranks > 1 else ''}{hint}")
    print(memory(rows, room, paint))
    if room is not None:
        print(f"  fits: into {room / GIB:.1f} GiB, what the reserve leaves of {gpu.memory} GiB")
    return OK


def _explain_key(parser: Parser, found: argparse.Namespace) -> int:
    from grpolint.catalog import lookup
    from grpolint.topics.zero_stages import KEYS

    asked = _release(parser, found)
    release = lookup.release("deepspeed", asked)
    if asked is not None and asked != release:
        print(f"{parser.prog}: the catalog does not have deepspeed {asked}; {release} answers for it", file=sys.stderr)
    entries = lookup.find("deepspeed", release, found.what)
    if not entries:
        near = lookup.near("deepspeed", release, found.what)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        parser.error(f"deepspeed {release} has no stage or key {found.what!r}{hint}")
    if found.format == "json":
        from grpolint.report.json import dump
        from grpolint.report.options import row

        rows = [
            {**row(each), "says": KEYS[each.key].says, "refs": list(KEYS[each.key].refs)}
            if each.key in KEYS
            else row(each)
            for each in entries
        ]
        print(dump({"schema": "grpolint.zero-keys/1", "version": release, "keys": rows}))
        return OK
    from grpolint.report.zero import key_text

    paint = paint_for(found.color)
    print("\n\n".join(key_text(each, KEYS.get(each.key), paint) for each in entries))
    return OK
