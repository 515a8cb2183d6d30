"""SGLang's three layouts of the same options."""

import pytest

ENVIRON = """
class EnvField: ...
class EnvBool(EnvField): ...
class EnvInt(EnvField): ...

class Envs:
    SGLANG_FAST = EnvBool(True)
    SGLANG_COUNT = EnvInt(None)
    SGLANG_PLACE = EnvStr(lambda: somewhere())
    SGLANG_LIST = EnvTuple(tuple())
"""

READER = """
import os
flag = get_bool_env_var("SGLANG_LOOSE", "true")
count = int(os.environ.get("SGL_COUNT", "3"))
other = os.environ.get("HOME")
"""

BY_HAND = {
    "sglang/srt/server_args.py": """
import argparse, dataclasses
from typing import List, Literal, Optional

BACKENDS = ["one", "two"]

class Retired(argparse.Action):
    def __init__(self, option_strings, dest, nargs=0, **kwargs): ...

class DeprecatedAction(Retired):
    def __init__(self, option_strings, dest, nargs=0, **kwargs): ...

@dataclasses.dataclass
class ServerArgs:
    model_path: str
    tp_size: int = 1
    backend: Optional[str] = None
    fast: bool = False
    sizes: Optional[List[int]] = None

    @staticmethod
    def add_cli_args(parser):
        parser.add_argument("--model-path", "--model", type=str, required=True)
        parser.add_argument("--tensor-parallel-size", "--tp-size", "--tp", type=int, default=ServerArgs.tp_size, dest="tp_size")
        parser.add_argument("--backend", type=str, choices=BACKENDS + ["three"], default=ServerArgs.backend)
        parser.add_argument("--fast", action="store_true")
        parser.add_argument("--sizes", type=int, nargs="+", default=ServerArgs.sizes)
        parser.add_argument("--config", type=str)
        parser.add_argument("--gone", action=DeprecatedAction, help="Deprecated: use --fast instead.")
""",
}

ARG = "class Arg: ...\nA = Annotated\n"

ANNOTATED = {
    "sglang/srt/arg_groups/arg_utils.py": ARG,
    "sglang/srt/server_args.py": """
import dataclasses
from typing import List, Optional
from sglang.srt.arg_groups.arg_utils import A, Arg, add_cli_args_from_dataclass

BACKENDS = ["one", "two"]

@dataclasses.dataclass
class ServerArgs:
    model_path: A[str, Arg(help="Where.", aliases=["--model"])]
    tp_size: A[int, Arg(help="Ranks.", cli_name="--tensor-parallel-size", aliases=["--tp-size", "--tp"])] = 1
    backend: A[Optional[str], Arg(help="Which.", choices=BACKENDS + ["three"])] = None
    fast: A[bool, "Fast."] = False
    sizes: A[Optional[List[int]], Arg(help="Sizes.")] = None

    @staticmethod
    def add_cli_args(parser):
        add_cli_args_from_dataclass(parser, ServerArgs)
        parser.add_argument("--config", type=str)
        parser.add_argument("--gone", action=DeprecatedAction, nargs=0, help="Deprecated: use --fast instead.")
""",
}

SPREAD = {
    "sglang/srt/arg_groups/arg_utils.py": ARG,
    "sglang/srt/arg_groups/fields/model.py": """
import msgspec
from typing import Optional
from sglang.srt.arg_groups.arg_utils import A, Arg

BACKENDS = ["one", "two"]

class Model(msgspec.Struct):
    _NS_PATH = "model"
    shown = Derived(doc="not an input")
    model_path: A[str, Arg(help="Where.", aliases=["--model"])]
    backend: A[Optional[str], Arg(help="Which.", choices=BACKENDS + ["three"])] = None
""",
    "sglang/srt/arg_groups/fields/rest.py": """
import msgspec
from typing import List, Optional
from sglang.srt.arg_groups.arg_utils import A, Arg

class Rest(msgspec.Struct):
    tp_size: A[int, Arg(help="Ranks.", cli_name="--tensor-parallel-size", aliases=["--tp-size", "--tp"])] = 1
    fast: A[bool, "Fast."] = False
    sizes: A[Optional[List[int]], Arg(help="Sizes.")] = None
    inner: A[int, Arg(help="Not for the command line.", no_cli=True)] = 4
""",
    "sglang/srt/server_args.py": """
from sglang.srt.arg_groups.fields.model import Model
from sglang.srt.arg_groups.fields.rest import Rest

class ServerArgs:
    @staticmethod
    def add_cli_args(parser):
        add_cli_args_from_dataclass(parser, ServerArgs)
        parser.add_argument("--config", type=str)
        parser.add_argument("--gone", action=DeprecatedAction, nargs=0, help="Deprecated: use --fast instead.")
        parser.add_argument("--quick", action=DeprecatedStoreTrueAction, nargs=0, dest="fast", new_flag="--fast")

_INPUT_NAMESPACES = [Model, Rest]
""",
}


