"""The skill for agents: where it lies, and writing it where an agent finds it."""

from __future__ import annotations

from pathlib import Path

__all__ = ["SkillError", "files", "install"]


class SkillError(Exception):
    """The skill cannot be written. `str(error)` is one sentence."""


def _home() -> Path:
    """The folder of the skill: inside the installed package, or beside the sources of a checkout."""
    package = Path(__file__).resolve().parent
    return next(
        (each for each in (package / "skill", package.parents[1] / "skill") if (each / "SKILL.md").is_file()),
        package / "skill",
    )


def files() -> dict[str, str]:
    """Text of each file of the skill by its path inside it, `SKILL.md` first. Raises SkillError where they are missing."""
    home = _home()
    found = sorted(home.rglob("*.md"), key=lambda path: (path.name != "SKILL.md", path))
    if not found:
        raise SkillError(f"{home}: the files of the skill are missing from this installation")
    return {path.relative_to(home).as_posix(): path.read_text(encoding="utf-8") for path in found}


def install(folder: Path) -> list[Path]:
    """Write the skill into `folder/grpolint`; the result are the files written. Raises SkillError.

    An earlier copy is replaced; a skill of another name that stands there is not touched.
    """
    target = folder / "grpolint"
    there = target / "SKILL.md"
    written = []
    try:
        if there.exists() and "\nname: grpolint\n" not in there.read_text(encoding="utf-8", errors="replace"):
            raise SkillError(f"{there} is another skill; give another folder with --dir")
        for name, text in files().items():
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            written.append(path)
    except OSError as error:
        raise SkillError(f"{error.filename or target}: {error.strerror or error}") from error
    return written
