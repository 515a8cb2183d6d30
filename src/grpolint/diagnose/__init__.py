"""From symptoms to causes: what people say and what logs show, ranked against everything that is known to cause it."""

from __future__ import annotations

from grpolint.diagnose.diagnosis import Diagnosis, Ranked, Seen, diagnose
from grpolint.diagnose.logs import Log, LogError, open_log

__all__ = ["Diagnosis", "Log", "LogError", "Ranked", "Seen", "diagnose", "open_log"]
