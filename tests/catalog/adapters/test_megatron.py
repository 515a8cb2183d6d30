"""Megatron's layouts: functions that add arguments, and groups generated from dataclasses."""

BY_HAND = {
    "megatron/training/arguments.py": """
import argparse
from megatron.core.enums import Backend

def parse_args():
    parser = argparse.ArgumentParser()
    parser = _add_network(parser)
    parser = _add_rest(parser)
    args = parser.parse_args()
    args.after = 1
    return args

def _add_network(parser):
    group = parser.add_argument_group(title="network")
    group.add_argument("--num-layers", type=int, default=None)
    group.add_argument("--backend", type=lambda name: Backend[name], default=Backend.auto, choices=list(Backend))
    group.add_argument("--disable-bias", action="store_false", dest="add_bias")
    group.add_argument("--spread", action="store_true", default=None)
    group.add_argument("--no-spread", action="store_false", dest="spread")
    return parser

def _add_rest(parser):
    group = parser.add_argument_group(title="rest")
    group.add_argument("--use-old", action="store_true", dest="old_deprecated")
    group.add_argument("--kind", type=str, default="a", choices=["a", "b"], help="Kind; b is deprecated, use --kind a.")
    return parser
""",
    "megatron/core/enums.py": "import enum\nclass Backend(enum.Enum):\n    flash = 1\n    auto = 5\n",
}

GENERATED = {
    **BY_HAND,
    "megatron/training/argument_utils.py": "class ArgumentGroupFactory: ...\n",
    "megatron/training/config.py": """
from dataclasses import dataclass, field
from typing import Callable, Literal, Optional
from megatron.core.enums import Backend

@dataclass
class Base:
    hidden_size: int = 0
    hook: Optional[Callable] = None

@dataclass
class NetworkConfig(Base):
    num_layers: int | None = None
    backend: Backend = Backend.auto
    add_bias: bool = field(default=True, metadata={"argparse_meta": {"arg_names": ["--disable-bias"], "action": "store_false"}})
    fuse: bool = True
    plain: bool = False
    order: list[str] = field(default_factory=lambda: ["x"])
    level: Literal[0, 1] = 0
    hidden: int = field(default=1, init=False)
    renamed: float = field(default=1e-5, metadata={"argparse_meta": {"arg_names": ["--eps"], "dest": "epsilon"}})
    old: int = 1
    \"\"\"DEPRECATED. Use new_way instead.\"\"\"
""",
    "megatron/training/arguments.py": """
from megatron.training.argument_utils import ArgumentGroupFactory
from megatron.core.missing import Missing

def add_megatron_arguments(parser):
    parser = _add_network(parser)
    return parser

def _add_network(parser):
    from megatron.training.config import NetworkConfig
    exclude = ["hook"]
    factory = ArgumentGroupFactory(NetworkConfig, exclude=exclude)
    group = factory.build_group(parser, "network")
    group.add_argument("--more", type=int, default=3)
    ArgumentGroupFactory(Missing).build_group(parser, "not in the release")
    return parser
""",
}


def test_arguments_by_hand(harvest):
    train = harvest("megatron", BY_HAND)["train"]
    assert set(train) == {"num_layers", "backend", "add_bias", "spread", "old_deprecated", "kind"}
    assert (train["backend"]["default"], train["backend"]["choices"]) == ("auto", ["flash", "auto"])
    assert (train["add_bias"]["default"], train["add_bias"]["stores"]) == (True, {"--disable-bias": False})
    assert train["spread"]["flags"] == ["--spread", "--no-spread"]
    assert (train["spread"]["default"], train["spread"]["stores"]) == (None, {"--no-spread": False})
    assert train["old_deprecated"]["deprecated"]
    assert "deprecated" not in train["kind"]  # one of its values is


def test_arguments_generated_from_a_dataclass(harvest):
    train = harvest("megatron", GENERATED)["train"]
    assert set(train) == {
        "hidden_size", "num_layers", "backend", "add_bias", "fuse", "plain", "order", "level", "epsilon", "old", "more",
    }  # fmt: skip
    assert train["backend"]["choices"] == ["flash", "auto"]
    assert train["backend"]["default"] == "auto"
    assert (train["add_bias"]["flags"], train["add_bias"]["stores"]) == (["--disable-bias"], {"--disable-bias": False})
    assert train["fuse"]["flags"] == ["--no-fuse", "--disable-fuse"]
    assert train["fuse"]["stores"] == {"--no-fuse": False, "--disable-fuse": False}
    assert (train["plain"]["flags"], train["plain"]["nargs"]) == (["--plain"], 0)
    assert (train["order"]["default"], train["order"]["nargs"]) == (["x"], "+")
    assert (train["level"]["choices"], train["level"]["default"]) == ([0, 1], 0)
    assert (train["epsilon"]["flags"], train["epsilon"]["default"]) == (["--eps"], 1e-5)
    assert (train["old"]["deprecated"], train["old"]["replaced_by"]) == (True, "new_way")
