"""The compiled kernels; ``gradestone.reference.batch`` is their plain twin and documents them."""

from collections.abc import Sequence
from typing import final

__all__ = [
    "CODES",
    "LIMITS",
    "UNICODE_VERSION",
    "VERSION",
    "Bleu",
    "Blocklist",
    "Contains",
    "ContextF1",
    "ExactMatch",
    "Jaccard",
    "Pattern",
    "Pii",
    "Rouge",
    "Rows",
    "read_arrow_column",
]

CODES: tuple[str, ...]
LIMITS: dict[str, int]
UNICODE_VERSION: tuple[int, int, int]
VERSION: str

@final
class Rows:
    @property
    def codes(self) -> bytes: ...
    @property
    def scores(self) -> bytes: ...
    def stats(self, index: int, /) -> tuple[int, ...]: ...
    def hits(self, index: int, /) -> tuple[int, ...]: ...
    def __len__(self) -> int: ...

@final
class ExactMatch:
    def __new__(cls, case_sensitive: bool, remove_punctuation: bool) -> ExactMatch: ...
    def run(self, candidates: Sequence[object], references: str | Sequence[object], threads: int) -> Rows: ...

@final
class Contains:
    def __new__(cls, fragments: Sequence[str], forbid: bool) -> Contains: ...
    def run(self, candidates: Sequence[object], threads: int) -> Rows: ...

@final
class Pattern:
    def __new__(cls, pattern: str, forbid: bool) -> Pattern: ...
    def run(self, candidates: Sequence[object], threads: int) -> Rows: ...

@final
class Blocklist:
    def __new__(cls, terms: Sequence[str]) -> Blocklist: ...
    def run(self, candidates: Sequence[object], threads: int) -> Rows: ...

@final
class Pii:
    def __new__(cls, kinds: Sequence[str]) -> Pii: ...
    def run(self, candidates: Sequence[object], threads: int) -> Rows: ...

@final
class Bleu:
    def __new__(cls, threshold: float) -> Bleu: ...
    def run(self, candidates: Sequence[object], references: str | Sequence[object], threads: int) -> Rows: ...

@final
class Rouge:
    def __new__(cls, rouge_type: str, measure: str, threshold: float) -> Rouge: ...
    def run(self, candidates: Sequence[object], references: str | Sequence[object], threads: int) -> Rows: ...

@final
class Jaccard:
    def __new__(cls, threshold: float) -> Jaccard: ...
    def run(self, candidates: Sequence[object], references: str | Sequence[object], threads: int) -> Rows: ...

@final
class ContextF1:
    def __new__(cls, measure: str, similarity_threshold: float, threshold: float) -> ContextF1: ...
    def run(self, candidates: Sequence[object], references: Sequence[object], threads: int) -> Rows: ...

def read_arrow_column(values: object, name: str) -> list[object]: ...
