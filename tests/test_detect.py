"""Which release is in use, by what stands near a launch: from the files people keep to the `Version` that rules see."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grpolint.catalog import newest, versions
from grpolint.check import Selection, check
from grpolint.cli.main import main
from grpolint.detect import NoEnvironment, image_pins, installed, requirement_pins
from grpolint.documents.source import read_source
from grpolint.reader import read
from grpolint.values import plain
from grpolint.world import Supplied, World


@pytest.fixture
def world(tmp_path, monkeypatch):
    """A project with these files; the launch is `jobs/run.sh` unless another name is given."""
    monkeypatch.chdir(tmp_path)

    def make(files, launch="jobs/run.sh", text="python3 -m verl.trainer.main_ppo\n", **supplied):
        (tmp_path / ".git").mkdir(exist_ok=True)
        for name, content in {launch: text, **files}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        return World(read_source(tmp_path / launch, launch), Supplied(**supplied))

    return make


def told(world, framework):
    found = world.version(framework)
    return found.text, found.assumed, found.origin


@pytest.mark.parametrize(
    ("script", "packages"),
    [
        ("from setuptools import setup\n\nsetup(name='jobs')\n", True),
        ("import setuptools\nsetuptools.setup()\n", True),
        ("def main():\n    print('folders made')\n\n\nmain()\n", False),
        ("def setup():\n    print('folders made')\n\n\nsetup()\n", False),
        ("", False),
    ],
)
def test_a_setup_script_that_packages_nothing_hides_no_project(world, script, packages):
    made = world({"requirements.txt": "verl==0.4.1\n", "jobs/setup.py": script})
    assert made.root.name == ("jobs" if packages else made.folder.parent.name)
    assert made.version("verl").assumed == packages


LOCK = '[[package]]\nname = "torch"\nversion = "2.6.0"\n\n[[package]]\nname = "vllm"\nversion = "0.8.5.post1"\nsource = { registry = "x" }\n'


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("requirements.txt", "torch\nvllm==0.8.5.post1\n", 2),
        ("requirements.txt", "vllm[audio] == 0.8.5.post1 ; python_version > '3.9'  # engine\n", 1),
        ("requirements-train.txt", "vllm==0.8.5.post1\n", 1),
        ("requirements/base.txt", "vllm==0.8.5.post1+cu124\n", 1),
        ("uv.lock", LOCK, 7),
        ("poetry.lock", LOCK, 7),
        ("freeze.txt", "torch==2.6.0\nvllm==0.8.5.post1\n", 2),
        ("pyproject.toml", '[project]\ndependencies = [\n  "vllm==0.8.5.post1",\n]\n', 3),
        ("pyproject.toml", '[tool.poetry.dependencies]\nvllm = "0.8.5.post1"\n', 2),
        ("pyproject.toml", '[tool.poetry.dependencies]\nvllm = {version = "0.8.5.post1", extras = ["x"]}\n', 2),
        ("setup.py", 'setup(install_requires=["vllm==0.8.5.post1"])\n', 1),
        ("environment.yml", "dependencies:\n  - python=3.10\n  - pip:\n    - vllm==0.8.5.post1\n", 4),
        ("conda-env.yaml", "dependencies:\n  - vllm=0.8.5.post1\n", 2),
        ("Dockerfile", "FROM ubuntu\nRUN pip install vllm==0.8.5.post1\n", 2),
        ("requirements.txt", "vllm @ git+https://github.com/vllm-project/vllm.git@v0.8.5.post1\n", 1),
    ],
)
@pytest.mark.parametrize("folder", ["", "jobs/"])
def test_files_that_pin(world, name, content, line, folder):
    assert told(world({folder + name: content}), "vllm") == ("0.8.5.post1", False, f"{folder}{name}:{line}")


@pytest.mark.parametrize(
    ("text", "framework", "version", "exact"),
    [
        ("docker run --gpus all vllm/vllm-openai:v0.11.0 --model m\n", "vllm", "0.11.0", True),
        ("#SBATCH --container-image=docker://lmsysorg/sglang:v0.5.9\n", "sglang", "0.5.9", True),
        ("IMAGE=lmsysorg/sglang:v0.4.6.post5-rocm630\ndocker run $IMAGE\n", "sglang", "0.4.6.post5", True),
        ("docker run verlai/verl:app-verl0.5-sglang0.4.6.post5-mcore0.12.1\n", "sglang", "0.4.6.post5", True),
        ("docker run verlai/verl:app-verl0.5-sglang0.4.6.post5-mcore0.12.1\n", "megatron", "0.12.1", True),
        ("docker run verlai/verl:app-verl0.5-sglang0.4.6.post5-mcore0.12.1\n", "verl", "0.5.0", False),
        ("docker run rlsys/verl:verl-0.4.1_ubuntu-22.04_rocm6.3.4-numa-patch_vllm0.8.5\n", "verl", "0.4.1", True),
        ("docker run docker.io/rocm/vllm:rocm6.2_mi300_ubuntu20.04_py3.9_vllm_0.6.4\n", "vllm", "0.6.4", True),
        ("docker run verlai/verl:vllm012.latest\n", "vllm", "0.12.0", False),
    ],
)
def test_container_images(world, text, framework, version, exact):
    made = world({}, text=text + "python3 -m verl.trainer.main_ppo\n")
    line = next(number for number, each in enumerate(text.splitlines(), 1) if ":" in each)
    found = made.version(framework)
    assert (found.text, found.assumed) == (version, not exact)
    assert found.origin.startswith(f"jobs/run.sh:{line}")


@pytest.mark.parametrize(
    "text",
    [
        "# docker run vllm/vllm-openai:v0.11.0\n",
        "docker run vllm/vllm-openai:latest\n",
        "docker run me/vllm-tools:v0.11.0\n",
        "docker run docker.io/haibinlin/verl:v0.0.5-th2.4.0-cu124-base\n",
        "docker run nvcr.io/nvidia/pytorch:24.08-py3\n",
        "curl http://verl:8080/image\n",
    ],
)
def test_images_that_tell_nothing(world, text):
    made = world({}, text=text)
    for framework in ("vllm", "verl"):
        assert told(made, framework) == (newest(framework), True, "newest known")


@pytest.mark.parametrize(
    ("bounds", "version"),
    [
        (">=0.18,<0.20", "0.19.1"),
        ("~=0.18.0", "0.18.2"),
        ("<=0.18.1", "0.18.1"),
        ("==0.18.*", "0.18.2"),
        (">=0.18", None),
    ],
)
def test_a_range_is_assumed(world, bounds, version):
    found = world({"requirements.txt": f"trl{bounds}\n"}).version("trl")
    assert found.assumed
    assert found.text == (version or newest("trl"))
    assert found.origin == f"requirements.txt:1: {bounds}"


@pytest.mark.parametrize(
    "content",
    [
        "# vllm==0.8.5\n",
        "my-vllm==0.8.5\n",
        "vllm\n",
        "x = vllm_0.8.5\n",
    ],
)
def test_lines_that_tell_nothing(world, content):
    assert told(world({"requirements.txt": content}), "vllm") == (newest("vllm"), True, "newest known")


# order


def test_who_comes_first(world):
    files = {}
    steps = [
        ("Dockerfile", "FROM vllm/vllm-openai:v0.9.0\n", "0.9.0"),
        ("requirements-extra.txt", "vllm==0.9.1\n", "0.9.1"),
        ("requirements.txt", "vllm==0.9.2\n", "0.9.2"),
        ("uv.lock", LOCK, "0.8.5.post1"),
        ("jobs/requirements.txt", "vllm==0.10.0\n", "0.10.0"),
    ]
    for number, (name, content, version) in enumerate(steps):
        files[name] = content
        launch = f"jobs/run{number}.sh" if name.startswith("jobs") else "jobs/run.sh"
        from grpolint import detect

        detect._folder.cache_clear()
        assert world(files, launch=launch).version("vllm").text == version
    assert told(world(files, versions={"vllm": "0.7.0"}), "vllm") == ("0.7.0", False, "--with")
    text = "pip install vllm==0.11.0\npython3 -m verl.trainer.main_ppo\n"
    assert told(world(files, text=text), "vllm") == ("0.11.0", False, "jobs/run.sh:1")


def test_files_that_contradict_each_other(world):
    found = world({"requirements-a.txt": "vllm==0.9.0\n", "requirements-b.txt": "vllm==0.10.0\n"}).version("vllm")
    assert (found.text, found.assumed) == ("0.9.0", True)
    assert found.origin == "requirements-a.txt:1, where others say 0.10.0"


def test_a_checkout_of_the_framework_may_be_what_runs(world):
    files = {"requirements.txt": "sglang==0.4.9.post6\n", "python/sglang/__init__.py": ""}
    found = world(files).version("sglang")
    assert (found.text, found.assumed) == ("0.4.9.post6", True)
    assert found.origin == "requirements.txt:1, beside a checkout of sglang"


def test_a_development_version_is_no_release(world):
    found = world({"requirements.txt": "verl==0.7.0.dev0\n"}).version("verl")
    assert (found.text, found.assumed) == ("0.7.0", True)


def test_nothing_outside_the_project_is_read(world, tmp_path):
    (tmp_path.parent / "requirements.txt").write_text("vllm==0.8.5\n")
    try:
        assert world({}).version("vllm").assumed
    finally:
        (tmp_path.parent / "requirements.txt").unlink()


def test_files_that_nobody_can_read(world):
    made = world({"requirements.txt": "vllm==0.8.5\n"})
    (made.root / "requirements.txt").write_bytes(b"\xff\xfevllm==0.8.5\n" + b"\0" * 10)
    (made.root / "uv.lock").mkdir()
    assert made.version("vllm").text == "0.8.5"


# --python


@pytest.mark.parametrize("place", ["lib/python3.11/site-packages", "Lib/site-packages", ""])
def test_an_environment(world, tmp_path, place, capsys):
    site = tmp_path / "env" / place
    for name in (
        "verl-0.8.0.dist-info",
        "vllm_ascend-0.13.0.dist-info",
        "torch-2.6.0+cu124.dist-info",
        "trl-0.19.1-py3.11.egg-info",
    ):
        (site / name).mkdir(parents=True)
    (tmp_path / "env" / "bin").mkdir()
    (tmp_path / "env" / "bin" / "python").write_text("")
    for path in (tmp_path / "env", site, *([tmp_path / "env/bin/python"] if place else [])):
        assert installed(str(path)) == {
            "verl": "0.8.0",
            "vllm-ascend": "0.13.0",
            "torch": "2.6.0",
            "trl": "0.19.1",
        }
    made = world({"requirements.txt": "verl==0.7.0\n"}, python="env")
    assert told(made, "verl") == ("0.8.0", False, "--python env")
    main(["show", "jobs/run.sh", "--python", "env", "--format", "json"])
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert run["versions"]["verl"] == "0.8.0"


def test_a_folder_that_is_no_environment(world, capsys):
    world({})
    with pytest.raises(NoEnvironment):
        installed("jobs")
    assert main(["check", "jobs/run.sh", "--python", "jobs"]) == 2
    assert capsys.readouterr().err == "grpolint check: --python jobs is no environment: it has no installed packages\n"


# any text

WORDS = st.sampled_from(
    [
        "vllm",
        "verl",
        "trl",
        "==",
        ">=",
        "~=",
        "0.8.5",
        "1.0.*",
        "v0.11.0",
        "/",
        ":",
        "@",
        "[x]",
        "\n",
        " ",
        '"',
        "=",
        "^",
        "#",
        "docker://",
        ",",
        "post1",
        ".",
        "-",
    ]
)


@given(st.lists(WORDS, max_size=40).map("".join))
@example("vllm = '^1'")
@example("vllm==1.0,==2.0")
@example('trl = "~0"')
def test_any_text_gives_releases_or_nothing(text):
    for pin in (*requirement_pins(text, "x"), *image_pins(text, "x")):
        assert versions(pin.framework) or pin.framework in ("nemo-rl", "areal", "slime", "rllm")
        assert pin.exact or pin.range
        if pin.exact:
            assert pin.exact in text
        from grpolint.detect import _newest

        if pin.exact is None:
            _newest(pin.framework, pin)


@pytest.mark.parametrize("change", ["cd src/train", "cd $HOME/project/src/train", 'cd "$(dirname "$0")/../src/train"'])
def test_the_folder_that_the_script_changes_into_is_looked_at_first(tmp_path, change):
    (tmp_path / ".git").mkdir()
    for name, text in {
        "requirements.txt": "trl==1.0.0\n",
        "src/train/setup.py": 'from setuptools import setup\nsetup(install_requires=["trl==0.16.0"])\n',
        "src/train/conf/grpo.yaml": "num_generations: 6\nmax_completion_length: 64\nlearning_rate: 1e-6\nmax_steps: 9\n",
        "jobs/run.sh": f"{change}\ntrl grpo --config conf/grpo.yaml\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (run,) = read(read_source(tmp_path / "jobs/run.sh", str(tmp_path / "jobs/run.sh"))).runs
    version = run.settings["trl"].version
    assert (version.text, version.assumed) == ("0.16.0", False)
    assert plain(run.value("trl", "num_generations")) == 6


def test_a_folder_outside_the_project_is_not_looked_at(tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "requirements.txt").write_text("trl==0.16.0\n")
    script = tmp_path / "project" / "run.sh"
    (tmp_path / "project" / ".git").mkdir(parents=True)
    script.write_text(f"cd {tmp_path}/other\ntrl grpo --num_generations 8\n")
    (run,) = read(read_source(script, str(script))).runs
    assert run.settings["trl"].version.assumed


@pytest.mark.parametrize(
    "line",
    [
        "trl @ git+https://github.com/huggingface/trl.git@c04e84c4545acfaecdf7e0631ad07a86ab0fb2f6",
        "git+https://github.com/huggingface/trl.git",
        "git+https://github.com/huggingface/trl@main",
    ],
)
def test_a_commit_is_no_release_that_is_known(world, line):
    version = world({"requirements.txt": line + "\n"}, text="trl grpo\n").version("trl")
    assert version.assumed and version.range == "" and version.text == newest("trl")


@pytest.mark.parametrize("more", [{}, {"requirements.txt": "verl==0.7.1\n"}])
def test_a_submodule_is_some_commit(world, more):
    modules = '[submodule "verl"]\n\tpath = verl\n\turl = https://github.com/volcengine/verl.git\n'
    version = world({".gitmodules": modules, **more}).version("verl")
    assert (version.assumed, version.range) == ((True, "") if not more else (False, None))


def test_the_tag_of_a_release_is_one(world):
    made = world({"requirements.txt": "git+https://github.com/huggingface/trl.git@v0.18.0\n"})
    assert told(made, "trl") == ("0.18.0", False, "requirements.txt:1")


@pytest.mark.parametrize(
    ("requirements", "decided"),
    [
        ("trl==1.16.0\n", True),
        ("trl>=1.0\n", True),
        ("trl>=0.20\n", False),
        ("git+https://github.com/huggingface/trl.git\n", False),
    ],
)
def test_a_rule_is_undecided_where_releases_within_the_bounds_differ(tmp_path, requirements, decided):
    (tmp_path / "requirements.txt").write_text(requirements)
    (tmp_path / "pyproject.toml").write_text("")
    recipe = tmp_path / "sft.yaml"
    recipe.write_text(
        "model_name_or_path: Qwen/Qwen2.5-0.5B\ndataset_name: a/b\nmax_length: 4096\npacking: false\npadding_free: true\n"
        "learning_rate: 1e-5\nmax_steps: 9\noutput_dir: out\n"
    )
    report = check(read(read_source(recipe, str(recipe))), Selection(select=("TR040",)))
    ((_, result),) = report.results
    assert (len(result.findings), result.missing) == ((1, ()) if decided else (0, ("version:trl",)))
