"""The static reading of a script against real bash: nothing missed, nothing wrong, each argument and the environment.

Every script in `scripts/` names its construct in its first comment. `# unknown: REASON...` lists what may stay unknown
in it; everything else must be known exactly (or be a harmless symbol such as the home folder). `# elsewhere: PROGRAM`
names what a recorded submitter would start on another machine.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from readings import differences, unknowns

from grpolint.documents.source import read_source
from grpolint.reader import read_launches

SCRIPTS = Path(__file__).parent / "scripts"
NAMES = sorted(path.name for path in SCRIPTS.glob("*.sh"))

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("bash") is None, reason="needs bash and /proc/PID/environ"
)


def header(text: str, name: str) -> set[str]:
    """Words of the header line `# NAME: ...` of a script."""
    lines = [line for line in text.splitlines() if line.startswith(f"# {name}:")]
    return {word for line in lines for word in line.split()[2:] if word != "-"}


@pytest.mark.parametrize("name", NAMES)
def test_reading_is_what_bash_does(name, stage):
    bash, project, home = stage
    script = project / name
    text = script.read_text()
    calls = bash.run(script, home)
    assert any(call.is_launch for call in calls), "the script starts nothing: it tests nothing"
    elsewhere = header(text, "elsewhere")
    launches = [each for each in read_launches(read_source(script)).launches if each.program not in elsewhere]
    assert differences(launches, calls) == []
    assert unknowns(launches) <= header(text, "unknown")


def test_every_construct_has_a_script_of_its_own_and_a_comment():
    assert len(NAMES) >= 100
    for name in NAMES:
        lines = (SCRIPTS / name).read_text().splitlines()
        assert lines[1].startswith("# "), name
