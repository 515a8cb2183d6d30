"""How a rule of the handbook is made: its evidence is that of the record, and it points to the rules that say the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps

from grpolint.evidence import stated as records
from grpolint.evidence import thread
from grpolint.findings import Finding, Severity
from grpolint.records import replace
from grpolint.rules.api import Evidence, Inquiry, Rule, rule

__all__ = ["stated"]

Check = Callable[[Inquiry], Iterator[Finding]]


def stated(id: str, name: str, summary: str, severity: Severity = Severity.ERROR) -> Callable[[Check], Rule]:  # noqa: A002
    """Make a rule of the policy `handbook` of a function. Raises StopIteration for an id that the handbook does not have.

    The function may give a finding both changes and a sentence of help: the sentence is for runs without such an option.
    """
    record = next(each for each in records() if each.id == id)
    found = [each for ref in record.refs if (each := thread(ref)) is not None and each.url]
    evidence = tuple(Evidence(each.ref, each.url, each.says, each.grade) for each in found)
    again = " and ".join(record.same_as)
    note = f"{again} {'says' if len(record.same_as) == 1 else 'say'} the same" if again else ""

    def wrap(function: Check) -> Rule:
        @wraps(function)
        def check(run: Inquiry) -> Iterator[Finding]:
            for finding in function(run):
                notes = (*finding.notes, note) if note else finding.notes
                yield replace(finding, notes=notes, help="" if finding.changes else finding.help)

        return rule(id=id, name=name, summary=summary, severity=severity, evidence=evidence, policy="handbook")(check)

    return wrap
