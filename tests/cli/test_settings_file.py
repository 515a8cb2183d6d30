"""The project's settings: which file, which keys, and what is said of a wrong one."""

import pytest

from grpolint.settings_file import FileSettings, SettingsError, find, nearest

FULL = """\
select = ["GR", "VE002"]
ignore = ["D07"]
fail-on = "error"
gpu = "h100"
gpus-per-node = 8
nodes = 2
exclude = ["third_party/"]
[{0}env]
NNODES = "2"
DEBUG = true
[{0}set]
"verl:actor_rollout_ref.rollout.n" = 8
[{0}with]
verl = "0.9.1"
[{0}per-file-ignores]
"examples/**" = ["GR001"]
"""


def test_nothing_is_said_without_a_file(tmp_path):
    assert nearest(str(tmp_path)) == FileSettings()


@pytest.mark.parametrize(
    ("name", "head", "prefix"), [("grpolint.toml", "", ""), ("pyproject.toml", "[tool.grpolint]\n", "tool.grpolint.")]
)
def test_every_key(tmp_path, name, head, prefix):
    (tmp_path / name).write_text(head + FULL.format(prefix))
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert nearest(str(below)) == FileSettings(
        path=str(tmp_path / name),
        folder=str(tmp_path),
        select=("GR", "VE002"),
        ignore=("D07",),
        fail_on="error",
        env={"NNODES": "2", "DEBUG": "true"},
        set=("verl:actor_rollout_ref.rollout.n=8",),
        versions=("verl==0.9.1",),
        gpu="h100",
        gpus_per_node=8,
        nodes=2,
        exclude=("third_party/",),
        per_file_ignores={"examples/**": ("GR001",)},
    )


def test_nearest_wins_and_own_file_comes_before_pyproject(tmp_path):
    below = tmp_path / "a"
    below.mkdir()
    (tmp_path / "grpolint.toml").write_text("")
    assert find(str(below)) == str(tmp_path / "grpolint.toml")
    (below / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert find(str(below)) == str(tmp_path / "grpolint.toml")
    (below / "pyproject.toml").write_text("[tool.grpolint]\n")
    assert find(str(below)) == str(below / "pyproject.toml")
    (below / "grpolint.toml").write_text("")
    assert find(str(below)) == str(below / "grpolint.toml")


def test_foreign_pyproject_is_not_parsed(tmp_path):
    (tmp_path / "pyproject.toml").write_text("this is [ not TOML")
    assert nearest(str(tmp_path)).path != str(tmp_path / "pyproject.toml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("selct = []", "unknown key 'selct'; did you mean 'select'?"),
        ("fail_on = 'error'", "unknown key 'fail_on'; did you mean 'fail-on'?"),
        ("frobnicate = 1", "unknown key 'frobnicate'"),
        ("fail-on = 'fatal'", "fail-on is 'fatal'; it can be error, warning, info, never"),
        ("select = 'GR'", "select must be a list of texts, not 'GR'"),
        ("ignore = [1]", "ignore must be a list of texts, not [1]"),
        ("nodes = 0", "nodes must be a whole number above 0, not 0"),
        ("nodes = true", "nodes must be a whole number above 0, not True"),
        ("gpu = 4090", "gpu must be a text, not 4090"),
        ("env = ['A=1']", 'env must be a table, such as { NNODES = "2" }'),
        ("[env]\nA = [1]", "env.A must be a text, a number or a truth value, not [1]"),
        ("with = 'verl==1'", 'with must be a table, such as { verl = "0.9.1" }'),
        ("a = ", "not valid TOML"),
    ],
)
def test_wrong_settings_are_told_in_one_line(tmp_path, text, said):
    path = tmp_path / "grpolint.toml"
    path.write_text(text)
    with pytest.raises(SettingsError) as error:
        nearest(str(tmp_path))
    assert str(error.value).startswith(f"{path}: {said}")


def test_not_utf8(tmp_path):
    (tmp_path / "grpolint.toml").write_bytes(b"gpu = '\xff'")
    with pytest.raises(SettingsError, match="not valid TOML"):
        nearest(str(tmp_path))
