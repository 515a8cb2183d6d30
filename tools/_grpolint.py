"""Runs the package of this checkout, whatever Python called the script."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def run(command: str) -> None:
    """Hand the script's arguments to `grpolint command` and exit with its code.

    Where this Python lacks the libraries that grpolint needs, that of the checkout's `.venv` is taken.
    """
    sys.path.insert(0, str(ROOT / "src"))
    try:
        import packaging  # noqa: F401
        import pathspec  # noqa: F401
        import yaml  # noqa: F401
    except ImportError as error:
        python = ROOT / ".venv" / "bin" / "python"
        if not python.is_file() or Path(sys.prefix).resolve() == ROOT / ".venv":
            sys.exit(f"{error.name} is missing: run `make setup`, or `pip install .`")
        os.execv(python, [str(python), *sys.argv])
    from grpolint.cli.main import main

    sys.exit(main([command, *sys.argv[1:]]))
