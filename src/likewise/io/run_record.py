"""``run.json``: how a run came about, as a value with named fields.

The keys of the file are the names of the fields, in their order. Only this module knows them:
whoever writes or reads a run does it through these classes. p = inf is null in the file.
"""

from dataclasses import asdict, dataclass, field
from pathlib import Path

from likewise import __version__
from likewise.errors import InvalidArgument
from likewise.io.json_values import Fields, read_json, write_json
from likewise.io.number_format import NumberFormat
from likewise.io.preparation import Column, LeftOut
from likewise.io.tables import AS_USUAL, Reading

RUN = "run.json"


@dataclass(frozen=True)
class Input:
    """The table that a run was made from."""

    file: str  # its name
    path: str  # where it was: a file, or a folder of Parquet files
    sha256: str
    reading: Reading = AS_USUAL  # how it was read

    @classmethod
    def from_fields(cls, fields: Fields) -> "Input":
        """As ``run.json`` has it."""
        return cls(
            fields.get("file", str),
            fields.get("path", str),
            fields.get("sha256", str),
            _reading(fields.inner("reading")),
        )


@dataclass(frozen=True)
class Parameters:
    """The parameters of the estimator, under its own names."""

    n_clusters: int
    p: float
    metric: str
    similarity: str
    bound_scale: float
    n_neighbors: int | None
    divergence: str
    group_tolerance: float | None
    max_refine: int | str  # "auto"
    solver: str
    tol: float
    max_time: float | None
    random_state: int

    @classmethod
    def from_fields(cls, fields: Fields) -> "Parameters":
        """As ``run.json`` has them."""
        return cls(
            n_clusters=fields.get("n_clusters", int),
            p=fields.number_or_infinity("p"),
            metric=fields.get("metric", str),
            similarity=fields.get("similarity", str),
            bound_scale=_since_0_2(fields, "bound_scale", 1.0),
            n_neighbors=fields.maybe("n_neighbors", int),
            divergence=fields.get("divergence", str),
            group_tolerance=fields.maybe("group_tolerance", float),
            max_refine=_refinements(fields),
            solver=fields.get("solver", str),
            tol=fields.get("tol", float),
            max_time=fields.maybe("max_time", float),
            random_state=fields.get("random_state", int),
        )


@dataclass(frozen=True)
class RunRecord:
    """A run of ``likewise fit``."""

    likewise: str  # versions, for doing it again
    python: str
    libraries: dict[str, str]
    command: tuple[str, ...]
    input: Input
    parameters: Parameters
    features: tuple[str, ...]  # columns of the table that were clustered on
    protected: tuple[str, ...]
    columns: tuple[Column, ...]  # what became of the features
    left_out: tuple[LeftOut, ...]  # columns that were not clustered on, and why
    feature_names: tuple[str, ...]  # of the columns of the points
    rows: int
    rows_left_out: int
    seconds: float
    id: str | None  # the column that names people; None: row numbers
    weight: str | None  # the column with what each row counts
    warnings: tuple[str, ...]
    files: dict[str, str] = field(default_factory=dict)  # SHA-256 of what else the run wrote

    def write(self, folder: Path) -> None:
        """Into the folder of the run."""
        write_json(folder / RUN, asdict(self))

    @classmethod
    def read(cls, folder: Path) -> "RunRecord":
        """From the folder of a run; an error says which key is missing or malformed, and which
        version wrote it if it was another one.
        """
        run = read_json(folder / RUN)
        try:
            return cls._from_fields(folder, run)
        except InvalidArgument as problem:
            version = run.values.get("likewise")
            if not isinstance(version, str) or version == __version__:
                raise
            by = f"It was written by likewise {version}, this is {__version__}."
            remedy = f"{by} {problem.remedy}"
            raise InvalidArgument(problem.argument, problem.problem, remedy) from problem

    @classmethod
    def _from_fields(cls, folder: Path, run: Fields) -> "RunRecord":
        if HardRecord.is_of(run):
            raise InvalidArgument(
                str(folder),
                "it is the result of `likewise hard`: nobody's treatment was bounded there.",
                "Name a folder that `likewise fit` left.",
            )
        return cls(
            likewise=run.get("likewise", str),
            python=run.get("python", str),
            libraries=run.inner("libraries").by_key(str),
            command=run.each("command", str),
            input=Input.from_fields(run.inner("input")),
            parameters=Parameters.from_fields(run.inner("parameters")),
            features=run.each("features", str),
            protected=run.each("protected", str),
            columns=tuple(_column(each) for each in run.each_inner("columns")),
            left_out=tuple(_left_out(each) for each in run.each_inner("left_out")),
            feature_names=run.each("feature_names", str),
            rows=run.get("rows", int),
            rows_left_out=run.get("rows_left_out", int),
            seconds=run.get("seconds", float),
            id=run.maybe("id", str),
            weight=run.maybe("weight", str),
            warnings=run.each("warnings", str),
            files=_checksums(run),
        )


