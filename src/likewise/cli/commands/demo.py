"""``likewise demo``: from a table to a report, on data that is always there."""

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.commands.fit import fit
from likewise.cli.commands.report import report
from likewise.cli.options import Force, Json, Quiet
from likewise.cli.output import Output


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the demo.")] = Path("demo"),
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Cluster 442 diabetes patients (scikit-learn's) and write the report about it."""
    from likewise.io.atomic import check_free

    output = Output(json, quiet)
    table, run, page = out / "patients.csv", out / "run", out / "report.html"
    for path in (table, run, page):
        check_free(path, replace=force)
    _write_patients(table)
    output.say(f"likewise fit {table} --features age,bmi,bp -k 4 --protected sex --out {run}")
    fit(
        table,
        run,
        clusters=4,
        features=["age", "bmi", "bp"],
        protected=["sex"],
        tol=1e-4,
        force=force,
        json=json,
        quiet=quiet,
    )
    output.say(f"\nlikewise report {run} --out {page}")
    report(run, page, force=force, json=False, quiet=json or quiet)
    output.say("Open it in a browser.")


def _write_patients(path: Path) -> None:
    """The table codes the two sexes as 1 and 2; it does not say which is which."""
    from sklearn.datasets import load_diabetes

    from likewise.io.tables import write_table

    patients = load_diabetes(scaled=False)
    columns = dict(zip(patients.feature_names, patients.data.T, strict=True))
    columns["sex"] = ["group 1" if value == 1 else "group 2" for value in columns["sex"]]
    write_table(columns, path)
