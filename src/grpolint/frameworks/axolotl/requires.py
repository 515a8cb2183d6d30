"""What releases of axolotl are installed with, as their packages declare it."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["REQUIRED"]


def _exactly(transformers: str, trl: str, accelerate: str, **others: str) -> Mapping[str, str]:
    pins = {"transformers": f"=={transformers}", "trl": f"=={trl}", "accelerate": f"=={accelerate}"}
    return {**pins, **others}


REQUIRED: Mapping[str, Mapping[str, str]] = {
    "0.5.2": _exactly("4.46.3", "0.12.0", "1.1.0", deepspeed="==0.15.4"),
    "0.6.0": {"transformers": ">=4.46.3,<4.48", "trl": "==0.12.1", "accelerate": "==1.2.0", "deepspeed": "==0.16.1"},
    "0.7.0": _exactly("4.48.3", "0.15.0", "1.3.0", deepspeed="==0.16.1"),
    "0.8.0": _exactly("4.50.3", "0.16.0", "1.5.2", deepspeed="==0.15.4"),
    "0.8.1": _exactly("4.51.0", "0.16.1", "1.6.0"),
    "0.9.0": _exactly("4.51.3", "0.17.0", "1.6.0"),
    "0.10.0": _exactly("4.52.3", "0.18.1", "1.7.0"),
    "0.11.0": _exactly("4.53.1", "0.18.2", "1.8.1"),
    "0.12.0": _exactly("4.55.0", "0.21.0", "1.10.0"),
    "0.12.2": _exactly("4.55.2", "0.21.0", "1.10.0"),
    "0.13.1": _exactly("4.57.6", "0.25.1", "1.12.0", deepspeed=">=0.18.3"),
    "0.13.2": _exactly("4.57.6", "0.27.0", "1.12.0", deepspeed=">=0.18.3"),
    "0.14.0": _exactly("5.0.0", "0.27.1", "1.12.0", deepspeed=">=0.18.3"),
    "0.15.0": _exactly("5.3.0", "0.29.0", "1.13.0", deepspeed=">=0.18.6,<0.19"),
    "0.16.0": _exactly("5.4.0", "0.29.0", "1.13.0", deepspeed=">=0.18.6,<0.19"),
    "0.16.1": _exactly("5.5.0", "0.29.0", "1.13.0", deepspeed=">=0.18.6,<0.19"),
    "0.17.0": _exactly("5.9.0", "1.5.1", "1.13.0", deepspeed=">=0.18.6,<0.19"),
    "0.18.0": _exactly("5.14.1", "1.8.0", "1.13.0", deepspeed=">=0.18.6,<0.19"),
    "0.19.0": _exactly("5.16.1", "1.9.0", "1.13.0", deepspeed=">=0.18.6,<0.19"),
    "0.20.0": _exactly("5.17.0", "1.13.0", "1.15.0", deepspeed=">=0.18.6,<0.20"),
    "0.21.0": _exactly("5.20.1", "1.14.1", "1.15.0", deepspeed=">=0.18.6,<0.20"),
}
"""Pins and bounds by the first release that declares them."""
