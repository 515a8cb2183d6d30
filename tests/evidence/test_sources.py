"""The sources: what the schema refuses, what is worked out of them, and that the files made from them are current."""

import json
import random
import re

import pytest

from grpolint.evidence import cells, frozen, stated, thread, threads
from grpolint.evidence import compile as compiling
from grpolint.evidence.compile import ROOT, as_text, compiled, texts
from grpolint.evidence.schema import SOURCES, SourceError, load
from grpolint.rules import generate

TODAY = "2026-12-01"


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "threads",
            "  kind: issue\n",
            "  kinds: issue\n",
            "threads.yaml: entry 1 (deepspeedai/DeepSpeed#10): unknown key 'kinds'",
        ),
        ("threads", "  state: open\n", "", "threads.yaml: entry 2 (verl-project/verl#10): 'state' is missing"),
        (
            "threads",
            "[deepspeed]",
            "deepspeed",
            "entry 1 (deepspeedai/DeepSpeed#10): frameworks: a list is wanted, not a text",
        ),
        ("threads", "{deepspeed: 0.19.3}", "[0.19.3]", "fixed: a mapping is wanted, not a list"),
        ("threads", "  says: The rank is at fault.", "  says: [a]", "says: a text is wanted, not a list"),
        ("threads", "  kind: issue\n", "  kind: issue\n  kind: pull\n", "threads.yaml: 'kind' stands twice"),
        (
            "threads",
            "  kind: issue\n",
            "  kind: issue\n  rules: [DS001]\n",
            "'rules' is worked out and must not be written",
        ),
        ("threads", "- ref: dee", "ref: dee", "threads.yaml: "),
        ("handbook", "  title: Sleep\n", "", "handbook.yaml: entry 2 (D02): 'title' is missing"),
        (
            "handbook",
            "    verl: [actor_rollout_ref.rollout.n]",
            "    verl: n",
            "entry 1 (D01): options: a list is wanted, not a text",
        ),
        ("patterns", "  stated: [D01]\n", "", "patterns.yaml: entry 1 (streams): 'stated' is missing"),
        ("cells", "column: DeepSpeed, ", "", "cells.yaml: entry 1 (deepspeedai/DeepSpeed#10): 'column' is missing"),
        ("cells", "state: feature", "framework: verl", "entry 2 (verl-project/verl#10): 'framework' is worked out"),
        ("causes", "- id: hang", "- name: hang", "causes.yaml: entry 1 (hang): unknown key 'name'"),
        ("symptoms", "{hang: 0.9}", "{hang: often}", "entry 1 (stuck): causes: a number is wanted, not 'often'"),
        ("reports", "  grade: unverified\n", "", "reports.yaml: entry 1 (verl-project/verl#20): 'grade' is missing"),
        ("reports", "- ref: verl-project/verl#20", "- - ref", "reports.yaml: "),
    ],
)
def test_the_schema_names_file_and_entry(sources, name, old, new, fault):
    with pytest.raises(SourceError) as error:
        load(sources(name, old, new))
    assert any(fault in line for line in error.value.faults), error.value
    assert all(line.startswith(f"evidence/{name}.yaml: ") for line in error.value.faults)


def test_every_fault_is_told_at_once(sources):
    sources("threads", "  kind: issue\n", "")
    sources("cells", "column: vLLM", "columns: vLLM")
    with pytest.raises(SourceError) as error:
        load(sources("handbook", "  title: Sleep\n", ""))
    assert len(error.value.faults) == 4


def test_a_source_that_is_no_list_or_not_there(sources):
    folder = sources("causes", "- id: hang", "id: hang")
    (folder / "cells.yaml").unlink()
    (folder / "causes.yaml").write_text("a: b\n")
    with pytest.raises(SourceError, match=r"causes\.yaml: it is not a list of entries") as error:
        load(folder)
    assert any(line.startswith("evidence/cells.yaml: ") for line in error.value.faults)


def test_numbers_stay_as_they_are_written(sources):
    folder = sources("threads", "{deepspeed: 0.19.3}", "{deepspeed: 0.10}")
    assert load(folder)["threads"][0]["fixed"] == {"deepspeed": "0.10"}


# what is worked out


def test_rules_follow_from_headers(small):
    by_ref = {row["ref"]: row for row in small["threads"]}
    assert by_ref["deepspeedai/DeepSpeed#10"]["rules"] == ["TA001"]
    assert by_ref["trl 1.16.0: trl/b.py"] == {
        "ref": "trl 1.16.0: trl/b.py",
        "url": "https://github.com/huggingface/trl/blob/v1.16.0/trl/b.py",
        "kind": "source",
        "state": "released",
        "says": "Raises below 2.",
        "grade": "confirmed",
        "frameworks": ["trl"],
        "rules": ["TA001"],
    }
    assert by_ref["owner/repo#7"]["kind"] == "pull"
    assert [row["rules"] for row in small["handbook"]] == [["TA001"], [], []]
    assert small["patterns"][0]["rules"] == ["TA001"]


def test_a_rule_of_the_handbook_has_no_part_in_it(small):
    assert not any("D01" in row["rules"] for name in ("threads", "handbook", "patterns") for row in small[name])