def _refinements(fields: Fields) -> int | str:
    """A number, or "auto"."""
    if fields.values.get("max_refine") == "auto":
        return "auto"
    return fields.get("max_refine", int)


def _since_0_2(fields: Fields, key: str, before: float) -> float:
    """What 0.1 did not write, because there was no choice."""
    return fields.get(key, float) if key in fields else before


def checksums(folder: Path) -> dict[str, str]:
    """Of the other files of a run, by their names; none where nothing was recorded."""
    return _checksums(read_json(folder / RUN)) if (folder / RUN).is_file() else {}


def _checksums(run: Fields) -> dict[str, str]:
    return run.inner("files").by_key(str) if "files" in run else {}  # 0.1 wrote none


def _column(fields: Fields) -> Column:
    return Column(
        name=fields.get("name", str),
        kind=fields.get("kind", str),
        mean=fields.maybe("mean", float),
        spread=fields.maybe("spread", float),
        values=fields.each("values", str),
        written=fields.get("written", str) if "written" in fields else "",  # 0.1 had no dates
        gaps=fields.get("gaps", bool) if "gaps" in fields else False,  # nor gaps
    )


def _left_out(fields: Fields) -> LeftOut:
    return LeftOut(fields.get("name", str), fields.get("reason", str))


def _reading(fields: Fields) -> Reading:
    numbers = fields.inner("numbers")
    written = NumberFormat(numbers.get("decimal", str), numbers.maybe("thousands", str))
    encoding = fields.maybe("encoding", str) if "encoding" in fields else None  # 0.1: UTF-8
    return Reading(written, fields.each("texts", str), encoding)


@dataclass(frozen=True)
class HardRecord:
    """A run of ``likewise hard``: the vanilla clustering of a table in blocks."""

    rows: int
    p: float
    cost: float
    objective: float
    passes: int  # over the data
    files: tuple[str, ...]  # with the clusters of all rows, one for each block
    columns: tuple[Column, ...]  # what became of the features
    left_out: tuple[LeftOut, ...]  # columns that were not clustered on, and why

    def write(self, folder: Path) -> None:
        """Into the folder of the run."""
        write_json(folder / RUN, asdict(self))

    @classmethod
    def read(cls, folder: Path) -> "HardRecord":
        """From the folder of a run."""
        run = read_json(folder / RUN)
        return cls(
            rows=run.get("rows", int),
            p=run.number_or_infinity("p"),
            cost=run.get("cost", float),
            objective=run.get("objective", float),
            passes=run.get("passes", int),
            files=run.each("files", str),
            columns=tuple(_column(each) for each in run.each_inner("columns")),
            left_out=tuple(_left_out(each) for each in run.each_inner("left_out")),
        )

    @staticmethod
    def is_of(run: Fields) -> bool:
        """Only this kind of run counts passes."""
        return "passes" in run and "parameters" not in run
