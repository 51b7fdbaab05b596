"""The compiled kernels; ``gradestone.reference.batch`` is their plain twin and documents them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, final

__all__ = [
    "CODES",
    "LIMITS",
    "UNICODE_VERSION",
    "VERSION",
    "ArrowColumn",
    "Bleu",
    "Blocklist",
    "Contains",
    "ContextF1",
    "ExactMatch",
    "Interrupted",
    "Jaccard",
    "JsonLines",
    "LineColumn",
    "PairKernel",
    "Pattern",
    "Pii",
    "Rouge",
    "Rows",
    "TextKernel",
    "Wording",
    "export_reasoned",
    "export_verdicts",
    "run_tasks",
    "write_lines",
]

_Names = tuple[Sequence[str], bytes, Sequence[str]]
_Graded = tuple[Wording, bytes, bytes, Rows | None, Mapping[int, bytes]]

CODES: tuple[str, ...]
LIMITS: dict[str, int]
UNICODE_VERSION: tuple[int, int, int]
VERSION: str

class Interrupted(BaseException): ...

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
class TextKernel:
    def run(self, candidates: Sequence[object], threads: int) -> Rows: ...

@final
class PairKernel:
    def run(self, candidates: Sequence[object], references: str | Sequence[object], threads: int) -> Rows: ...

def ExactMatch(case_sensitive: bool, remove_punctuation: bool) -> PairKernel: ...  # noqa: N802
def Contains(fragments: Sequence[str], forbid: bool) -> TextKernel: ...  # noqa: N802
def Pattern(pattern: str, forbid: bool) -> TextKernel: ...  # noqa: N802
def Blocklist(terms: Sequence[str]) -> TextKernel: ...  # noqa: N802
def Pii(kinds: Sequence[str]) -> TextKernel: ...  # noqa: N802
def Bleu(threshold: float) -> PairKernel: ...  # noqa: N802
def Rouge(rouge_type: str, measure: str, threshold: float) -> PairKernel: ...  # noqa: N802
def Jaccard(threshold: float) -> PairKernel: ...  # noqa: N802
def ContextF1(measure: str, similarity_threshold: float, threshold: float) -> PairKernel: ...  # noqa: N802
def run_tasks(
    tasks: Sequence[tuple[object, Sequence[object], str | Sequence[object] | None]], threads: int
) -> list[Rows]: ...

@final
class ArrowColumn:
    def __new__(cls, values: object, name: str) -> ArrowColumn: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Any: ...

def export_verdicts(codes: bytes, scores: bytes, names: _Names) -> object: ...
def export_reasoned(graded: _Graded, names: _Names) -> object: ...

@final
class JsonLines:
    def __new__(
        cls,
        block: bytes,
        first: int,
        names: Sequence[str],
        reserved: Sequence[str],
        parse: Callable[[bytes], object],
        threads: int,
    ) -> JsonLines: ...
    def __len__(self) -> int: ...
    @property
    def breaks(self) -> int: ...
    def hard(self) -> list[int]: ...
    def number(self, row: int) -> int: ...
    def text(self, row: int) -> bytes: ...
    def without(self, rows: Sequence[int]) -> JsonLines: ...
    def column(self, name: str) -> LineColumn: ...

@final
class LineColumn:
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Any: ...

@final
class Wording:
    def __new__(
        cls,
        frames: Sequence[tuple[bytes, bytes]],
        fixed: Mapping[int, bytes],
        scored: Mapping[int, tuple[bytes, bytes]],
        hits: Mapping[int, tuple[bytes, Sequence[bytes], bytes]],
    ) -> Wording: ...

def write_lines(
    rows: JsonLines | Sequence[bytes],
    members: Sequence[tuple[str, bytes]] | None,
    verdicts: Sequence[_Graded],
    others: Sequence[tuple[int, bytes]],
    threads: int,
) -> list[bytes]: ...
