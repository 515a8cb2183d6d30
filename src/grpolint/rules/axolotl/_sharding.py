"""FSDP as a configuration of axolotl asks for it."""

from __future__ import annotations

from grpolint.rules.api import Inquiry
from grpolint.versions import satisfies

__all__ = ["fsdp_version", "where"]

_PLACES = ("fsdp_version", "fsdp_config.fsdp_version", "fsdp_config.version")


def fsdp_version(run: Inquiry) -> int | None:
    """The version; where nobody says it the second since 0.20 and the first before. None where the configuration has no FSDP. Raises Undecided if unknown."""
    settings = run.run.settings["axolotl"]
    if not run.known("axolotl:fsdp") and next(settings.under("fsdp_config"), None) is None:
        return None
    otherwise = 2 if satisfies(settings.version.text, ">=0.20") else 1
    return next((found for key in _PLACES if (found := run.integer(f"axolotl:{key}")) is not None), otherwise)


def where(run: Inquiry) -> str:
    """The option that tells the version, or that there is FSDP at all."""
    settings = run.run.settings["axolotl"]
    for key in (*_PLACES, "fsdp"):
        if run.is_set(f"axolotl:{key}"):
            return f"axolotl:{key}"
    return "axolotl:" + next((setting.key for setting in settings.under("fsdp_config")), "fsdp_config")
