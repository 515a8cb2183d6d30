"""Which files of a folder are looked at."""

import os

import pytest

from grpolint.discover import WALK_BYTES, Walk


@pytest.fixture
def tree(tmp_path):
    def make(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return make


def found(folder, **options):
    return [os.path.relpath(path, folder) for path in Walk(str(folder), **options).files()]


def test_suffixes_and_shebangs(tree):
    folder = tree(
        {
            "a.sh": "x",
            "b.YAML": "x",
            "c.yml": "x",
            "d.json": "x",
            "e.jsonc": "x",
            "f.py": "x",
            "g.ipynb": "x",
            "h.slurm": "x",
            "i.sbatch": "x",
            "j.bash": "x",
            "launch": "#!/bin/bash\ntrain",
            "serve": "#!/usr/bin/env python3\n",
            "README": "no launch",
            "perl": "#!/usr/bin/perl\n",
            "README.md": "x",
            "data.parquet": "x",
            "empty.sh": "",
            ".hidden": "#!/bin/sh\n",
        }
    )
    names = ["a.sh", "b.YAML", "c.yml", "d.json", "e.jsonc", "f.py", "g.ipynb", "h.slurm", "i.sbatch", "j.bash"]
    assert found(folder) == [*names, "launch", "serve"]


def test_folders_of_other_people_are_skipped(tree):
    files = {f"{name}/a.sh": "x" for name in (".git", "node_modules", "site-packages", "__pycache__", "kept")}
    files |= {"env/pyvenv.cfg": "home = /usr", "env/bin/a.sh": "x", "mamba/conda-meta/h.json": "{}", "mamba/b.sh": "x"}
    assert found(tree(files)) == ["kept/a.sh"]


def test_files_before_folders_in_the_order_of_names(tree):
    folder = tree({"b/z.sh": "x", "a/y.sh": "x", "c.sh": "x", "a.sh": "x", "b/a/k.sh": "x"})
    assert found(folder) == ["a.sh", "c.sh", "a/y.sh", "b/z.sh", "b/a/k.sh"]


def test_gitignore_as_git_reads_it(tree):
    folder = tree(
        {
            ".git/HEAD": "x",
            ".gitignore": "*.json\n!keep.json\n/top.sh\nout/\n\n# comment\n",
            "a.json": "x",
            "keep.json": "x",
            "top.sh": "x",
            "sub/top.sh": "x",
            "sub/.gitignore": "!b.json\nlocal.sh\n",
            "sub/b.json": "x",
            "sub/local.sh": "x",
            "local.sh": "x",
            "out/run.sh": "x",
            "sub/out/run.sh": "x",
            "out.sh": "x",
        }
    )
    assert found(folder) == ["keep.json", "local.sh", "out.sh", "sub/b.json", "sub/top.sh"]


def test_gitignore_equals_git(tree):
    import shutil
    import subprocess

    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    patterns = ["a*.sh", "!ab.sh", "d/", "/e/f", "**/g.sh", "h/**/i.sh", "[xy].sh", "\\#k.sh", "l.sh ", "m?.sh"]
    names = ["a.sh", "ab.sh", "d/a.sh", "e/f/a.sh", "e/b.sh", "n/e/f/c.sh", "n/g.sh", "h/i.sh", "h/1/2/i.sh", "x.sh"]
    names += ["z.sh", "#k.sh", "l.sh", "m1.sh", "m.sh", "d.sh", "n/d/q.sh", "n/ab.sh"]
    folder = tree(dict.fromkeys(names, "x") | {".gitignore": "\n".join(patterns) + "\n"})
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    command = ["git", "ls-files", "-co", "--exclude-standard", "*.sh"]
    listed = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.split()
    assert sorted(found(folder)) == sorted(name.strip('"') for name in listed)


def test_gitignore_above_the_folder_counts_inside_the_repository(tree):
    folder = tree({".git/HEAD": "x", ".gitignore": "skip.sh\n", "sub/skip.sh": "x", "sub/run.sh": "x"})
    assert found(folder / "sub") == ["run.sh"]


def test_gitignore_outside_a_repository_above_does_not_count(tree):
    folder = tree({".gitignore": "skip.sh\n", "sub/skip.sh": "x"})
    assert found(folder / "sub") == ["skip.sh"]


def test_broken_pattern_does_not_lose_the_others(tree):
    assert found(tree({".gitignore": "!\n[\na.sh\n", "a.sh": "x", "b.sh": "x"})) == ["b.sh"]


def test_exclude(tree):
    folder = tree({"a/x.sh": "x", "b/x.sh": "x", "b/y.sh": "x"})
    assert found(folder, exclude=("a/", "y.sh"), base=str(folder)) == ["b/x.sh"]
    assert found(folder / "b", exclude=("b/y.sh",), base=str(folder)) == ["x.sh"]


def test_links(tree):
    folder = tree({"in/run.sh": "x", "elsewhere.sh": "x"})
    (folder / "in" / "loop").symlink_to(folder / "in")
    (folder / "in" / "up").symlink_to(folder)
    (folder / "in" / "gone.sh").symlink_to(folder / "nowhere")
    (folder / "in" / "file.sh").symlink_to(folder / "elsewhere.sh")
    assert found(folder / "in") == ["file.sh", "run.sh"]


def test_large_data_is_left_out(tree):
    folder = tree({"a.json": "x" * (WALK_BYTES + 1), "b.ipynb": "x" * (WALK_BYTES + 1), "c.json": "x" * WALK_BYTES})
    assert found(folder) == ["b.ipynb", "c.json"]


def test_folder_that_cannot_be_listed_is_told(tmp_path):
    walk = Walk(str(tmp_path / "missing"))
    assert list(walk.files()) == []
    assert walk.unreadable == [str(tmp_path / "missing")]


def test_relative_folder_keeps_short_paths(tree, monkeypatch):
    monkeypatch.chdir(tree({"run.sh": "x", "sub/run.sh": "x"}))
    assert list(Walk(".").files()) == ["run.sh", "sub/run.sh"]
    assert list(Walk("sub").files()) == ["sub/run.sh"]
