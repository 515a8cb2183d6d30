"""The built wheel: what a user installs has all it needs, nothing of the workshop, and stays small."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from configparser import ConfigParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "grpolint"

DEFLATED_DATA = 1_500_000
"""Bytes that the catalog's data may add to the wheel."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert built.returncode == 0, built.stderr
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        yield archive


def metadata(wheel, name):
    (path,) = [entry for entry in wheel.namelist() if entry.endswith(f".dist-info/{name}")]
    return wheel.read(path).decode()


def test_the_catalog_stays_within_its_budget(wheel):
    sizes = {entry.filename: entry.compress_size for entry in wheel.infolist() if "/catalog/data/" in entry.filename}
    shipped = {Path(name).name for name in sizes}
    assert shipped == {path.name for path in (PACKAGE / "catalog" / "data").glob("*.json")}
    assert len(shipped) > 15
    assert 100_000 < sum(sizes.values()) < DEFLATED_DATA, sizes


def test_every_module_and_every_data_file_is_inside(wheel):
    suffixes = {".py", ".json", ".typed", ".yaml", ".toml"}
    sources = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.suffix in suffixes and "__pycache__" not in path.parts
    }
    skill = {"grpolint/" + path.relative_to(ROOT).as_posix() for path in (ROOT / "skill").rglob("*.md")}
    shipped = {name for name in wheel.namelist() if name.startswith("grpolint/")}
    assert shipped == sources | skill
    assert "grpolint/skill/SKILL.md" in shipped
    assert {"grpolint/py.typed", "grpolint/rules/index.json", "grpolint/cli/main.py"} <= shipped


def test_nothing_of_the_workshop_is_inside(wheel):
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"grpolint"}
    parts = {part for name in wheel.namelist() for part in name.split("/")}
    assert not parts & {"tests", "catalog-build", "harvest", "docs", "examples", "Makefile", "__pycache__"}
    assert not [part for part in parts if part.startswith((".", "test_", "conftest"))]


def test_the_entry_point_leads_to_the_command(wheel):
    scripts = ConfigParser()
    scripts.read_string(metadata(wheel, "entry_points.txt"))
    assert dict(scripts["console_scripts"]) == {"grpolint": "grpolint.cli.main:main"}


def test_it_works_from_the_wheel_alone(wheel, tmp_path):
    """Unpacked away from the checkout it reads a launch and finds what the checkout finds."""
    wheel.extractall(tmp_path)
    script = ROOT / "examples" / "run_qwen3_8b_grpo.sh"
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from grpolint.cli.main import main; code = main()"
    program += "; sys.stderr.write(sys.modules['grpolint'].__file__); sys.exit(code)"
    command = [sys.executable, "-I", "-c", program, "check", "--format", "json", str(script)]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 1, ran.stderr
    assert str(tmp_path) in ran.stderr
    assert ran.stdout.count('"rule"') > 0


def test_the_metadata_names_what_it_needs_at_run_time_only(wheel):
    lines = metadata(wheel, "METADATA").splitlines()
    needed = {
        line.split(": ")[1].partition(">")[0]
        for line in lines
        if line.startswith("Requires-Dist: ") and "extra ==" not in line
    }
    assert needed == {"pyyaml", "packaging", "pathspec", "tomli"}
    assert "Requires-Python: >=3.10" in lines
