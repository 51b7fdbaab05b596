"""The tables of RESULTS.md, each made of the series of one family."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benches import goals
from benches.record import Series, amount, of_family


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |\n" for line in lines)


class Row:
    """A work: ours, the plain reference and the peers."""

    def __init__(self, group: str, sides: Sequence[Series]) -> None:
        self.name = group
        self.ours = next(side for side in sides if side.facts["role"] == "ours")
        self.reference = next((side for side in sides if side.facts["role"] == "reference"), None)
        self.peers = [side for side in sides if side.facts["role"] == "peer"]

    def ratio(self, other: Series) -> float:
        """How many times as long the other side takes: a quotient of medians."""
        return other.median / self.ours.median

    def beside(self, other: Series) -> str:
        rows = "" if other.facts["rows"] == self.ours.facts["rows"] else f", {other.facts['rows']:,} rows"
        return f"{amount(other.median)} ({times(self.ratio(other))}{rows})"

    def judged(self) -> list[tuple[goals.Ratio, bool | None]]:
        """Its goals, and whether each is met; None where the peer was not there to be compared with."""
        others = [*self.peers, *([self.reference] if self.reference else [])]
        found: list[tuple[goals.Ratio, bool | None]] = []
        for goal in goals.of_work(self.name):
            peer = next((one for one in others if goals.holds(named(one), goal.peer)), None)
            found.append((goal, None if peer is None else goal.met(self.ours.median, peer.median)))
        return found

    def cells(self) -> list[str]:
        judged = self.judged()
        return [
            self.name,
            f"{self.ours.facts['rows']:,}",
            self.ours.spread(),
            self.beside(self.reference) if self.reference else "–",
            "<br>".join(f"{peer.side} {self.beside(peer)}" for peer in self.peers) or "–",
            "<br>".join(str(goal) for goal, _ in judged) or "–",
            "<br>".join(verdict(met) for _, met in judged) or "–",
        ]


def named(side: Series) -> str:
    """A side's name for goals, which call the plain twin `reference` however it is shown."""
    return "reference" if side.facts["role"] == "reference" else side.side


def times(ratio: float) -> str:
    return f"{ratio:.2f}×" if ratio < 10 else f"{ratio:,.0f}×"


def verdict(met: bool | None) -> str:
    """A goal that was not looked at is not met."""
    if met is None:
        return "**not measured**"
    return "yes" if met else "**NO**"


def rows_of(series: Iterable[Series]) -> list[Row]:
    return [Row(group, sides) for group, sides in of_family(series, "table").items()]


def main_table(rows: Sequence[Row]) -> str:
    heads = ["work", "rows", "ours, µs", "reference, µs", "peers, µs", "goal", "met?"]
    return table(heads, (row.cells() for row in rows))


def missed(rows: Sequence[Row], series: Sequence[Series]) -> list[str]:
    """The goals that are not met, or were not looked at, one line each."""
    found = [
        f"{row.name}: {goal}, {'not measured' if met is None else 'missed'}"
        for row in rows
        for goal, met in row.judged()
        if not met
    ]
    found += [f"{line[0]}: {line[2]}, missed" for line in rate_lines(series) if "NO" in line[-1]]
    works = [row.name for row in rows]
    absent = [goal for goal in goals.RATIOS if not any(goals.holds(work, goal.work) for work in works)]
    return found + [f"{goal.work}: {goal}, not measured" for goal in absent]


def notes(series: Iterable[Series]) -> str:
    """Each peer once, and what it leaves out in which work."""
    found: dict[str, dict[str, None]] = {}
    for one in series:
        if one.facts["role"] == "peer":
            told = found.setdefault(f"{one.side} {one.facts['version']}", {})
            if one.facts["note"]:
                told[one.facts["note"]] = None
    return "".join(f"- {name}{': ' * bool(told)}{'; '.join(told)}\n" for name, told in sorted(found.items()))


def rate_lines(series: Sequence[Series]) -> list[list[str]]:
    """The figures with a goal of their own: rows a second in a batch, and one call."""
    lines = []
    for goal in goals.RATES:
        for one in series:
            if one.group == goal.group and one.facts["size"] == goal.size and one.facts["threads"] == 1:
                rate = 1e6 / one.median
                cells = [f"{one.facts['work']}, a batch of {goal.size:,} short rows", f"{rate:,.0f} rows/s"]
                lines.append([*cells, f"≥ {goal.least:,.0f} rows/s", verdict(rate >= goal.least)])
    for one in series:
        if one.facts["family"] == "call":
            cells = [f"{one.facts['work']}, one `grade()` of 100 characters", f"{one.spread()} µs"]
            lines.append([*cells, f"≤ {goals.LONGEST_CALL:g} µs", verdict(one.median <= goals.LONGEST_CALL)])
    return lines


def rate_table(series: Sequence[Series]) -> str:
    return table(["through the door, one thread", "figure", "goal", "met?"], rate_lines(series))


def size_tables(series: Sequence[Series]) -> str:
    """A line a work: microseconds a row at each size."""
    parts = []
    for family, unit in (("tokens", "tokens a side"), ("members", "sentences a side"), ("terms", "terms")):
        groups = of_family(series, family)
        if not groups:
            continue
        every = [one for group in groups.values() for one in group]
        sizes = sorted({one.facts["size"] for one in every})
        lines: dict[str, dict[int, str]] = {}
        for one in every:
            side = "" if one.facts["role"] == "ours" else f", {one.side} {one.facts['version']}"
            lines.setdefault(one.facts["work"] + side, {})[one.facts["size"]] = amount(one.median)
        heads = [f"µs a row, {unit}", *(f"{size:,}" for size in sizes)]
        parts.append(
            table(heads, ([name, *(line.get(size, "–") for size in sizes)] for name, line in lines.items()))
        )
    return "\n".join(parts)


def batch_table(series: Sequence[Series]) -> str:
    """A line for each work and number of threads: rows a second at each number of rows."""
    every = [one for group in of_family(series, "rows").values() for one in group]
    sizes = sorted({one.facts["size"] for one in every})
    lines: dict[str, dict[int, str]] = {}
    for one in every:
        name = f"{one.facts['work']}, threads={one.facts['threads']}"
        lines.setdefault(name, {})[one.facts["size"]] = f"{1e6 / one.median:,.0f}"
    heads = ["rows/s, short rows in a batch", *(f"{size:,}" for size in sizes)]
    return table(heads, ([name, *(line[size] for size in sizes)] for name, line in sorted(lines.items())))


def worst_table(series: Sequence[Series]) -> str:
    """A line an input: milliseconds at a quarter, at half and at full size, and by how much the time grew."""
    heads = ["kernel", "input", "full size", "¼, ms", "½, ms", "full, ms", "full / ¼", "code"]
    return table(heads, (_worst_cells(group) for group in of_family(series, "worst").values()))


def _worst_cells(group: Sequence[Series]) -> list[str]:
    quarter, half, full = sorted(group, key=lambda one: one.facts["share"])
    facts = full.facts
    codes = list(dict.fromkeys(one.facts["code"] for one in (quarter, half, full)))
    return [
        facts["work"],
        facts["input"],
        f"{facts['size']:,} {facts['unit']}",
        *(f"{one.median / 1e3:.2f}" for one in (quarter, half, full)),
        f"{full.median / quarter.median:.1f}",
        ", ".join(codes),
    ]
