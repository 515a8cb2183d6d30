"""Stems: words without plural and tense, and with common synonyms made one."""

from __future__ import annotations

from collections.abc import Iterator

from grpolint.regex import regex

__all__ = ["stems"]

_WORD = regex(r"[a-z]+|\d+(?:\.\d+)?(?:e[-+]?\d+)?")

_SYNONYMS = {
    "gradient": "grad",
    "grads": "grad",
    "gnorm": "grad norm",
    "oom": "memory out",
    "ooms": "memory out",
    "oomed": "memory out",
    "infinite": "inf",
    "infinity": "inf",
    "plateau": "flat",
    "stagnate": "flat",
    "constant": "flat",
    "stall": "flat",
    "unchanged": "flat",
    "improve": "learn",
    "train": "learn",
    "blow": "explode",
    "diverge": "explode",
    "huge": "explode",
    "enormous": "explode",
    "gigantic": "explode",
    "overflow": "explode",
    "large": "explode",
    "freeze": "hang",
    "frozen": "hang",
    "deadlock": "hang",
    "stuck": "hang",
    "hung": "hang",
    "grow": "rise",
    "increase": "rise",
    "climb": "rise",
    "leak": "rise",
    "up": "rise",
    "down": "fall",
    "broken": "break",
    "went": "go",
    "drop": "fall",
    "decrease": "fall",
    "shrink": "fall",
    "decline": "fall",
    "collapsed": "collapse",
    "gibberish": "garbage",
    "garbled": "garbage",
    "nonsense": "garbage",
    "zeros": "0",
    "zero": "0",
    "first": "1",
    "token": "token",
    "sample": "token",
    "completion": "response",
    "output": "response",
    "answer": "response",
    "generation": "response",
    "rollout": "rollout",
    "truncate": "clip",
    "host": "cpu",
    "ram": "cpu memory",
    "gpu": "device",
    "vram": "device memory",
    "crash": "crash",
    "die": "crash",
    "killed": "crash",
    "spikes": "spike",
    "jump": "spike",
    "isnt": "not",
    "doesnt": "not",
    "dont": "not",
    "never": "not",
    "no": "not",
    "without": "not",
    "cannot": "not",
    "cant": "not",
    "reference": "ref",
    "kullback": "kl",
    "advantages": "advantage",
    "iteration": "step",
    "epoch": "step",
    "wakeup": "wake",
    "waking": "wake",
    "checkpointing": "checkpoint",
    "saving": "save",
    "resuming": "resume",
}
"""What a word is taken for, after its ending was cut off."""

_EMPTY = frozenset(
    (
        "a",
        "an",
        "the",
        "is",
        "are",
        "was",
        "be",
        "been",
        "my",
        "our",
        "its",
        "it",
        "in",
        "on",
        "at",
        "to",
        "of",
        "for",
        "with",
        "from",
        "by",
        "this",
        "that",
        "has",
        "have",
        "had",
        "i",
        "we",
        "get",
        "gets",
        "got",
        "getting",
        "becomes",
        "become",
        "very",
        "just",
        "only",
        "some",
        "into",
        "every",
        "during",
        "all",
        "keep",
        "keeps",
        "still",
        "always",
        "there",
        "as",
        "s",
        "so",
        "about",
        "model",
        "run",
        "training",
        "see",
        "goes",
        "going",
        "turn",
        "turns",
    )
)
"""Words that say nothing about which symptom is meant."""

_SILENT = (
    "collaps",
    "explod",
    "diverg",
    "truncat",
    "increas",
    "decreas",
    "improv",
    "freez",
    "driv",
    "rais",
    "stagnat",
    "oscillat",
    "produc",
    "declin",
    "clos",
)
"""Stems whose silent e an ending took away."""


def stems(text: str) -> Iterator[str]:
    """The stems of a text, synonyms made one."""
    words = _WORD.findall(text.lower().replace("n't", " not").replace("not a number", "nan").replace("_", " "))
    for word in words:
        if word in _EMPTY:
            continue
        stem = _SYNONYMS.get(word) or _SYNONYMS.get(_cut(word)) or _cut(word)
        yield from stem.split()


def _cut(word: str) -> str:
    """A word without the endings of plural and tense."""
    if word in ("loss", "bias", "less", "process", "across", "access", "address", "bus", "progress", "class"):
        return word
    for ending, short in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            cut = word[: -len(ending)] + short
            if ending in ("ing", "ed"):
                if len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "ls":
                    return cut[:-1]  # dropped: drop
                return cut + "e" if cut in _SILENT else cut
            return cut
    return word
