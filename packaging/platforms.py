"""The platforms that wheels are built for."""

from __future__ import annotations

from typing import Final

PLATFORMS: Final[dict[str, str]] = {
    "x86_64-unknown-linux-gnu": "manylinux_2_17_x86_64",
    "aarch64-unknown-linux-gnu": "manylinux_2_17_aarch64",
}
"""Rust's name of a target, and the tag of its wheel.

glibc 2.17 is the lowest that the compiler's own standard library runs on; manylinux2014 is its other name.
"""
