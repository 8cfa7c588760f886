"""``likewise datasets``: the paper's data sets, and where they are."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from likewise.cli.options import Json, Quiet
from likewise.cli.output import Output


def datasets(
    name: Annotated[str | None, typer.Argument(help="Load this one and describe it.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder with the raw files.")] = None,
    save: Annotated[
        Path | None, typer.Option(help="Write the loaded data set as CSV or Parquet.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List the paper's data sets, or load one (downloading it where needed)."""
    from likewise.datasets import DATA_SETS, files, load

    output = Output(json, quiet)
    if name is not None:
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
        return
    folder = files.folder_of(data)
    table = Table("name", "rows", "features", "protected", "file")
    listed = []
    for each in DATA_SETS.values():
        found = files.find(each, folder)
        where = "to be downloaded" if found is None else str(found)
        table.add_row(
            each.name,
            f"{each.n_rows:,}",
            str(len(each.features)),
            ", ".join(each.protected),
            Text(where),
        )
        listed.append(
            {
                "name": each.name,
                "rows": each.n_rows,
                "features": each.features,
                "protected": each.protected,
                "file": None if found is None else str(found),
            }
        )
    output.show(table)
    output.result({"datasets": listed})


def _save(bunch: object, path: Path) -> None:
    from likewise.io.tables import write_table

    columns = dict(zip(bunch.feature_names, bunch.data.T, strict=True))  # type: ignore[attr-defined]
    write_table(columns | bunch.sensitive_features, path)  # type: ignore[attr-defined]
