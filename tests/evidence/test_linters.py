"""What the linters of the evidence refuse: each with a bad input that nothing else is wrong with."""

import copy

import pytest

from grpolint.evidence.compile import ROOT
from grpolint.evidence.linters import faults
from grpolint.evidence.references import Reference, read
from grpolint.evidence.schema import load
from grpolint.rules import generate
from grpolint.rules.api import Evidence

TODAY = "2026-12-01"
RULES = [rule for _, rule in generate.rules()]


@pytest.fixture(scope="module")
def shipped():
    return load(ROOT / "evidence")


@pytest.fixture
def changed(shipped):
    """The shipped sources, and a function that changes one entry of them."""
    sources = copy.deepcopy(shipped)

    def change(name, key, **fields):
        entry = next(each for each in sources[name] if key in (each.get("ref"), each.get("id"), each.get("name")))
        for field, value in fields.items():
            entry[field] = value
        return sources

    return change


def test_the_shipped_sources_are_sound(shipped):
    assert faults(shipped, RULES, TODAY) == []


THREAD = "deepspeedai/DeepSpeed#8061"
PULL = "deepspeedai/DeepSpeed#8080"
SOURCE = "deepspeed 0.19.8: deepspeed/moe/sharded_moe.py"
LAB = "grpolint lab muon"
GITHUB = "https://github.com/deepspeedai/DeepSpeed"


@pytest.mark.parametrize(
    ("name", "key", "fields", "fault"),
    [
        # threads
        ("threads", THREAD, {"kind": "bug"}, "kind 'bug' is none of issue, pull"),
        ("threads", THREAD, {"state": "merged"}, "state 'merged' is none of open, closed"),
        ("threads", THREAD, {"grade": "true"}, "grade 'true' is none of confirmed, partly"),
        ("threads", THREAD, {"says": ""}, "it does not say what the thread says"),
        ("threads", THREAD, {"frameworks": []}, "it names no framework"),
        ("threads", THREAD, {"frameworks": ["deepsped"]}, "framework 'deepsped' is not known"),
        ("threads", SOURCE, {"kind": "page", "state": "published"}, "the ref is that of a source, the kind says page"),
        # links
        ("threads", THREAD, {"url": "http://github.com/a"}, "'http://github.com/a' is no well-formed link"),
        ("threads", THREAD, {"url": f"{GITHUB}/issues/80 61"}, "is no well-formed link"),
        (
            "threads",
            THREAD,
            {"url": f"{GITHUB}/issues/8062"},
            f"the link is {GITHUB}/issues/8062, not {GITHUB}/issues/8061",
        ),
        ("threads", THREAD, {"url": f"{GITHUB}/pull/8061"}, f"not {GITHUB}/issues/8061"),
        ("threads", PULL, {"url": "https://github.com/microsoft/DeepSpeed/pull/8080"}, f"not {GITHUB}/pull/8080"),
        (
            "threads",
            SOURCE,
            {"url": f"{GITHUB}/blob/v0.19.8/deepspeed/moe/layer.py"},
            "does not end with deepspeed/moe/sharded_moe.py",
        ),
        ("threads", SOURCE, {"url": f"{GITHUB}/blob/master/deepspeed/moe/sharded_moe.py"}, "is not to release 0.19.8"),
        ("threads", LAB, {"url": "https://example.org"}, "an experiment has no link"),
        # dates
        ("threads", THREAD, {"checked": ""}, "checked '' is no date such as 2026-12-01"),
        ("threads", THREAD, {"checked": "1.12.2026"}, "checked '1.12.2026' is no date"),
        ("threads", THREAD, {"checked": "20261101"}, "checked '20261101' is no date"),
        ("threads", THREAD, {"checked": "2026-12-02"}, "checked 2026-12-02 lies in the future"),
        # releases
        (
            "threads",
            THREAD,
            {"fixed": {"deepspeed": "0.19.9"}},
            "fixed: 0.19.9 is no release of deepspeed that the catalog knows",
        ),
        ("threads", THREAD, {"fixed": {"deepspeed": "0.19.3rc1.x"}}, "fixed: '0.19.3rc1.x' is no version of deepspeed"),
        ("threads", THREAD, {"introduced": {"deepspeed": "soon"}}, "introduced: 'soon' is no version of deepspeed"),
        ("threads", THREAD, {"fixed": {"deepspede": "0.19.3"}}, "fixed: package 'deepspede' is not known"),
        (
            "threads",
            THREAD,
            {"introduced": {"deepspeed": "0.19.3"}},
            "deepspeed 0.19.3 cannot repair what came with 0.19.3",
        ),
        # the handbook
        ("handbook", "N15", {"kind": "do"}, "kind 'do' does not go with the id"),
        ("handbook", "N15", {"grade": "good"}, "grade 'good' is none of"),
        ("handbook", "N15", {"refs": [THREAD, "a/b#1"]}, "ref 'a/b#1' is not in threads.yaml"),
        ("handbook", "N15", {"refs": [PULL]}, "no ref is #8061, and the notes do not explain it"),
        ("handbook", "N17", {"notes": ""}, "bug 'perf' is no thread, and the notes do not explain it"),
        ("handbook", "N17", {"same_as": ["D08"]}, "same_as names D08, but D08 does not name it"),
        ("handbook", "N17", {"same_as": ["D20"]}, "same_as names 'D20', which is no rule of the handbook"),
        ("handbook", "N17", {"options": {"vlm": ["a"]}}, "options: framework 'vlm' is not known"),
        ("handbook", "N15", {"condition": "See #999999."}, "condition: #999999 is the number of no known thread"),
        # the matrix
        ("patterns", "lora_distortion", {"stated": ["D21"]}, "stated 'D21' is no rule of the handbook"),
        ("patterns", "lora_distortion", {"refs": ["a/b#1"]}, "ref 'a/b#1' is not in threads.yaml"),
        ("cells", "NVIDIA/Megatron-LM#5394", {"pattern": "none"}, "pattern 'none' is not in patterns.yaml"),
        (
            "cells",
            "NVIDIA/Megatron-LM#5394",
            {"printed": "#5395"},
            "'#5395' is printed, but the ref is NVIDIA/Megatron-LM#5394",
        ),
        ("cells", "NVIDIA/Megatron-LM#5394", {"ref": "#5394"}, "ref '#5394' is not owner/repo#number"),
        (
            "cells",
            "NVIDIA/Megatron-LM#5394",
            {"ref": "NVIDIA/Apex#5394"},
            "ref 'NVIDIA/Apex#5394' is not in threads.yaml",
        ),
        ("cells", "NVIDIA/Megatron-LM#5394", {"state": "lost"}, "state 'lost' is none of"),
        (
            "cells",
            "NVIDIA/Megatron-LM#5394",
            {"state": "not-found"},
            "not-found is for a number that threads.yaml lacks",
        ),
        ("cells", "sgl-project/sglang#28566", {"ref": "a/b#28566"}, "in a repository that it knows"),
    ],
)
def test_a_fault_is_found(changed, name, key, fields, fault):
    found = faults(changed(name, key, **fields), RULES, TODAY)
    assert any(fault in line for line in found), found
    assert all(line.startswith((f"evidence/{name}.yaml: ", "rule ")) for line in found if fault in line)


