"""A DeepSpeed file that contradicts the Trainer.

## What it checks
Values written out in the DeepSpeed file of `--deepspeed` that differ from the argument of Transformers which says the
same: micro batch, accumulation, learning rate, weight decay, clipping, precision.

## Why it matters
The Trainer compares them and refuses the run. Files that were made for another recipe carry their old numbers.

## Example
    --deepspeed zero2.json --per_device_train_batch_size 8      with "train_micro_batch_size_per_gpu": 4 in zero2.json

## Instead
    --deepspeed zero2.json --per_device_train_batch_size 8      with "train_micro_batch_size_per_gpu": "auto" in zero2.json

## Fix safety
Unsafe: `auto` takes the value of the argument.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.changes import SetOption
from grpolint.findings import Finding, Severity
from grpolint.rules.api import SET, Evidence, Inquiry, Undecided, rule, show
from grpolint.rules.deepspeed._automatic import automatic
from grpolint.values import Known, Unknown

_SAME = (
    ("train_micro_batch_size_per_gpu", "per_device_train_batch_size"),
    ("gradient_accumulation_steps", "gradient_accumulation_steps"),
    ("gradient_clipping", "max_grad_norm"),
    ("optimizer.params.lr", "learning_rate"),
    ("optimizer.params.weight_decay", "weight_decay"),
    ("optimizer.params.eps", "adam_epsilon"),
    ("scheduler.params.warmup_max_lr", "learning_rate"),
    ("fp16.enabled", "fp16"),
    ("bf16.enabled", "bf16"),
)
"""Options of DeepSpeed and the arguments that they must equal."""


@rule(
    id="DS007",
    name="deepspeed-file-differs",
    summary="a DeepSpeed file with other values than the Trainer",
    severity=Severity.ERROR,
    frameworks={"deepspeed": ""},
    evidence=(
        Evidence(
            "transformers 5.24.0: src/transformers/integrations/deepspeed.py",
            "https://github.com/huggingface/transformers/blob/v5.24.0/src/transformers/integrations/deepspeed.py",
            "fill_match collects values that differ and trainer_config_finalize raises ValueError for them.",
        ),
        Evidence(
            "huggingface/transformers#12021",
            "https://github.com/huggingface/transformers/pull/12021",
            "Adds the comparison and the error that lists all values that differ.",
        ),
    ),
    when={"transformers:deepspeed|transformers:deepspeed.*": SET},
)
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield one finding for each pair that differs."""
    arguments = run.run.settings.get("transformers")
    if arguments is None or not ("deepspeed" in arguments or any(True for _ in arguments.under("deepspeed"))):
        return
    unsure = []
    for key, argument in _SAME:
        setting = run.run.setting("deepspeed", key)
        if setting is None or not isinstance(setting.value, Known) or setting.value.value is None or automatic(setting):
            continue
        other = run.ask(f"transformers:{argument}")
        if other is None or isinstance(other, Unknown):
            unsure.append(f"transformers:{argument}")
            continue
        if (other.value or False) != setting.value.value:
            yield run.finding(
                f"the DeepSpeed file says {key} {show(setting.value.value)}, the Trainer {argument} {show(other.value)}: "
                "Transformers refuses values that differ",
                (f"deepspeed:{key}", "in the file"),
                (f"transformers:{argument}", "of the Trainer"),
                changes=(SetOption("deepspeed", key, "auto"),),
            )
    if unsure:
        raise Undecided(*unsure)
