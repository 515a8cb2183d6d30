"""Scripts of the tests, read in a tree that exists only in memory."""

from __future__ import annotations

import posixpath

import pytest

from grpolint import shell
from grpolint.documents.source import Source


class Reader:
    """Reads a script called `run.sh`; `files` are the other files of the tree, by path beside it."""

    def __call__(self, text, env=None, path="run.sh", **files):
        tree = {
            name.replace("__", "/") + ".sh": Source(name.replace("__", "/") + ".sh", body)
            for name, body in files.items()
        }

        def lookup(wanted, near):
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(near.path), wanted))
            return tree.get(beside) or tree.get(wanted.lstrip("/"))

        return shell.read(Source(path, text), env=env or {}, lookup=lookup)

    def lines(self, text, env=None, **files):
        """Each launch as one line, unknown parts as `<reason>`."""
        return [line(launch) for launch in self(text, env, **files).launches]

    def only(self, text, env=None, **files):
        """The only launch of a script."""
        (launch,) = self(text, env, **files).launches
        return launch


def line(launch):
    """A launch as one line."""
    return " ".join([launch.program, *(word.pattern for word in launch.argv)])


@pytest.fixture(scope="session")
def read():
    return Reader()