@pytest.mark.parametrize("number", range(3))
def test_reports_are_held_against_the_same(changed, shipped, number):
    ref = shipped["reports"][0]["ref"]
    fields, fault = [
        ({"grade": "good"}, "grade 'good' is none of"),
        ({"frameworks": ["none"]}, "framework 'none' is not known"),
        ({"checked": "2027-01-01"}, "checked 2027-01-01 lies in the future"),
    ][number]
    assert faults(changed("reports", ref, **fields), RULES, TODAY) == [
        f"evidence/reports.yaml: {ref}: {fault}{_rest(fields)}"
    ]


def _rest(fields):
    return " confirmed, partly, unverified, contradicted, opinion" if "grade" in fields else ""


def test_a_thread_has_one_entry(changed, shipped):
    sources = changed("threads", THREAD)
    sources["reports"].append({"ref": THREAD.lower(), "says": "a", "grade": "partly", "checked": TODAY})
    assert faults(sources, RULES, TODAY) == [f"evidence/reports.yaml: {THREAD.lower()}: threads.yaml has it too"]
    sources["reports"].pop()
    sources["threads"].append(dict(sources["threads"][0]))
    assert faults(sources, RULES, TODAY) == [f"evidence/threads.yaml: {sources['threads'][0]['ref']}: it stands twice"]


def test_the_handbook_is_whole_and_in_order(changed):
    sources = changed("handbook", "D01")
    sources["handbook"].reverse()
    assert faults(sources, RULES, TODAY) == [
        "evidence/handbook.yaml: the rules are not D01 to D19 and N01 to N17 in this order"
    ]


