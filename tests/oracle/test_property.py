"""Generated scripts: the static reading of each must be what bash does, with nothing unknown."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from readings import differences, unknowns
from script_strategy import scripts

from grpolint.documents.source import read_source
from grpolint.reader import read_launches


@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")
@settings(
    max_examples=int(os.environ.get("GRPOLINT_EXAMPLES", "150")),
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=list(HealthCheck),
)
@given(text=scripts())
def test_generated_scripts_read_as_bash_runs_them(stage, text):
    bash, project, home = stage
    script = project / "generated" / "script.sh"
    script.parent.mkdir(exist_ok=True)
    script.write_text(text)
    calls = bash.run(script, home)
    launches = read_launches(read_source(script)).launches
    assert differences(launches, calls) == []
    assert unknowns(launches) == set()
