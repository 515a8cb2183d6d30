"""A tree of sources from a mapping, as an adapter sees a release."""

import pytest

from harvest.adapters import adapter
from harvest.tree import Tree


class _Files:
    def __init__(self, files):
        self.files = files

    def paths(self):
        return sorted(self.files)

    def read(self, path):
        return self.files[path]


@pytest.fixture
def harvest():
    """Tables that an adapter reads from files given by path."""

    def run(name, files, version="1.0.0"):
        return adapter(name).harvest(Tree(_Files(files)), version)["tables"]

    return run
