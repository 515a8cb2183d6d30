"""LLaMA-Factory evaluates on nothing, or on two things.

## What it checks
eval_strategy other than no (which switches do_eval on) or do_eval without eval_dataset and val_size, since 0.9.4;
val_size together with eval_dataset in every release.

## Why it matters
The run ends with a ValueError once the arguments are read. Before 0.9.4 the trainer raises one when it first needs
the data.

## Example
    llamafactory-cli train --stage sft --eval_strategy steps --eval_steps 500

## Instead
    llamafactory-cli train --stage sft --val_size 0.1 --eval_strategy steps --eval_steps 500

## Fix safety
Unsafe: a part of the data is no longer trained on.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import RemoveOption, SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, rule
from grpolint.versions import satisfies


@rule(
    id="LF005",
    name="llamafactory-evaluation-without-data",
    summary="evaluation without data, or with data twice",
    severity=Severity.ERROR,
    frameworks={"llamafactory": ">=0.9"},
    when={"transformers:eval_strategy|transformers:do_eval|llamafactory:val_size": SET},
    evidence=(
        Evidence(
            "llamafactory 0.9.5: llamafactory/hparams/parser.py",
            "https://github.com/hiyouga/LLaMA-Factory/blob/v0.9.5/src/llamafactory/hparams/parser.py",
            "get_train_args raises ValueError for do_eval without eval_dataset and val_size, since 0.9.4.",
        ),
        Evidence(
            "llamafactory 0.9.5: llamafactory/hparams/data_args.py",
            "https://github.com/hiyouga/LLaMA-Factory/blob/v0.9.5/src/llamafactory/hparams/data_args.py",
            "DataArguments raises ValueError for val_size together with eval_dataset.",
        ),
    ),
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding if it holds."""
    size, data = run.number("llamafactory:val_size") or 0, run.known("llamafactory:eval_dataset")
    if size > 1e-6 and data is not None:
        yield run.finding(
            f"val_size {size} is refused with an eval_dataset of its own",
            "llamafactory:val_size",
            "llamafactory:eval_dataset",
            changes=(RemoveOption("llamafactory", "val_size"),),
        )
    if size > 1e-6 or data is not None or not satisfies(run.run.settings["llamafactory"].version.text, ">=0.9.4"):
        return
    strategy = (run.text("transformers:eval_strategy") or "no").lower()
    asked = strategy not in ("no", "false")
    if asked or run.flag("transformers:do_eval") is True:
        yield run.finding(
            "evaluation without data is refused: neither eval_dataset nor val_size is given",
            ("transformers:eval_strategy" if asked else "transformers:do_eval", "evaluates"),
            changes=(SetOption("llamafactory", "val_size", 0.1),),
        )
