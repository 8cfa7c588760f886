"""``likewise audit``: judge any clustering, whoever made it."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from likewise.cli import errors as failures
from likewise.cli.input import ColumnOptions, People, TableOptions, read_people
from likewise.cli.judged import (
    LABELS,
    PROBABILITIES,
    Comparison,
    Judged,
    as_certain,
    is_run,
    labels_by_id,
    labels_file,
    of_people,
    of_run,
)
from likewise.cli.options import (
    BoundScale,
    Categorical,
    Decimal,
    Divergence,
    DropMissing,
    Encoding,
    Exclude,
    Features,
    IdColumn,
    Json,
    Metric,
    Names,
    Neighbors,
    NoOneHot,
    NoScale,
    Protected,
    Quiet,
    Similarity,
    Thousands,
)
from likewise.cli.output import Output
from likewise.errors import InvalidArgument

if TYPE_CHECKING:
    from likewise.auditing import Audit


def audit(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE|DIR", help="A table with a clustering in it, or a folder that `fit` left."
        ),
    ],
    labels: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN|FILE",
            help="Column with the cluster of each row (hard clustering), or a file with ids and"
            " labels as `draw` writes it (FILE:COLUMN for one of several).",
        ),
    ] = None,
    probabilities: Annotated[
        Names,
        typer.Option(
            metavar="COLUMNS", help="Columns with probabilities, one for each cluster (soft)."
        ),
    ] = None,
    features: Features = None,
    exclude: Exclude = None,
    categorical: Categorical = None,
    protected: Protected = None,
    similarity: Similarity = "local",
    bound_scale: BoundScale = 1.0,
    n_neighbors: Neighbors = None,
    metric: Metric = "euclidean",
    divergence: Divergence = "tv",
    id_column: IdColumn = None,
    data: Annotated[
        Path | None, typer.Option(help="The table of the run, if it has been moved.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="How many pairs and people to name.")] = 10,
    check: Annotated[
        bool, typer.Option("--check", help=f"Exit with {failures.UNFAIR} if any bound is broken.")
    ] = False,
    no_scale: NoScale = False,
    no_one_hot: NoOneHot = False,
    drop_missing: DropMissing = False,
    decimal: Decimal = None,
    thousands: Thousands = None,
    encoding: Encoding = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say which pairs, people and groups an existing clustering treats unequally.

    The folder of a run is judged by what the run was told: its probabilities, or labels that were
    drawn from them (--labels drawn.csv).
    """
    from likewise.auditing import audit as judge

    output = Output(json, quiet)
    left_out: list[dict[str, str]] = []
    if is_run(file):
        judged = _of_run(file, data, labels, probabilities)
    else:
        columns = ColumnOptions(
            features,
            exclude,
            categorical,
            no_scale,
            no_one_hot,
            decimal,
            thousands,
            encoding,
            metric,
        )
        comparison = Comparison(similarity, bound_scale, n_neighbors, metric, divergence)
        options = TableOptions(columns, protected, id_column, drop_missing)
        people, judged = _of_table(output, file, options, labels, probabilities, comparison)
        left_out = [asdict(each) for each in people.prepared.left_out]
    with output.working(f"comparing {len(judged.ids):,} people with each other"):
        pairs, groups, how = judged.pairs(), judged.protected, judged.comparison.divergence
        found = judge(judged.distributions, pairs, groups, divergence=how, top=top)
    _show(found, judged.names, output)
    output.result(_for_machines(found, judged.ids.to_list()) | {"left_out": left_out})
    if check and not found.is_fair:
        raise typer.Exit(failures.UNFAIR)


def _of_run(folder: Path, data: Path | None, labels: str | None, probabilities: Names) -> Judged:
    judged = of_run(folder, data)
    if probabilities:
        raise InvalidArgument(
            PROBABILITIES, "those of a run are known.", "Leave them out, or name a table."
        )
    if labels is None:
        return judged
    drawn = labels_file(labels)
    if drawn is None:
        raise InvalidArgument(LABELS, f"there is no file {labels!r}.", "Name what `draw` wrote.")
    return judged.with_labels(*drawn)


