"""The figures of calls: how many were made, how long they took, and what the replies say they cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gradestone.verdict import GradeBatch


@dataclass(slots=True)
class CallFigures:
    """What the verdicts of a grader that leaves the process tell of its calls."""

    judged: int = 0
    """Rows for which something was sent, or came out of the cache."""
    cached: int = 0
    """Replies out of the cache."""
    retries: int = 0
    latencies: list[float] = field(default_factory=list)
    """Seconds of a row's calls, of the rows for which some were made."""
    usage: Counter[str] = field(default_factory=Counter)
    conflicting: int = 0
    """Replies whose verdict lines differed."""

    def add(self, batch: GradeBatch) -> None:
        """Take in the rows of a batch."""
        for row in range(len(batch)):
            self._add_row(batch.verdicts.row(row).metadata or {})

    def _add_row(self, metadata: Mapping[str, Any]) -> None:
        cached = metadata.get("cached", 0)
        latency = metadata.get("latency_s")
        self.judged += bool(cached) or latency is not None
        self.cached += cached
        self.retries += metadata.get("retries", 0)
        self.conflicting += metadata.get("conflicting", False)
        self.usage.update(metadata.get("usage", {}))
        if latency is not None:
            self.latencies.append(latency)

    def to_dict(self) -> dict[str, Any]:
        """The figures as a JSON object."""
        return {
            "rows": self.judged,
            "cached_replies": self.cached,
            "retries": self.retries,
            "conflicting": self.conflicting,
            "latency_s": self._latency(),
            "usage": dict(self.usage),
        }

    def to_text(self) -> str:
        """The figures in a line."""
        parts = [f"{self.judged:,} rows judged"]
        if self.cached:
            parts.append(f"{self.cached:,} replies from the cache")
        latency = self._latency()
        if latency is not None:
            parts.append(f"latency {latency['p50']:.2f} s (p50), {latency['max']:.2f} s (longest)")
        if self.retries:
            parts.append(f"{self.retries:,} retries")
        if self.conflicting:
            parts.append(f"{self.conflicting:,} replies with verdicts that differ")
        parts += [f"{count:,} {name.replace('_', ' ')}" for name, count in self.usage.items()]
        return "; ".join(parts)

    def _latency(self) -> dict[str, float] | None:
        if not self.latencies:
            return None
        import statistics  # a slow import, for those who called somebody

        return {
            "p50": statistics.median(self.latencies),
            "mean": statistics.fmean(self.latencies),
            "max": max(self.latencies),
        }
