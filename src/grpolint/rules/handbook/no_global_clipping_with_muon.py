"""No global clipping with Muon.

## What it checks
Where Muon is one of Megatron's chained optimizers, gradients are not clipped by their common norm. N02 forbids Muon
altogether.

## Why it matters
The handbook: one coefficient for all contradicts a step without scale.

## Example
    {"optimizer": "muon", "gradient_clipping": 1.0, "zero_stage": 2}

## Instead
    {"optimizer": "cpu_adam", "gradient_clipping": 1.0, "zero_stage": 2}

## Fix safety
Unsafe: it changes training.
"""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.findings import Finding
from grpolint.rules.api import Inquiry, NotApplicable
from grpolint.rules.handbook._asking import flat, need, number, training
from grpolint.rules.handbook._remedy import remedy
from grpolint.rules.handbook._stated import stated
from grpolint.values import plain


@stated("N13", "no-global-clipping-with-muon", "no global clipping with Muon among Megatron's optimizers")
def check(run: Inquiry) -> Iterator[Finding]:
    """Yield a finding where both meet."""
    training(run)
    name = str(need(run, "optimizer", "an optimizer"))
    if "muon" not in name:
        return
    if not flat(run) and "megatron" not in str(plain(run.ask("fact:engine"))):
        raise NotApplicable("chained optimizers are Megatron's, and Megatron does not train here")
    norm = number(run, "clip_norm", "gradient clipping")
    if norm > 0:
        yield run.finding(
            f"Muon's gradients are clipped by a common norm of {norm:g}",
            ("fact:clip_norm", f"clipped at {norm:g}"),
            ("fact:optimizer", name),
            changes=remedy(run, "clip_norm", 0.0),
            help="do not clip",
        )
