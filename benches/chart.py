"""The chart that the README shows: how many times as long each peer takes, on a logarithmic axis, as plain SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from benches.tables import Row, times

WIDTH, LEFT, RIGHT = 860, 232, 216
TOP, BAR, GAP, FOOT = 62, 16, 9, 46
STYLE = """
  text { font: 12px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
  .title { font-size: 15px; font-weight: 600 } .quiet { fill: #59636e } .work { text-anchor: end; font-weight: 600 }
  .tick { text-anchor: middle } .back { fill: #ffffff } .grid { stroke: #d1d9e0 }
  .ours { stroke: #1f2328; stroke-width: 2 }
  .label { paint-order: stroke; stroke: #ffffff; stroke-width: 4px } .ratio { font-weight: 600 }
  .slower { fill: #2f6fce } .faster { fill: #b5530c }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .quiet { fill: #9198a1 } .back { fill: #0d1117 } .grid { stroke: #3d444d }
    .label { stroke: #0d1117 } .ours { stroke: #f0f6fc } .slower { fill: #5b93e8 } .faster { fill: #e0813a }
  }
"""
TITLE = "Time a row, as a multiple of gradestone's"


def drawn(rows: Sequence[Row], caption: str) -> str:
    """The chart of all works that have a peer; the same rows give the same bytes."""
    shown = [row for row in rows if row.peers]
    ratios = [row.ratio(peer) for row in shown for peer in row.peers]
    axis = Axis(min([1.0, *ratios]), max([10.0, *ratios]))
    marks: list[str] = []
    top = TOP
    for row in shown:
        marks.append(_text(LEFT - 10, top + 12, row.name, "work"))
        for peer in sorted(row.peers, key=row.ratio):
            marks.append(_bar(axis, top, row.ratio(peer), f"{peer.side} {peer.facts['version']}"))
            top += BAR
        top += GAP
    height = top + FOOT
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
            ' role="img" aria-labelledby="title">',
            f'<title id="title">{TITLE}</title>',
            f"<style>{STYLE}</style>",
            f'<rect class="back" width="{WIDTH}" height="{height}"/>',
            _text(16, 24, TITLE, "title"),
            _text(
                16,
                42,
                "Longer bars: slower peers. Logarithmic. One thread each, in the same run.",
                "quiet",
            ),
            *axis.grid(TOP - 6, top),
            *marks,
            f'<line class="ours" x1="{axis.x(1):.1f}" x2="{axis.x(1):.1f}" y1="{TOP - 6}" y2="{top}"/>',
            _text(16, height - 8, caption, "quiet"),
            "</svg>\n",
        ]
    )


class Axis:
    """A logarithmic axis over whole decades upwards, and down to the fastest peer."""

    def __init__(self, least: float, most: float) -> None:
        self._least = math.log10(least) - 0.04
        self._most = math.log10(most)

    def x(self, ratio: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(ratio) - self._least) / (self._most - self._least)

    def grid(self, top: int, bottom: int) -> list[str]:
        decades = range(math.ceil(self._least), math.floor(self._most) + 1)
        lines = []
        for ratio in (10.0**decade for decade in decades):
            x = f"{self.x(ratio):.1f}"
            label = "1× (ours)" if ratio == 1 else f"{ratio:,g}×"
            lines.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{top}" y2="{bottom}"/>')
            lines.append(f'<text class="tick quiet" x="{x}" y="{bottom + 15}">{label}</text>')
        return lines


def _bar(axis: Axis, top: int, ratio: float, name: str) -> str:
    start, end = sorted((axis.x(1), axis.x(ratio)))
    kind = "slower" if ratio >= 1 else "faster"
    bar = f'<rect class="{kind}" x="{start:.1f}" y="{top + 2}" width="{end - start:.1f}" height="{BAR - 4}"/>'
    label = f'<tspan class="ratio">{times(ratio)}</tspan> {escape(name)}'
    return f'{bar}<text class="label" x="{end + 6:.1f}" y="{top + 12}">{label}</text>'


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y}">{escape(text)}</text>'