def test_causes_and_symptoms(changed, shipped):
    sources = changed("threads", THREAD)
    sources["causes"] = [
        {"id": "one", "title": "a", "check": "b", "fix": "c", "grade": "good", "refs": ["a/b#1"], "rules": ["ZZ001"]}
    ]
    sources["symptoms"] = [{"id": "two", "title": "a", "causes": {"three": 0.5, "one": 1.5}}]
    found = faults(sources, RULES, TODAY)
    assert found[:3] == [
        "evidence/causes.yaml: one: grade 'good' is none of confirmed, partly, unverified, contradicted, opinion",
        "evidence/causes.yaml: one: ref 'a/b#1' is neither in threads.yaml nor in reports.yaml",
        "evidence/causes.yaml: one: there is no rule ZZ001",
    ]
    assert "evidence/symptoms.yaml: two: cause 'three' is not in causes.yaml" in found
    assert "evidence/symptoms.yaml: two: the weight of one is not above 0 and up to 1" in found


@pytest.mark.parametrize(
    ("ref", "url", "grade", "fault"),
    [
        ("DeepSpeed 8061", f"{GITHUB}/issues/8061", "confirmed", "the ref is neither owner/repo#number"),
        (THREAD, f"{GITHUB}/issues/8060", "confirmed", f"the link is {GITHUB}/issues/8060, not {GITHUB}/issues/8061"),
        (THREAD, f"{GITHUB}/issues/8061", "sure", "grade 'sure' is none of"),
        (
            "verl 0.9.1: verl/a.py",
            "https://github.com/verl-project/verl/blob/main/verl/a.py",
            "partly",
            "is not to release 0.9.1",
        ),
        (
            "verl 0.9.7: verl/a.py",
            "https://github.com/verl-project/verl/blob/v0.9.7/verl/a.py",
            "partly",
            "0.9.7 is no release of verl",
        ),
        (
            SOURCE,
            f"{GITHUB}/blob/v0.19.8/src/{SOURCE.split()[-1]}",
            "partly",
            f"elsewhere it is {GITHUB}/blob/v0.19.8/deepspeed",
        ),
        ("some page: a", "https://example", "partly", "'https://example' is no well-formed link"),
    ],
)
def test_headers_of_rules(shipped, rule_of, ref, url, grade, fault):  # noqa: PLR0917
    rule = rule_of("TB001", "b", (Evidence(ref, url, "It is so.", grade),))
    found = faults(shipped, [*RULES, rule], TODAY)
    assert all(line.startswith(f"rule TB001: {ref}: ") for line in found)
    assert any(fault in line for line in found), found


def test_two_rules_agree_on_a_link(shipped, rule_of):
    first = Evidence("some page: a", "https://example.org/a#one", "It is so.")
    other = Evidence("some page: a", "https://example.org/b", "It is so.")
    anchored = Evidence("some page: a", "https://example.org/a#two", "It is so.")
    rules = [rule_of(f"TB00{n}", f"b{n}", (each,)) for n, each in enumerate((first, anchored, other))]
    assert faults(shipped, [*RULES, *rules], TODAY) == [
        "rule TB002: some page: a: the link is https://example.org/b, elsewhere it is https://example.org/a#one"
    ]


def test_a_candidate_of_a_release_that_the_catalog_knows(changed):
    for version in ("0.23.0rc1", "0.1.0"):  # the other is older than the catalog reaches
        assert (
            faults(changed("threads", "vllm-project/vllm-ascend#10579", fixed={"vllm-ascend": version}), RULES, TODAY)
            == []
        )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a/b-c.d#12", Reference("thread", repository="a/b-c.d", number=12)),
        ("verl 0.9.1: verl/a.py", Reference("source", package="verl", version="0.9.1", file="verl/a.py")),
        (
            "Megatron-LM core_v0.16.0: m/a.py",
            Reference("source", package="Megatron-LM", version="0.16.0", file="m/a.py"),
        ),
        ("sglang 0.5.13.post1: a", Reference("source", package="sglang", version="0.5.13.post1", file="a")),
        ("grpolint lab muon", Reference("experiment", file="muon")),
        ("Hydra documentation: the defaults list", Reference("page")),
        ("arXiv 2503.14476 (DAPO), section 3.2", Reference("page")),
        ("#12", None),
        ("a/b", None),
        ("", None),
    ],
)
def test_refs_are_taken_apart(text, found):
    assert read(text) == found
