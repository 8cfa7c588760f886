"""Measured figures on the pages are those of benchmarks/RESULTS.md.

    python docs/figures.py    # after `make bench`: writes the present ones into the pages

``QUOTED`` lists the sentences and where their figures come from; `tests/docs/test_figures.py` says
which page is behind the record.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "RESULTS.md"
Record = dict[str, list[dict[str, str]]]  # rows by table, cells by column
SECTION = re.compile(r"<!-- (\w+) -->\n(.*?)(?=<!-- \w+ -->|\Z)", re.DOTALL)
NUMBER = r"[-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"


def short(value: float) -> str:
    """3.53 is 3.5, 108.2 is 108, 1537 is 1,537."""
    return f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"


def whole(value: float) -> str:
    """33.03 is 33."""
    return f"{value:,.0f}"


def two_places(value: float) -> str:
    """1.137 is 1.14."""
    return f"{value:.2f}"


def two_digits(value: float) -> str:
    """566 is 570."""
    return f"{float(f'{value:.1e}'):,.0f}"


def as_power(value: float) -> str:
    """0.0055 is 5.5e-3."""
    digits, power = f"{value:.1e}".split("e")
    return f"{digits}e{int(power)}"


class Figure(NamedTuple):
    """A cell of a table, and how it is written on a page."""

    table: str
    row: str  # how it begins
    column: str  # "a / b": the one divided by the other
    times: float = 1.0
    written: Callable[[float], str] = short
    before: str = ""  # what follows the number, where a cell has several


class Quoted(NamedTuple):
    """A sentence of a page with {} for each figure."""

    page: str
    sentence: str
    figures: tuple[Figure, ...]

    @property
    def pattern(self) -> re.Pattern[str]:
        escaped = re.escape(self.sentence).replace(re.escape("{}"), f"({NUMBER})")
        return re.compile(escaped.replace(r"\ ", r"\s+"))


PAPER, LARGE, SIZES = "at_the_papers_size", "large_cases", "by_size"
HERE, STEPS, BLOCKS = "dask_overhead", "dask_costs", "dask_blocks"
MILLION = "1,000,000 generated points"
EVERY, LISTED = "creditcard, 4,000 rows, every pair", "creditcard, all 29,737 rows, m = 250"
KMEANS = "k-means, k = 8"
MINUTES = Figure(LARGE, MILLION, "seconds", 1 / 60, whole)
GIGABYTES = Figure(LARGE, MILLION, "peak GB")
# one thread, where nothing is above its bound: the largest and the smallest tile
_TILE = "an ordered pair in a tile of {0} x {0} points, 8 dimensions, 8 centres, one thread; 0%"
NANOSECONDS = Figure(STEPS, _TILE.format("64,000"), "measured", before=" ns")
MOST_NANOSECONDS = NANOSECONDS._replace(row=_TILE.format("4,000"))
# where everything is
_ABOVE = _TILE.replace("; 0%", "; 100%")
ABOVE = NANOSECONDS._replace(row=_ABOVE.format("16,000"))
MOST_ABOVE = NANOSECONDS._replace(row=_ABOVE.format("4,000"))


def dask(row: str) -> tuple[Figure, ...]:
    plain = (Figure(HERE, row, column, written=whole) for column in ("here", "Dask"))
    return (*plain, Figure(HERE, row, "ratio", written=two_places))


def papers(row: str) -> tuple[Figure, ...]:
    return Figure(PAPER, row, "seconds"), Figure(PAPER, row, "theirs")


README, SCALE, GALLERY = "README.md", "docs/scale.md", "examples/a_million_points.py"
QUOTED = (
    Quoted(
        README,
        "| 1,000 credit cards, 4 centres, 250 neighbours | optimum | {} s | {} s |",
        papers("creditcard global n=1000 k=4"),
    ),
    Quoted(
        README,
        "| 1,000 bank clients, 10 centres, 250 neighbours | optimum | {} s | {} s |",
        papers("bank global n=1000 k=10"),
    ),
    Quoted(
        README,
        "| 4,000 credit cards, 4 centres, 250 neighbours | 1e-4 | {} s | {} s |",
        (Figure(SIZES, "4000", "seconds"), Figure(SIZES, "4000", "paper")),
    ),
    Quoted(
        README,
        "every pair (442 million) | 1e-3 | {} s |",
        (Figure(LARGE, "creditcard, all 29,737 rows, k = 4, every pair", "seconds"),),
    ),
    Quoted(README, "8 centres, 30 neighbours | 5e-2 | {} min |", (MINUTES,)),
    Quoted(SCALE, "250 neighbours, gap 1e-3 | {} s | {} s ({} times) |", dask(LISTED)),
    Quoted(SCALE, "every pair, gap 1e-4 | {} s | {} s ({} times) |", dask(EVERY)),
    Quoted(
        SCALE,
        "workers of 2 GB | | {} s, {} passes, at most {} GB a worker |",
        (
            Figure(BLOCKS, KMEANS, "seconds"),
            Figure(BLOCKS, KMEANS, "passes", written=whole),
            Figure(BLOCKS, KMEANS, "peak of a worker", written=two_places),
        ),
    ),
    Quoted(
        SCALE,
        "fairly, 20 neighbours, gap 5e-2 | | {} s |",
        (Figure(BLOCKS, "the first 300,000 rows fairly", "seconds"),),
    ),
    Quoted(
        SCALE,
        "| a round of eight empty tasks | {} ms |",
        (Figure(STEPS, "a round of 8 empty tasks", "measured"),),
    ),
    Quoted(
        SCALE,
        "| the same with 64 MB sent to both workers | {} s |",
        (Figure(STEPS, "the same with 64 MB", "measured", 1e-3),),
    ),
    Quoted(
        SCALE,
        "where nothing is above its bound | {} to {} ns",
        (NANOSECONDS, MOST_NANOSECONDS),
    ),
    Quoted(SCALE, "where everything is above its bound | {} to {} ns", (ABOVE, MOST_ABOVE)),
    Quoted(
        SCALE,
        "At {} ns it takes 100 workers {} minutes, at {} ns {}.",
        (
            NANOSECONDS,
            NANOSECONDS._replace(times=1e14 * 1e-9 / 100 / 60),
            MOST_ABOVE,
            MOST_ABOVE._replace(times=1e14 * 1e-9 / 100 / 60),
        ),
    ),
    Quoted(
        SCALE,
        "state of the solver at the client (about {} GB a million, measured) | {} GB | {} GB |",
        (
            GIGABYTES,
            GIGABYTES._replace(times=10.0, written=two_digits),
            GIGABYTES._replace(times=100.0, written=two_digits),
        ),
    ),
    Quoted(SCALE, "from a million in {} min on two cores", (MINUTES,)),
    Quoted(SCALE, "some thousands of people in seconds, a million in {} minutes", (MINUTES,)),
    Quoted(
        SCALE,
        "over 20 million rows takes two workers {} s",
        (Figure(BLOCKS, KMEANS, "seconds / passes", written=whole),),
    ),
    Quoted(GALLERY, "30 million ordered pairs, {} minutes, {} GB", (MINUTES, GIGABYTES)),
    Quoted(GALLERY, "[{} * 60]", (MINUTES,)),
    Quoted(GALLERY, "a million in {} min", (MINUTES,)),
    Quoted(
        "docs/how-it-works/k-center.md",
        "the global similarity: a gap of {})",
        (
            Figure(
                "k_center",
                "creditcard 4000 | global | no",
                "gap of the expected distance",
                written=as_power,
            ),
        ),
    ),
    Quoted(
        "docs/how-it-works/separation.md",
        "{} ns a pair instead of {}",
        (NANOSECONDS, MOST_ABOVE),
    ),
)


def tables(record: str) -> Record:
    """What was measured."""
    return {name: _rows(text) for name, text in SECTION.findall(record)}


def _rows(text: str) -> list[dict[str, str]]:
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    head, _, *rows = cells
    return [dict(zip(head, row, strict=True)) for row in rows]


def as_recorded(figure: Figure, record: Record) -> str:
    """What the page should say."""
    rows = record[figure.table]
    (row,) = (row for row in rows if " | ".join(row.values()).startswith(figure.row))
    numbers = [_number(row[column], figure.before) for column in figure.column.split(" / ")]
    value = numbers[0] if len(numbers) == 1 else numbers[0] / numbers[1]
    return figure.written(value * figure.times)


def _number(cell: str, before: str) -> float:
    return float(re.search(f"({NUMBER}){before}", cell)[1].replace(",", ""))


def present(quoted: Quoted, page: str) -> re.Match[str]:
    """The sentence as it stands, once."""
    found = list(quoted.pattern.finditer(page))
    if len(found) != 1:
        raise LookupError(f"{quoted.page} has {len(found)} times: {quoted.sentence}")
    return found[0]


def put_right(quoted: Quoted, page: str, record: Record) -> str:
    """The page with the figures of the record in the sentence."""
    found = present(quoted, page)
    places = [found.span(number) for number in range(1, len(quoted.figures) + 1)]
    for (start, end), figure in reversed(list(zip(places, quoted.figures, strict=True))):
        page = page[:start] + as_recorded(figure, record) + page[end:]
    return page


def main() -> None:
    record = tables(RESULTS.read_text(encoding="utf-8"))
    for quoted in QUOTED:
        path = ROOT / quoted.page
        before = path.read_text(encoding="utf-8")
        after = put_right(quoted, before, record)
        if after != before:
            path.write_text(after, encoding="utf-8")
            print(f"{quoted.page}: {present(quoted, after)[0]}")


if __name__ == "__main__":
    main()