def test_several_headers_of_one_source(rule_of, sources):
    from grpolint.rules.api import Evidence

    url = "https://github.com/huggingface/trl/blob/v1.16.0/trl/b.py"
    said = [("raises below 2", "confirmed"), ("Raises above 9.", "partly"), ("raises below 2", "unverified")]
    rules = [
        rule_of(f"TB00{n}", f"b{n}", (Evidence("trl 1.16.0: trl/b.py", url, text, grade),), frameworks={})
        for n, (text, grade) in enumerate(said)
    ]
    folder = sources("causes", "hang", "hang")
    (row,) = [row for row in compiled(load(folder), rules)["threads"] if row["ref"].startswith("trl")]
    assert row["says"] == "Raises below 2. Raises above 9."
    assert row["grade"] == "unverified"
    assert row["rules"] == ["TB000", "TB001", "TB002"]


def test_a_cell_takes_state_and_framework_from_its_thread(small):
    first, second, third = small["cells"]
    assert (first["framework"], first["state"], first["fixed"]) == ("deepspeed", "fixed", {"deepspeed": "0.19.3"})
    assert (second["framework"], second["state"], second["fixed"]) == ("verl", "feature", {})
    assert (third["framework"], third["state"]) == ("verl", "not-found")


def test_a_report_becomes_a_thread(small):
    (row,) = [row for row in small["threads"] if row["ref"] == "verl-project/verl#20"]
    assert row["url"] == "https://github.com/verl-project/verl/issues/20"
    assert (row["kind"], row["state"]) == ("thread", "")


def test_the_order_of_rules_does_not_matter(rules, sources):
    folder = sources("causes", "hang", "hang")
    first = compiled(load(folder), rules)
    shuffled = list(rules)
    random.Random(7).shuffle(shuffled)
    assert {name: as_text(rows, name) for name, rows in first.items()} == {
        name: as_text(rows, name) for name, rows in compiled(load(folder), shuffled).items()
    }


def test_records_come_back_as_they_were_written(small):
    for name in ("threads", "handbook", "patterns", "cells", "causes", "symptoms"):
        kind = SOURCES[name]
        for row, again in zip(small[name], json.loads(as_text(small[name], name)), strict=True):
            made = kind(**{key: frozen(value) for key, value in again.items()})
            assert {key: getattr(made, key) for key in row} == {key: frozen(value) for key, value in row.items()}


# what ships


def test_files_made_from_the_sources_are_current():
    found = texts(ROOT / "evidence", [rule for _, rule in generate.rules()], TODAY)
    for path, text in found.items():
        assert (ROOT / path).read_text(encoding="utf-8") == text, f"{path}: run `make generate`"
    assert {"docs/handbook.md", "docs/evidence.md"} < set(found)


@pytest.mark.parametrize("page", ["handbook", "evidence"])
def test_links_inside_a_page_lead_somewhere(page):
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    headings = {line.lstrip("# ").lower() for line in text.splitlines() if line.startswith("## ")}
    anchors = set(re.findall(r'<a id="([^"]+)">', text)) | headings
    targets = set(re.findall(r"\]\(#([^)]+)\)", text))
    assert len(targets) > 10
    assert targets <= anchors


def test_tables_of_a_page_have_even_rows():
    rows = [line for line in (ROOT / "docs" / "handbook.md").read_text().splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {6, 7}


def test_a_fault_stops_the_program(monkeypatch, capsys, sources, tmp_path):
    sources("threads", "  kind: issue\n", "")
    monkeypatch.setattr(compiling, "ROOT", tmp_path)
    assert compiling.main() == 1
    assert capsys.readouterr().err.startswith("evidence/threads.yaml: entry 1 (deepspeedai/DeepSpeed#10): ")
    assert not (tmp_path / "docs").exists()


def test_the_handbook_is_the_one_it_was():
    """Ids, and a few texts that must not drift."""
    assert len(stated()) == 36
    said = {each.id: (each.text, each.why, each.bugs) for each in stated()}
    assert said["D08"] == ("LoRA r=32 + bypass sync", "rank>=64 breaks EOS", ("#6782",))
    assert said["N08"] == ("PPO-clip RTX 4090", "OOM 65.06 > 24 GiB", ("budget",))
    assert said["N17"] == ("bf16+fp16 both enabled", "Choose bf16 only (SM89)", ("perf",))


def test_the_matrix_has_every_id_that_is_printed():
    printed = {(cell.column, cell.pattern): set() for cell in cells()}
    for cell in cells():
        printed[cell.column, cell.pattern].add(cell.printed)
    assert printed["Megatron", "muon_clipping"] == {"#5394", "#5395"}
    assert printed["rLLM", "singleton_degeneration"] == {"#605", "#663"}
    assert sum(bool(cell.printed) for cell in cells()) == 17
    assert [cell.ref for cell in cells() if cell.state == "not-found"] == ["sgl-project/sglang#28566"]


def test_a_thread_is_found_whatever_its_letter_case():
    assert thread("DEEPSPEEDAI/deepspeed#8061") is thread("deepspeedai/DeepSpeed#8061") in threads()
    assert thread("deepspeedai/DeepSpeed#1") is None
