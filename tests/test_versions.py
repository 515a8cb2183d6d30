"""Release numbers against ranges: what is compared here is what `packaging` says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from grpolint.versions import satisfies

numbers = st.lists(st.integers(0, 12), min_size=1, max_size=4).map(lambda each: ".".join(map(str, each)))
suffixes = st.sampled_from(["", "", "", "rc0", "rc1", ".post0", ".post1", ".dev0", ".dev3", "a1", "b2", ".post1.dev2"])
releases = st.builds("{}{}".format, numbers, suffixes)
operators = st.sampled_from([">=", "<=", "==", "!=", ">", "<"])
clauses = st.one_of(
    st.builds("{}{}".format, operators, releases),
    st.builds("{}{}.*".format, st.sampled_from(["==", "!="]), numbers),
    st.builds("~={}.{}".format, st.integers(0, 3), st.integers(0, 9)),
)
ranges = st.lists(clauses, min_size=1, max_size=3).map(",".join)


@settings(max_examples=2000, deadline=None)
@given(releases, ranges)
def test_it_is_what_the_library_says(version, specifier):
    assert satisfies(version, specifier) == SpecifierSet(specifier).contains(Version(version), prereleases=True)


@pytest.mark.parametrize(
    ("version", "specifier", "lies"),
    [
        ("0.9.1", "", True),
        ("main", ">=0.5", True),
        ("main", ">=0.5,<0.9", False),
        ("deadbeef", "==0.9.1", False),
        ("0.3.0.post1", ">=0.3.0.post1", True),
        ("0.3.0", ">=0.3.0.post1", False),
        ("0.20.4", ">=0.15,!=0.20.*", False),
        ("0.2", "==0.2.0.*", True),
    ],
)
def test_some_by_hand(version, specifier, lies):
    assert satisfies(version, specifier) is lies


def test_ordinary_ranges_need_no_library():
    import subprocess
    import sys

    program = (
        "import sys; from grpolint.versions import satisfies as s; "
        "print(s('0.9.1', '>=0.3.0.post1'), s('0.20.1', '!=0.20.*'), s('0.3.0rc0', '>=0.3.0rc0'), 'packaging' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False", "True", "False"]