@pytest.mark.parametrize("files", [BY_HAND, ANNOTATED, SPREAD], ids=["by hand", "annotated", "spread"])
def test_the_same_options_in_every_layout(harvest, files):
    server = harvest("sglang", files)["server"]
    facts = {name: {key: value for key, value in record.items() if key != "source"} for name, record in server.items()}
    fast = facts.pop("fast")
    assert (fast["type"], fast["default"], fast["nargs"], fast["flags"][0]) == ("bool", False, 0, "--fast")
    facts.pop("inner", None)
    gone = facts.pop("gone")
    assert (gone["deprecated"], gone["replaced_by"], gone["nargs"]) == (True, "--fast", 0)
    assert facts == {
        "model_path": {"type": "str", "required": True, "flags": ["--model-path", "--model"]},
        "tp_size": {"type": "int", "default": 1, "flags": ["--tensor-parallel-size", "--tp-size", "--tp"]},
        "backend": {
            "type": "str",
            "default": None,
            "choices": ["one", "two", "three"],
            "flags": ["--backend"],
            "nullable": True,
        },
        "sizes": {"type": "list[int]", "default": None, "flags": ["--sizes"], "nargs": "+", "nullable": True},
        "config": {"type": "str", "default": None, "flags": ["--config"]},
    }


def test_a_retired_spelling_is_no_retired_option(harvest):
    server = harvest("sglang", SPREAD)["server"]
    assert server["fast"]["flags"] == ["--fast", "--quick"]
    assert server["fast"]["deprecated_flags"] == {"--quick": "--fast"}
    assert "deprecated" not in server["fast"]
    assert "flags" not in server["inner"]


def test_variables_of_the_class_and_those_read_by_name(harvest):
    files = {**SPREAD, "sglang/srt/environ.py": ENVIRON, "sglang/srt/deep/down.py": READER}
    env = harvest("sglang", files)["env"]
    defaults = {name: record.get("default", record.get("computed")) for name, record in env.items()}
    assert defaults == {
        "SGLANG_FAST": True,
        "SGLANG_COUNT": None,
        "SGLANG_PLACE": "lambda: somewhere()",
        "SGLANG_LIST": [],
        "SGLANG_LOOSE": True,
        "SGL_COUNT": "3",
    }


def test_a_call_over_lines_with_brackets_in_texts_is_read(harvest):
    reader = 'x = os.environ.get(\n    "SGLANG_ODD",\n    "a)b",\n)\ny = os.getenv("SGLANG_BARE")\n'
    env = harvest("sglang", {**SPREAD, "sglang/srt/x.py": reader})["env"]
    assert (env["SGLANG_ODD"]["default"], env["SGLANG_BARE"]["default"]) == ("a)b", None)


def test_a_destination_that_becomes_a_field(harvest):
    source = """
import dataclasses

@dataclasses.dataclass
class ServerArgs:
    tp_size: int = 1

    @staticmethod
    def add_cli_args(parser):
        parser.add_argument("--tensor-parallel-size", "--tp-size", type=int, default=ServerArgs.tp_size)

    @classmethod
    def from_cli_args(cls, args):
        args.tp_size = args.tensor_parallel_size
        return cls(**vars(args))
"""
    server = harvest("sglang", {"sglang/srt/server_args.py": source})["server"]
    assert server["tp_size"]["flags"] == ["--tensor-parallel-size", "--tp-size"]
    assert set(server) == {"tp_size"}
