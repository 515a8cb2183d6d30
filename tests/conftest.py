"""What all tests share."""

import pytest


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew instead of comparing")


@pytest.fixture
def golden(request):
    """`golden(text, path)`: the text equals the file at `path`; with --update-golden the file is written."""

    def compare(text, path):
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists() or path.read_bytes() != text.encode():
                path.write_bytes(text.encode())
            return
        assert path.exists(), f"no golden file {path.name}; make it with --update-golden and read it"
        assert text == path.read_bytes().decode()

    return compare
