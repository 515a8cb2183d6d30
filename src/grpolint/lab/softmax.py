"""The router softmax of a mixture of experts in narrow formats. Needs numpy.

All logits are arrays of shape (tokens, experts), without unit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grpolint.lab.precision import Array, rounded

__all__ = [
    "MOST_EXPERTS",
    "MOST_VALUES",
    "BadLogits",
    "Routing",
    "Rows",
    "compare",
    "drawn",
    "in_some_layer",
    "naive",
    "read",
    "rows",
    "shifted",
    "top_k",
    "without_result",
]

MOST_VALUES = 1 << 26
"""Values that a file of logits may hold: 512 MiB in float64."""

MOST_EXPERTS = 1 << 16

_CHUNK = 1 << 21
"""Values looked at together: 16 MiB in float64."""


class BadLogits(Exception):
    """A file of logits that cannot be used. `str(error)` is one sentence."""


def naive(logits: Any, form: str) -> Array:
    """exp(x) / sum(exp(x)) along the last axis as the textbook writes it, each operation rounded to `form`."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore", under="ignore"):
        powers = rounded(np.exp(rounded(logits, form)), form)
        return rounded(powers / rounded(powers.sum(-1, keepdims=True), form), form)


def shifted(logits: Any, form: str) -> Array:
    """exp(x - max) / sum(exp(x - max)) along the last axis, each operation rounded to `form`.

    This is what torch.softmax and every fused kernel compute. For finite logits the largest term is exp(0) = 1, so
    the sum lies between 1 and the number of experts and nothing overflows; a difference beyond the format becomes
    -inf, whose exp is 0.
    """
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        held = rounded(logits, form)
        powers = rounded(np.exp(rounded(held - held.max(-1, keepdims=True), form)), form)
        return rounded(powers / rounded(powers.sum(-1, keepdims=True), form), form)


def top_k(logits: Array, k: int) -> NDArray[np.bool_]:
    """Which `k` experts each token takes, as a mask; of equal logits the lower index wins.

    Kernels differ in how they break ties; a fixed rule makes the comparison repeatable.
    """
    order = np.argsort(-logits, axis=-1, kind="stable")[..., :k]
    mask = np.zeros(logits.shape, np.bool_)
    np.put_along_axis(mask, order, True, -1)
    return mask


@dataclass(frozen=True)
class Routing:
    """How the experts chosen from logits in one format compare with those from the logits as given.

    `differ`: share of tokens with another set; `tied`: share whose k-th and next logit are equal after rounding, so
    that the order of the kernel decides; `error`: standard error of `differ`.
    """

    differ: float
    tied: float
    error: float


def compare(logits: Array, k: int, form: str) -> Routing:
    """Compare the top-k sets of logits rounded to `form` with those of the logits themselves.

    Rounding never reverses an order, it only makes values equal: a set can differ only where two logits tie.
    Raises ValueError unless 0 < k < experts and there are tokens.
    """
    tokens, experts = logits.shape
    if not 0 < k < experts or not tokens:
        raise ValueError(f"top-{k} of {experts} experts for {tokens} tokens")
    differ = tied = 0
    step = max(1, _CHUNK // experts)
    for start in range(0, tokens, step):
        exact = np.asarray(logits[start : start + step], np.float64)
        narrow = rounded(exact, form)
        falling = np.partition(-narrow, (k - 1, k), axis=-1)
        ties = falling[:, k - 1] == falling[:, k]
        tied += int(ties.sum())
        differ += int((top_k(exact[ties], k) != top_k(narrow[ties], k)).any(-1).sum())
    share = differ / tokens
    return Routing(share, tied / tokens, (share * (1 - share) / tokens) ** 0.5)


def in_some_layer(share: float, layers: int) -> float:
    """The probability that a token is routed differently in at least one of `layers` layers, if they are independent."""
    return 1 - (1 - share) ** layers


def drawn(tokens: int, experts: int, seed: int) -> Array:
    """Standard normal logits, shape (tokens, experts): a stand-in where no real ones are at hand."""
    return np.random.default_rng([seed, experts]).standard_normal((tokens, experts))


def without_result(logits: Array, form: str) -> int:
    """How many rows have a softmax of NaN although the maximum is subtracted."""
    step = max(1, _CHUNK // logits.shape[1])
    parts = (shifted(logits[start : start + step], form) for start in range(0, len(logits), step))
    return sum(int(np.isnan(part).any(-1).sum()) for part in parts)


@dataclass(frozen=True)
class Rows:
    """What is in a set of logits: counts of tokens, and the largest finite size.

    `masked`: every expert -inf; `infinite`: some +inf; `unset`: some NaN; `bursting`: fp16 exp of the naive form
    overflows for a finite logit; `usable`: none of the first three.
    """

    tokens: int
    masked: int
    infinite: int
    unset: int
    bursting: int
    largest: float
    usable: Array


def rows(logits: Array, limit: float) -> Rows:
    """Sort the rows of logits; `limit` is the largest value whose exp is finite in fp16."""
    unset = np.isnan(logits).any(-1)
    infinite = ~unset & (logits == np.inf).any(-1)
    masked = (logits == -np.inf).all(-1)
    finite = np.where(np.isfinite(logits), logits, 0.0)
    usable = np.asarray(logits[~(unset | infinite | masked)])
    return Rows(
        logits.shape[0],
        int(masked.sum()),
        int(infinite.sum()),
        int(unset.sum()),
        int((finite > limit).any(-1).sum()),
        float(np.abs(finite).max()),
        usable,
    )


def read(path: str) -> tuple[Array, str]:
    """The logits of a `.npy` file as (array of shape (tokens, experts), name of the type in the file).

    Nothing in the file is executed: pickled objects are refused. Raises BadLogits for what is no such file, for
    another shape or type, and for more than MOST_VALUES values.
    """
    import stat
    import warnings
    from pathlib import Path

    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):
            raise BadLogits(f"{path} is no regular file")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loaded = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise BadLogits(f"{path}: no such file") from None
    except OSError as error:
        raise BadLogits(f"{path} cannot be read: {error.strerror or error}") from None
    except BadLogits:
        raise
    except Exception:  # noqa: BLE001  numpy reads the header with Python's tokenizer: broken ones raise nearly anything
        raise BadLogits(f"{path} is no complete .npy file of numbers") from None
    if not isinstance(loaded, np.ndarray):
        loaded.close()
        raise BadLogits(f"{path} is an .npz archive; give one array as .npy")
    if loaded.ndim != 2:
        raise BadLogits(f"{path} has shape {loaded.shape}, where (tokens, experts) is needed")
    if loaded.dtype.kind != "f":
        raise BadLogits(f"{path} holds {loaded.dtype}, where float16, float32 or float64 is needed")
    tokens, experts = loaded.shape
    if not tokens or not 1 < experts <= MOST_EXPERTS:
        raise BadLogits(f"{path} has shape {loaded.shape}, where 1 token and 2 to {MOST_EXPERTS} experts are needed")
    if loaded.size > MOST_VALUES:
        raise BadLogits(f"{path} holds {loaded.size:,} values, above the limit of {MOST_VALUES:,}")
    return np.asarray(loaded, np.float64), str(loaded.dtype)
