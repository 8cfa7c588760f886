"""``likewise datasets``: the paper's data sets, and where they are."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from likewise.cli.options import Force, Json, Quiet
from likewise.cli.output import Output

if TYPE_CHECKING:
    from sklearn.utils import Bunch


def datasets(
    name: Annotated[str | None, typer.Argument(help="Load this one and describe it.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder with the raw files.")] = None,
    save: Annotated[
        Path | None, typer.Option(help="Write the loaded data set as CSV or Parquet.")
    ] = None,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List the paper's data sets, or load one (downloading it where needed)."""
    from likewise.io.atomic import check_free

    output = Output(json, quiet)
    if save is not None:
        check_free(save, replace=force, argument="--save")
    if name is None:
        _list(output, data)
    else:
        _load(output, name, data, save)


def _load(output: Output, name: str, data: Path | None, save: Path | None) -> None:
    from likewise.datasets import load

    with output.working(f"loading {name}"):
        bunch = load(name, data_home=data)
    output.say(bunch.DESCR)
    if save is not None:
        _save(bunch, save)
        output.say(f"saved as {save}")
    rows, columns = bunch.data.shape
    output.result(
        {
            "name": name,
            "rows": rows,
            "features": list(bunch.feature_names),
            "columns": columns,
            "protected": list(bunch.sensitive_names),
            "source": bunch.source,
        }
    )


def _save(bunch: "Bunch", path: Path) -> None:
    from likewise.io.tables import write_table

    columns = dict(zip(bunch.feature_names, bunch.data.T, strict=True))
    write_table(columns | bunch.sensitive_features, path, "--save")


def _list(output: Output, data: Path | None) -> None:
    from likewise.datasets import DATA_SETS, files

    folder = files.folder_of(data)
    there = {each.name: files.find(each, folder) for each in DATA_SETS.values()}
    table = Table("name", "rows", "features", "protected", "file")
    for each in DATA_SETS.values():
        file = there[each.name]
        table.add_row(
            each.name,
            f"{each.n_rows:,}",
            str(len(each.features)),
            ", ".join(each.protected),
            Text("to be downloaded" if file is None else str(file)),
        )
    output.show(table)
    output.result(
        {
            "datasets": [
                {
                    "name": each.name,
                    "rows": each.n_rows,
                    "features": each.features,
                    "protected": each.protected,
                    "file": there[each.name],
                }
                for each in DATA_SETS.values()
            ]
        }
    )
