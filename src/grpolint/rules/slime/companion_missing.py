"""An option that needs another one, which is not given.

## What it checks
Options that slime accepts only together with another: checkpoints every so many rollouts with a place for them, a KL
term with a reference, REINFORCE++ with normalised advantages, a teacher with its kind, MTP training with MTP layers.

## Why it matters
slime stops before anything is started, some of them with an error that does not name the option (`stat: path should
be string ... not NoneType`).

## Example
    python3 train.py --advantage-estimator reinforce_plus_plus

## Instead
    python3 train.py --advantage-estimator reinforce_plus_plus --normalize-advantages

## Fix safety
Switches are safe to add: the run does not start without them. Paths are for the author to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import Evidence, Inquiry, rule
from grpolint.rules.slime._options import megatron, unless_lost

_PAIRS: tuple[tuple[str, Callable[[object], bool], str, str], ...] = (
    ("save_interval", lambda value: value is not None, "save", "checkpoints need a place"),
    ("use_kl_loss", lambda value: value is True, "ref_load", "a KL term needs a reference"),
    (
        "kl_coef",
        lambda value: isinstance(value, (int, float)) and value != 0,
        "ref_load",
        "a KL term needs a reference",
    ),
    (
        "advantage_estimator",
        lambda value: value in ("reinforce_plus_plus", "reinforce_plus_plus_baseline"),
        "normalize_advantages",
        "REINFORCE++ is refused without",
    ),
    ("use_opd", lambda value: value is True, "opd_type", "a teacher is an SGLang server or a Megatron checkpoint"),
    ("enable_mtp_training", lambda value: value is True, "mtp_num_layers", "there have to be layers to train"),
    (
        "get_mismatch_metrics",
        lambda value: value is True,
        "custom_tis_function_path",
        "the function makes the metrics",
    ),
)
"""Option, when it counts, what it needs, and why."""


@rule(
    id="SL010",
    name="companion-missing",
    summary="an option that slime takes only together with another one",
    severity=Severity.ERROR,
    frameworks={"slime": ">=0.2"},
    evidence=(
        Evidence(
            "slime 0.3.1: slime/utils/arguments.py",
            "https://github.com/THUDM/slime/blob/v0.3.1/slime/utils/arguments.py",
            "slime_validate_args asserts or raises for each of the pairs; ref_load is given to os.path.exists, which refuses None.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each pair of which only the first is given."""
    unless_lost(run)
    for key, counts, needed, why in _PAIRS:
        ref, other = megatron(run, key), megatron(run, needed)
        if not counts(run.known(ref)) or run.known(other):
            continue
        flag = "--" + needed.replace("_", "-")
        switch = needed == "normalize_advantages"
        yield run.finding(
            f"{key.replace('_', '-')} is given without {needed.replace('_', '-')}: {why}",
            (ref, f"needs {flag}"),
            changes=(SetOption("slime", needed, True, safe=True),) if switch else (),
            help="" if switch else f"give {flag}",
        )
