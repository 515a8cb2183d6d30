"""Runs a script under real bash in which every program that could be a launch is a stub that records its call.

The stubs stand in a folder of their own, first on PATH; behind them are links to a few text tools. The environment is
empty but for PATH and HOME. A call is recorded as its words, its environment and its working folder.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path


def _words(text: str) -> list[str]:
    return text.split()


STARTERS = _words("""python python3 torchrun accelerate deepspeed ray uv vllm sglang trl swift megatron llamafactory-cli axolotl
srun sbatch docker conda""")
SILENT = _words("nvidia-smi hostname git pip wandb huggingface-cli pkill sleep scontrol")
TOOLS = _words("""awk basename bash cat cut date dirname env expr head ls mkdir nice nohup readlink realpath sed seq sort stdbuf
tail tee timeout tr wc""")

_STUB = r"""#!{bash}
{{
  printf '%s\0' "$(($# + 1))" "${{0##*/}}" "$@" "$PWD"
  entries=()
  while IFS= read -r -d '' entry; do entries+=("$entry"); done < /proc/$$/environ
  printf '%s\0' "${{#entries[@]}}" "${{entries[@]}}"
}} >> {log}/$$
exit 0
"""
_OF_BASH = {"PATH", "HOME", "PWD", "OLDPWD", "SHLVL", "_", "LC_ALL", "_STDBUF_O", "_STDBUF_E", "_STDBUF_I"}


@dataclass(frozen=True)
class Call:
    """One recorded program start."""

    words: list[str]
    folder: str
    env: dict[str, str] = field(default_factory=dict)

    @property
    def is_launch(self) -> bool:
        """Whether a program of interest starts, not a service command or code on standard input."""
        name, rest = self.words[0], self.words[1:]
        if name.startswith("python"):
            return bool(rest) and rest[0] not in ("-c", "-", "--version") and rest[:2] != ["-m", "pip"]
        needed = {"ray": "job", "accelerate": "launch", "conda": "run", "uv": "run", "docker": "run"}.get(name)
        return needed is None or (bool(rest) and rest[0] == needed)


class Bash:
    """Real bash with recorders in `folder`, an empty temporary folder."""

    def __init__(self, folder: Path) -> None:
        self.bash = shutil.which("bash") or "/bin/bash"
        self.log = folder / "log"
        self.stubs = folder / "stubs"
        self.tools = folder / "tools"
        self.stubs.mkdir()
        self.tools.mkdir()
        self.log.mkdir()
        stub = self.stubs / "recorder"
        stub.write_text(_STUB.format(bash=self.bash, log=self.log))
        stub.chmod(0o755)
        for name in STARTERS:
            (self.stubs / name).symlink_to(stub)
        silent = self.stubs / "silent"
        silent.write_text("#!/bin/sh\nexit 0\n")
        silent.chmod(0o755)
        for name in SILENT:
            (self.stubs / name).symlink_to(silent)
        for name in TOOLS:
            if (path := shutil.which(name)) is not None:
                (self.tools / name).symlink_to(os.path.realpath(path))

    def run(self, script: Path, home: Path) -> list[Call]:
        """All calls that the script makes, run in its own folder without arguments, oldest first."""
        for old in self.log.iterdir():
            old.unlink()
        subprocess.run(
            [self.bash, script.name],
            cwd=script.parent,
            env={"PATH": f"{self.stubs}:{self.tools}", "HOME": str(home), "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=20,
            check=False,
        )
        # One file a process, so that programs in the background do not write into each other's records.
        files = sorted(self.log.iterdir(), key=lambda path: path.stat().st_mtime_ns)
        return [call for path in files for call in _calls(path.read_bytes())]


def _calls(record: bytes) -> list[Call]:
    fields = record.decode("utf-8", "surrogateescape").split("\0")
    calls, at = [], 0
    while at < len(fields) - 1:
        count = int(fields[at])
        words, folder = fields[at + 1 : at + 1 + count], fields[at + 1 + count]
        at += 2 + count
        count = int(fields[at])
        pairs = [entry.partition("=") for entry in fields[at + 1 : at + 1 + count]]
        at += 1 + count
        env = {name: value for name, _, value in pairs if name not in _OF_BASH and "libstdbuf" not in value}
        calls.append(Call(words, folder, env))
    return calls
