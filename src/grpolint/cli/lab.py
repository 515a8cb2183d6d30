"""`grpolint lab`: numeric experiments behind the handbook, repeatable on any machine."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from grpolint.cli.main import OK, USAGE
from grpolint.cli.options import Parser

if TYPE_CHECKING:
    from grpolint.lab.tables import Report

__all__ = ["main"]

EXPERIMENTS = {
    "softmax": "router softmax in fp16 and bf16: overflow, NaN, other experts chosen",
    "muon": "Muon under gradient clipping, against AdamW",
    "groups": "group sizes: prompts without signal, advantages, dynamic sampling",
    "memory": "bytes of trainer, logits and KV cache, with their equations",
}

MOST = 1 << 40
"""Upper bound of whole numbers that only enter formulas."""


def main(words: list[str]) -> int:
    """Run the experiment that the first word names; the result is the exit code."""
    experiments = {"softmax": _softmax, "muon": _muon, "groups": _groups, "memory": _memory}
    if not words or words[0] not in experiments:
        return _overview(words)
    # The matrices are small: threads of a BLAS would wait for each other longer than they compute.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    return experiments[words[0]](words[1:])


def _overview(words: list[str]) -> NoReturn:
    from grpolint.suggest import suggestion

    width = max(map(len, EXPERIMENTS))
    parser = Parser(
        "grpolint lab",
        "Numeric experiments: what the handbook claims, and what the numbers say.",
        "grpolint lab EXPERIMENT [--format text|json] [--seed N] [--figure FILE.png|svg] ...",
        "experiments:\n"
        + "\n".join(f"  {name:<{width}}  {what}" for name, what in EXPERIMENTS.items())
        + "\n\nsoftmax, muon and --figure need the extra: pip install 'grpolint[lab]'",
    )
    parser.add_argument("experiment", metavar="EXPERIMENT", help="one of the below; its own --help lists its options")
    name = parser.read(words).experiment
    parser.error(
        f"unknown experiment {name!r}{suggestion(name, EXPERIMENTS) or '; there are ' + ', '.join(EXPERIMENTS)}"
    )


def _parser(name: str, usage: str) -> Parser:
    parser = Parser(
        f"grpolint lab {name}",
        f"{EXPERIMENTS[name][0].upper()}{EXPERIMENTS[name][1:]}.",
        f"grpolint lab {name} {usage}",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the output")
    parser.add_argument(
        "--seed", type=_whole(0, 2**32 - 1), default=0, metavar="N", help="seed of what is drawn at random; default 0"
    )
    parser.add_argument("--figure", metavar="FILE", type=_picture, help="draw it into FILE.png or FILE.svg")
    return parser


def _run(parser: Parser, found: argparse.Namespace, compute: Callable[[], Report]) -> int:
    try:
        if found.figure:
            import matplotlib as mpl  # noqa: F401
        report = compute()
    except ModuleNotFoundError as error:
        if error.name not in ("numpy", "matplotlib"):
            raise
        print(
            f"{parser.prog}: this needs {error.name}, which is not installed: pip install 'grpolint[lab]'",
            file=sys.stderr,
        )
        return USAGE
    from grpolint.lab.tables import document, text

    if found.figure:
        from grpolint.lab.figures import draw

        if not report.charts:
            parser.error(f"there is nothing to draw into {found.figure}: no row of logits is usable")
        try:
            draw(report, found.figure)
        except OSError as error:
            parser.error(f"{found.figure} cannot be written: {error.strerror or error}")
    if found.format == "json":
        from grpolint.report.json import dump

        print(dump(document(report)))
    else:
        print(text(report))
    return OK


def _softmax(words: list[str]) -> int:
    parser = _parser("softmax", "[--router E:K]... [--tokens N] | --logits FILE.npy --top-k K")
    parser.add_argument("--router", metavar="E:K", type=_router, action="append", help="experts and how many are taken")
    parser.add_argument(
        "--tokens", metavar="N", type=_whole(1, 10**6), default=20000, help="random tokens; default 20000"
    )
    parser.add_argument("--layers", metavar="N", type=_whole(1, 10**4), default=48, help="routers in a row; default 48")
    parser.add_argument(
        "--logits", metavar="FILE", help="your own logits: .npy, shape (tokens, experts), any float type"
    )
    parser.add_argument("--top-k", metavar="K", type=_whole(1, 1 << 16), help="experts taken from --logits")
    found = parser.read(words)
    if found.logits and found.router:
        parser.error("--router is for random logits; with --logits give --top-k")
    if bool(found.logits) != bool(found.top_k):
        parser.error("--logits and --top-k belong together")

    def compute() -> Report:
        from grpolint.lab import softmax
        from grpolint.lab.pages import softmax as page

        if not found.logits:
            routers = found.router or [(8, 2), (64, 6), (128, 8), (256, 8)]
            most = max(experts for experts, _ in routers) * found.tokens
            if most > softmax.MOST_VALUES:
                parser.error(f"{most:,} random logits of one router are above the limit of {softmax.MOST_VALUES:,}")
            return page.report(list(dict.fromkeys(routers)), found.tokens, found.layers, found.seed)
        try:
            logits, kind = softmax.read(found.logits)
        except softmax.BadLogits as error:
            parser.error(str(error))
        if found.top_k >= logits.shape[1]:
            parser.error(f"--top-k {found.top_k} is not below the {logits.shape[1]} experts of {found.logits}")
        return page.report_of(logits, kind, found.top_k, found.layers)

    return _run(parser, found, compute)


def _muon(words: list[str]) -> int:
    parser = _parser("muon", "[--shape RxC] [--hidden N,...] [--layers N] [--clip X] [--steps N]")
    parser.add_argument(
        "--shape", metavar="RxC", type=_shape, default=(64, 128), help="of the gradient; default 64x128"
    )
    sizes = [128, 256, 512, 1024, 2048, 4096, 8192]
    parser.add_argument(
        "--hidden", metavar="N,...", type=_list(_whole(2, 1 << 16)), default=sizes, help="sizes of square matrices"
    )
    parser.add_argument("--layers", metavar="N", type=_whole(1, 512), default=4, help="square matrices; default 4")
    parser.add_argument("--clip", metavar="X", type=_real(0, 1e6), default=1.0, help="global clip; default 1.0")
    parser.add_argument(
        "--steps", metavar="N", type=_whole(1, 5000), default=100, help="of a training run; default 100"
    )
    found = parser.read(words)

    def compute() -> Report:
        from grpolint.lab.pages.muon import report

        return report(
            found.shape,
            hidden=sorted(set(found.hidden)),
            layers=found.layers,
            limit=found.clip,
            steps=found.steps,
            seed=found.seed,
        )

    return _run(parser, found, compute)


def _groups(words: list[str]) -> int:
    parser = _parser("groups", "[--pass-rates P,...] [--sizes G,...] [--beta A,B] [--prompts N] ...")
    rates, sizes = [0.5, 0.3, 0.2, 0.1, 0.05, 0.01], [1, 2, 4, 8, 16, 32, 64]
    parser.add_argument(
        "--pass-rates", metavar="P,...", type=_list(_real(0, 1, ends=True)), default=rates, help="pass rates of prompts"
    )
    parser.add_argument(
        "--sizes", metavar="G,...", type=_list(_whole(1, 1 << 16)), default=sizes, help="samples per prompt"
    )
    parser.add_argument(
        "--beta", metavar="A,B", type=_list(_real(0, 1e6), 2), default=[0.5, 0.5], help="distribution of pass rates"
    )
    parser.add_argument(
        "--prompts", metavar="N", type=_whole(1, 10**5), default=128, help="kept for a step; default 128"
    )
    parser.add_argument(
        "--generated", metavar="N", type=_whole(1, 10**5), help="prompts of a round; default 3 x --prompts"
    )
    parser.add_argument("--rounds", metavar="N", type=_whole(1, 100), default=10, help="at most; default 10")
    found = parser.read(words)

    def compute() -> Report:
        from grpolint.lab.pages.groups import report

        generated = found.generated or 3 * found.prompts
        unique = list(dict.fromkeys(found.pass_rates))
        return report(
            unique,
            sorted(set(found.sizes)),
            beta=(found.beta[0], found.beta[1]),
            prompts=found.prompts,
            generated=generated,
            batches=found.rounds,
        )

    return _run(parser, found, compute)


def _memory(words: list[str]) -> int:
    from grpolint.lab.memory import MOMENTS, PRECISIONS, SHARDED
    from grpolint.models import architectures, find_model

    parser = _parser("memory", "[--model NAME | --hidden N --layers N ...] [--gpus N] [--shard HOW] ...")
    model = parser.add_argument_group("model; a number given replaces that of the named model")
    model.add_argument(
        "--model", metavar="NAME", default="qwen2.5-7b", help="hub id or its last part; default qwen2.5-7b"
    )
    count = _whole(1, 10**7)
    numbers = {
        "hidden": "channels",
        "layers": "layers",
        "heads": "query heads",
        "kv-heads": "heads of the KV cache",
        "head-dim": "channels of a head",
        "intermediate": "width of the feed-forward layer, or of one expert",
        "vocabulary": "tokens of the vocabulary",
    }
    for name, what in numbers.items():
        model.add_argument(f"--{name}", metavar="N", type=count, help=what)
    model.add_argument(
        "--experts", metavar="N", type=_whole(0, 10**5), help="experts of each layer; 0 for a dense model"
    )
    trainer = parser.add_argument_group("trainer")
    trainer.add_argument("--gpus", metavar="N", type=_whole(1, 10**6), default=8, help="data-parallel GPUs; default 8")
    trainer.add_argument("--shard", choices=tuple(SHARDED), default="fsdp", help="default fsdp")
    trainer.add_argument("--precision", choices=tuple(PRECISIONS), help="default fp32 for fsdp (as verl), else mixed")
    trainer.add_argument("--optimizer", choices=tuple(MOMENTS), default="adamw", help="default adamw")
    trainer.add_argument(
        "--lora", metavar="RANK", type=_whole(0, 10**5), default=0, help="rank of LoRA; default 0, all weights"
    )
    trainer.add_argument(
        "--tokens", metavar="N", type=_whole(0, MOST), default=16384, help="tokens whose logits one GPU holds at once"
    )
    trainer.add_argument(
        "--offload", metavar="KIND,...", type=_list(_kind), default=[], help="weights, gradients, optimizer"
    )
    trainer.add_argument("--critic", action="store_true", help="a critic of the same size is trained, too")
    trainer.add_argument("--reference", action="store_true", help="a frozen reference model is held")
    rollout = parser.add_argument_group("rollout")
    rollout.add_argument("--gpu-memory", metavar="GIB", type=_real(0, 1e6), default=80.0, help="of one GPU; default 80")
    rollout.add_argument(
        "--rollout-share",
        metavar="X",
        type=_real(0, 1, ends=True),
        default=0.5,
        help="gpu_memory_utilization; default 0.5",
    )
    rollout.add_argument(
        "--tensor-parallel", metavar="N", type=_whole(1, 1024), default=1, help="GPUs of one engine; default 1"
    )
    rollout.add_argument("--weight-bytes", metavar="N", type=_whole(1, 4), default=2, help="per weight; default 2")
    rollout.add_argument(
        "--kv-bytes", metavar="N", type=_whole(1, 4), default=2, help="per cached number; default 2, fp8 1"
    )
    rollout.add_argument(
        "--length", metavar="N", type=_whole(1, 10**8), default=4096, help="tokens of a sequence; default 4096"
    )
    found = parser.read(words)

    def compute() -> Report:
        from grpolint.lab.memory import Plan
        from grpolint.lab.pages.memory import report
        from grpolint.records import replace

        known = find_model(found.model)
        if known is None:
            from grpolint.suggest import suggestion

            near = suggestion(found.model.lower().rpartition("/")[2], architectures())
            parser.error(f"--model: unknown model {found.model!r}{near or '; its numbers can be given, see --help'}")
        fields = ("hidden", "layers", "heads", "kv_heads", "head_dim", "intermediate", "vocabulary", "experts")
        given: dict[str, Any] = {each: getattr(found, each) for each in fields if getattr(found, each) is not None}
        if given.get("experts") and not known.experts:
            given["expert_width"] = given.get("intermediate", known.intermediate)
        architecture = replace(known, **given)
        if not architecture.plain and architecture.total is None:
            parser.error(f"--model: the parameters of {known.name} are not known; its attention or towers are special")
        if architecture.heads % architecture.kv_heads:
            parser.error(f"{architecture.heads} heads are not a multiple of {architecture.kv_heads} KV heads")
        if "weights" in found.offload and "weights" not in SHARDED[found.shard]:
            parser.error(f"--offload weights needs --shard zero3 or fsdp, not {found.shard}")
        plan = Plan(
            architecture,
            gpus=found.gpus,
            shard=found.shard,
            precision=found.precision or ("fp32" if found.shard == "fsdp" else "mixed"),
            optimizer=found.optimizer,
            lora=found.lora,
            tokens=found.tokens,
            critic=found.critic,
            reference=found.reference,
            offload=frozenset(found.offload),
            gpu_memory=found.gpu_memory,
            share=found.rollout_share,
            tensor_parallel=found.tensor_parallel,
            weight_bytes=found.weight_bytes,
            kv_bytes=found.kv_bytes,
            length=found.length,
        )
        changed = ", ".join(f"{key} {value:,}" for key, value in given.items())
        return report(plan, f"{known.name} with {changed}" if changed else known.name)

    return _run(parser, found, compute)


# what an option's value may be


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} to {most}")
        return int(text)

    return read


def _real(least: float, most: float, *, ends: bool = False) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not (least <= value <= most if ends else least < value <= most):
            between = f"from {least:g}" if ends else f"above {least:g}"
            raise argparse.ArgumentTypeError(f"{text!r} is not a number {between} to {most:g}")
        return value

    return read


def _list(each: Callable[[str], Any], length: int = 0) -> Callable[[str], list[Any]]:
    def read(text: str) -> list[Any]:
        parts = [each(part.strip()) for part in text.split(",")]
        if (length and len(parts) != length) or len(parts) > 32:
            raise argparse.ArgumentTypeError(f"{text!r} holds {len(parts)} values, not {length or 'up to 32'}")
        return parts

    return read


def _pair(text: str, mark: str, most: int, example: str) -> tuple[int, int]:
    left, found, right = text.partition(mark)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form {example}")
    read = _whole(1, most)
    return read(left), read(right)


def _router(text: str) -> tuple[int, int]:
    experts, k = _pair(text, ":", 4096, "EXPERTS:K, such as 128:8")
    if not k < experts:
        raise argparse.ArgumentTypeError(f"{text!r} takes {k} of {experts} experts, not fewer than there are")
    return experts, k


def _shape(text: str) -> tuple[int, int]:
    return _pair(text, "x", 512, "ROWSxCOLUMNS, such as 64x128")


def _kind(text: str) -> str:
    if text not in ("weights", "gradients", "optimizer"):
        raise argparse.ArgumentTypeError(f"{text!r} is not weights, gradients or optimizer")
    return text


def _picture(text: str) -> str:
    if not text.lower().endswith((".png", ".svg")):
        raise argparse.ArgumentTypeError(f"{text!r} does not end in .png or .svg")
    return text
