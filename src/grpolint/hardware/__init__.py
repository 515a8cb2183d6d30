"""Accelerators by the names that people give them: memory and compute capability.

Memory is that of the board in GiB as sold; compute capability as in NVIDIA's tables (https://developer.nvidia.com/cuda-gpus),
None for accelerators that have none.
"""

from __future__ import annotations

from grpolint.records import Record

__all__ = ["GPUS", "Gpu", "find_gpu"]


class Gpu(Record):
    """One accelerator: name as messages show it, memory in GiB, CUDA compute capability."""

    name: str
    memory: int
    capability: tuple[int, int] | None


def _gpu(name: str, memory: int, capability: tuple[int, int] | None) -> tuple[str, Gpu]:
    return _plain(name), Gpu(name, memory, capability)


def _plain(name: str) -> str:
    """Letters and digits in lower case, without the maker's words: `NVIDIA GeForce RTX 4090` is `rtx4090`."""
    text = "".join(char for char in name.lower() if char.isalnum())
    for word in ("nvidia", "geforce", "tesla", "amd", "instinct", "huawei"):
        text = text.replace(word, "")
    return text


GPUS = dict(
    [
        _gpu("V100", 32, (7, 0)),
        _gpu("T4", 16, (7, 5)),
        _gpu("RTX 2080 Ti", 11, (7, 5)),
        _gpu("A100", 80, (8, 0)),
        _gpu("A100-40GB", 40, (8, 0)),
        _gpu("A800", 80, (8, 0)),
        _gpu("A30", 24, (8, 0)),
        _gpu("A10", 24, (8, 6)),
        _gpu("A10G", 24, (8, 6)),
        _gpu("A40", 48, (8, 6)),
        _gpu("RTX A6000", 48, (8, 6)),
        _gpu("RTX 3090", 24, (8, 6)),
        _gpu("RTX 4090", 24, (8, 9)),
        _gpu("L4", 24, (8, 9)),
        _gpu("L20", 48, (8, 9)),
        _gpu("L40S", 48, (8, 9)),
        _gpu("H100", 80, (9, 0)),
        _gpu("H800", 80, (9, 0)),
        _gpu("H20", 96, (9, 0)),
        _gpu("H200", 141, (9, 0)),
        _gpu("GH200", 96, (9, 0)),
        _gpu("B200", 180, (10, 0)),
        _gpu("GB200", 186, (10, 0)),
        _gpu("B300", 288, (10, 3)),
        _gpu("GB300", 288, (10, 3)),
        _gpu("RTX 5090", 32, (12, 0)),
        _gpu("MI250X", 128, None),
        _gpu("MI300X", 192, None),
        _gpu("MI325X", 256, None),
        _gpu("MI355X", 288, None),
        _gpu("Ascend 910B", 64, None),
        _gpu("Ascend 910C", 128, None),
    ]
)
"""Accelerators by plain name (`rtx4090`)."""


def find_gpu(name: str) -> Gpu | None:
    """The accelerator of that name; case, blanks, dashes and the maker's name do not matter. None if unknown."""
    plain = _plain(name)
    if plain in GPUS:
        return GPUS[plain]
    # The memory may stand behind the name: a100-80gb, h100_80gb.
    rests = ((plain.removeprefix(key), gpu) for key, gpu in GPUS.items() if plain.startswith(key))
    return next((gpu for rest, gpu in rests if rest.endswith("gb") and rest[:-2].isdigit()), None)