def _of_table(
    output: Output,
    file: Path,
    options: TableOptions,
    labels: str | None,
    probabilities: Names,
    comparison: Comparison,
) -> tuple[People, Judged]:
    from likewise._validation import as_distributions

    if (labels is None) == (not probabilities):
        raise InvalidArgument(
            "--labels, --probabilities", "one of the two is needed.", "Name the columns."
        )
    drawn = labels_file(labels)
    others: dict[str, Names | str] = {
        LABELS: None if drawn else labels,
        PROBABILITIES: probabilities,
    }
    people = read_people(output, file, replace(options, others=others))
    table, names = people.table, [people.in_words(place) for place in range(len(people.table))]
    if drawn is not None:
        distributions = as_certain(labels_by_id(*drawn, people.ids), names)
    elif probabilities:
        chances = table.select(people.others[PROBABILITIES])
        distributions = as_distributions(chances.to_numpy().astype(float))
    else:
        distributions = as_certain(table[people.others[LABELS][0]], names)
    return people, of_people(people, distributions, comparison)


def _show(found: "Audit", names: Sequence[str], output: Output) -> None:
    pairs = found.pairs
    verdict = "every pair within its bound" if found.is_fair else "pairs treated unequally"
    output.say(
        f"{pairs.count:,} of {pairs.checked:,} ordered pairs ({100 * pairs.share:.2f}%) above"
        f" their bound: {verdict}",
        style="bold",
    )
    output.say(f"{found.people_affected:,} of {len(names):,} people concerned")
    for table in _tables(found, names):
        output.show(table)


def _tables(found: "Audit", names: Sequence[str]) -> Iterator[Table]:
    """Those that have something to show."""
    if not found.is_fair:
        yield _pairs_table(found, names)
        yield _people_table(found, names)
    if found.groups:
        yield _groups_table(found)


def _pairs_table(found: "Audit", names: Sequence[str]) -> Table:
    table = Table("person", "person", "treated differently by", "at most", title="Worst pairs")
    for pair in found.worst_pairs:
        table.add_row(
            Text(names[pair.i]),
            Text(names[pair.j]),
            f"{pair.divergence:.3f}",
            f"{pair.bound:.3f}",
        )
    return table


def _people_table(found: "Audit", names: Sequence[str]) -> Table:
    table = Table("person", "unequal to", "of", "worst excess", title="Most concerned")
    for person in found.worst_people:
        table.add_row(
            Text(names[person.row]),
            f"{person.violated:,}",
            f"{person.compared:,}",
            f"{person.worst_excess:.3f}",
        )
    return table


def _groups_table(found: "Audit") -> Table:
    table = Table("group", "people", "share", "balance", "bias", "pairs unequal")
    for group in found.groups:
        table.add_row(
            Text(f"{group.group[0]} = {group.group[1]}"),
            f"{group.size:,}",
            f"{100 * group.share:.1f}%",
            f"{group.balance:.2f}",
            f"{group.bias:.3f}",
            f"{100 * group.violated:.1f}%",
        )
    return table


def _for_machines(found: "Audit", ids: Sequence[object]) -> dict[str, object]:
    pairs = found.pairs
    return {
        "fair": found.is_fair,
        "pairs": {
            "violated": pairs.count,
            "checked": pairs.checked,
            "share": pairs.share,
            "worst_excess": pairs.worst_excess,
        },
        "people_affected": found.people_affected,
        "worst_pairs": [
            {"ids": [ids[pair.i], ids[pair.j]], "divergence": pair.divergence, "bound": pair.bound}
            for pair in found.worst_pairs
        ],
        "worst_people": [
            {
                "id": ids[each.row],
                "violated": each.violated,
                "compared": each.compared,
                "worst_excess": each.worst_excess,
            }
            for each in found.worst_people
        ],
        "groups": [
            {
                "attribute": each.group[0],
                "value": each.group[1],
                "people": each.size,
                "share": each.share,
                "cluster_shares": list(each.cluster_shares),
                "balance": each.balance,
                "bias": each.bias,
                "violated": each.violated,
            }
            for each in found.groups
        ],
    }
