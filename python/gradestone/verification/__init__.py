"""Conformance vectors: cases with their recorded verdicts, read from files and run on both backends.

>>> from gradestone.verification import check, read_vectors, shipped_folder
>>> cases = read_vectors(shipped_folder() / "blocklist.json")
>>> [case.name for case in cases if check(case, "python")]
[]
"""

from __future__ import annotations

from gradestone.verification.reading import Case, Expected, find_files, read_vectors, shipped_folder
from gradestone.verification.running import Difference, Tally, check, run_cases

__all__ = [
    "Case",
    "Difference",
    "Expected",
    "Tally",
    "check",
    "find_files",
    "read_vectors",
    "run_cases",
    "shipped_folder",
]
