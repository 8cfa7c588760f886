"""``likewise audit``: judge any clustering, whoever made it."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from likewise.cli import errors as failures
from likewise.cli.input import ColumnOptions, People, TableOptions, read_people
from likewise.cli.options import (
    BoundScale,
    Categorical,
    Decimal,
    Divergence,
    DropMissing,
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
    TableFile,
    Thousands,
)
from likewise.cli.output import Output
from likewise.errors import InvalidArgument

if TYPE_CHECKING:
    from likewise._typing import Array
    from likewise.auditing import Audit

LABELS, PROBABILITIES = "--labels", "--probabilities"


def audit(
    file: TableFile,
    labels: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="Column with the cluster of each row (hard clustering)."
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
    top: Annotated[int, typer.Option(min=1, help="How many pairs and people to name.")] = 10,
    check: Annotated[
        bool, typer.Option("--check", help=f"Exit with {failures.UNFAIR} if any bound is broken.")
    ] = False,
    no_scale: NoScale = False,
    no_one_hot: NoOneHot = False,
    drop_missing: DropMissing = False,
    decimal: Decimal = ".",
    thousands: Thousands = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say which pairs, people and groups an existing clustering treats unequally."""
    from likewise.auditing import audit as judge
    from likewise.metrics import constrained_pairs

    output = Output(json, quiet)
    if (labels is None) == (not probabilities):
        raise InvalidArgument(
            "--labels, --probabilities", "one of the two is needed.", "Name the columns."
        )
    columns = ColumnOptions(
        features, exclude, categorical, no_scale, no_one_hot, decimal, thousands
    )
    judged: dict[str, Names | str] = {LABELS: labels, PROBABILITIES: probabilities}
    options = TableOptions(columns, protected, id_column, drop_missing, judged)
    people = read_people(output, file, options)
    distributions = _distributions(people)
    with output.working(f"comparing {len(people.table):,} people with each other"):
        pairs = constrained_pairs(
            people.prepared.X,
            similarity,
            n_clusters=distributions.shape[1],
            bound_scale=bound_scale,
            n_neighbors=n_neighbors,
            metric=metric,
        )
        groups = people.columns(people.protected)
        found = judge(distributions, pairs, groups, divergence=divergence, top=top)
    names = [people.in_words(place) for place in range(len(people.table))]
    _show(found, names, output)
    left_out = [asdict(each) for each in people.prepared.left_out]
    output.result(_for_machines(found, people.ids.to_list()) | {"left_out": left_out})
    if check and not found.is_fair:
        raise typer.Exit(failures.UNFAIR)


def _distributions(people: People) -> "Array":
    import numpy as np

    from likewise._validation import as_distributions
    from likewise.io.preparation import as_text

    table, chances = people.table, people.others[PROBABILITIES]
    if chances:
        return as_distributions(table.select(chances).to_numpy().astype(float))
    (labels,) = people.others[LABELS]
    without = table[labels].is_null()
    if without.any():
        raise InvalidArgument(
            LABELS,
            f"{without.sum():,} rows have no cluster ({people.in_words(without.arg_max() or 0)}).",
            "Give each row one.",
        )
    _, code = np.unique(as_text(table[labels]), return_inverse=True)
    return as_distributions(code)


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
