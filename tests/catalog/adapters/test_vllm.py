"""vLLM's layouts: plain argparse beside a dataclass, and defaults that point into configuration classes."""

PLAIN = {
    "vllm/engine/arg_utils.py": """
import argparse
from dataclasses import dataclass
from typing import Optional

@dataclass
class EngineArgs:
    model: str = "small"
    swap: float = 4
    eager: Optional[bool] = None

    @staticmethod
    def add_cli_args(parser):
        parser.add_argument("--model", type=str, default="small", help="Which.")
        parser.add_argument("--swap", type=float, default=EngineArgs.swap, help="GiB.")
        parser.add_argument("--eager", action="store_true", help="No graphs.")
        parser.add_argument("--old-way", action="store_true", help="[DEPRECATED] Use --eager instead.")
        return parser

@dataclass
class AsyncEngineArgs(EngineArgs):
    quiet: bool = False

    @staticmethod
    def add_cli_args(parser):
        parser.add_argument("--quiet", action="store_true")
        return parser
""",
    "vllm/envs.py": """
import os
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    VLLM_NEW: bool = False
    VLLM_NAME: Optional[str] = None
    VLLM_PLACE: str = "somewhere"

environment_variables = {
    "VLLM_NEW": lambda: bool(int(os.getenv("VLLM_NEW", "1"))),
    "VLLM_NAME": lambda: os.getenv("VLLM_NAME", None),
    "VLLM_PLACE": lambda: os.getenv("VLLM_PLACE", place()).lower(),
    "VLLM_ON": lambda: os.environ.get("VLLM_ON", "0").strip().lower() in ("1", "true"),
    "VLLM_COUNT": lambda: int(os.environ["VLLM_COUNT"]) if "VLLM_COUNT" in os.environ else 7,
    "VLLM_ROOT": lambda: os.path.expanduser(os.getenv("VLLM_ROOT", "~/x")),
    "VLLM_KIND": env_with_choices("VLLM_KIND", "a", ["a", "b"]),
}
""",
}

POINTING = {
    "vllm/config/cache.py": """
from dataclasses import dataclass, field
from typing import Literal
from pydantic import Field

Kind = Literal["auto", "fp8"]

@dataclass
class CacheConfig:
    share: float = Field(default=0.92, gt=0, le=1)
    kind: Kind = "auto"
    names: list[str] = field(default_factory=list)
    old: bool = False
    \"\"\"This parameter is deprecated. Use `kind` instead.\"\"\"
    nested: "Inner" = field(default_factory=lambda: Inner())

class Inner: ...
""",
    "vllm/config/__init__.py": "from vllm.config.cache import CacheConfig\n",
    "vllm/engine/arg_utils.py": """
from dataclasses import dataclass
from vllm.config import CacheConfig

def get_kwargs(cls): ...
def get_field(cls, name): ...

@dataclass
class EngineArgs:
    share: float = CacheConfig.share
    kind: "Kind | str" = CacheConfig.kind
    names: list[str] = get_field(CacheConfig, "names")
    old: bool = CacheConfig.old
    nested: "Inner" = get_field(CacheConfig, "nested")
    limit: int | None = None
    token: bool | str | None = None
    _rank: int = 0

    @staticmethod
    def add_cli_args(parser):
        cache = get_kwargs(CacheConfig)
        group = parser.add_argument_group(title="Cache")
        group.add_argument("--share", "--portion", **cache["share"])
        group.add_argument("--kind", **cache["kind"])
        group.add_argument("--names", **cache["names"])
        group.add_argument("--old", **cache["old"])
        group.add_argument("--limit", "-l", type=int, **{**cache["limit"], "default": None})
        group.add_argument("--token", **cache["token"])
        return parser

@dataclass
class AsyncEngineArgs(EngineArgs):
    loud: bool = False
""",
    "vllm/entrypoints/launchers/cli_args.py": """
from dataclasses import dataclass, field

@dataclass
class FrontendArgs:
    port: int = 8000
    origins: list[str] = field(default_factory=lambda: ["*"])
    docs: bool = True

    @classmethod
    def _customize(cls, kwargs):
        del kwargs["origins"]["nargs"]

def make_arg_parser(parser):
    parser.add_argument("tag", type=str, nargs="?")
    parser.add_argument("--headless", action="store_true")
    return FrontendArgs.add_cli_args(parser)
""",
}


def test_plain_argparse(harvest):
    engine = harvest("vllm", PLAIN)["engine"]
    assert engine["swap"]["default"] == 4
    assert engine["eager"] == {
        "type": "bool",
        "default": None,
        "flags": ["--eager"],
        "nargs": 0,
        "nullable": True,
        "source": "vllm/engine/arg_utils.py",
    }
    assert (engine["old_way"]["deprecated"], engine["old_way"]["replaced_by"]) == (True, "--eager")
    assert engine["quiet"]["default"] is False


def test_an_unset_variable_is_worth_what_its_reader_makes_of_it(harvest):
    env = harvest("vllm", PLAIN)["env"]
    defaults = {name: record.get("default", record.get("computed")) for name, record in env.items()}
    assert defaults == {
        "VLLM_NEW": True,  # the reader, not its summary under TYPE_CHECKING
        "VLLM_NAME": None,
        "VLLM_PLACE": "somewhere",  # the reader cannot be followed
        "VLLM_ON": False,
        "VLLM_COUNT": 7,
        "VLLM_ROOT": "os.path.expanduser('~/x')",
        "VLLM_KIND": "a",
    }
    assert env["VLLM_KIND"]["choices"] == ["a", "b"]
    assert env["VLLM_ON"]["type"] == "bool"


def test_defaults_are_followed_into_configuration_classes(harvest):
    engine = harvest("vllm", POINTING)["engine"]
    assert engine["share"] == {
        "type": "float",
        "default": 0.92,
        "flags": ["--share", "--portion"],
        "min": 0,
        "max": 1,
        "exclusive": ["min"],
        "source": "vllm/engine/arg_utils.py",
    }
    assert "choices" not in engine["kind"]  # any other text is allowed as well
    assert (engine["names"]["default"], engine["names"]["nargs"]) == ([], "+")
    assert engine["nested"]["computed"] == "Inner()"
    assert engine["old"]["flags"] == ["--old", "--no-old"]
    assert (engine["old"]["deprecated"], "replaced_by" in engine["old"]) == (True, False)
    assert engine["limit"]["flags"] == ["--limit", "-l"]
    assert engine["token"]["nargs"] == "?"
    assert "_rank" not in engine
    assert engine["loud"]["default"] is False


def test_the_server_has_what_the_engine_has_not(harvest):
    serve = harvest("vllm", POINTING)["serve"]
    assert set(serve) == {"port", "origins", "docs", "headless"}
    assert "nargs" not in serve["origins"]  # given as one JSON text
    assert serve["docs"]["flags"] == ["--docs", "--no-docs"]
    assert serve["headless"]["flags"] == ["--headless"]
