"""Where the files are: a folder of one's own, the cache, or the archive they come from."""

import os
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from likewise.datasets.catalog import Archive, DataSet
from likewise.errors import DataNotFound, InvalidArgument

FOLDER_VARIABLE = "LIKEWISE_DATA"
TIMEOUT = 60  # seconds without an answer from a server
PathLike: TypeAlias = str | os.PathLike[str]


def folder_of(data_home: PathLike | None) -> Path | None:
    """The folder to look in first: the argument, or what the environment names."""
    named = data_home if data_home is not None else os.environ.get(FOLDER_VARIABLE)
    if not named:
        return None
    folder = Path(named).expanduser()
    if not folder.is_dir():
        argument = "data_home" if data_home is not None else FOLDER_VARIABLE
        raise InvalidArgument(
            argument, f"{str(named)!r} is not a folder.", "Name the folder that has the files."
        )
    return folder


def find(data: DataSet, folder: Path | None) -> Path | None:
    """The file in this folder, as ``archive.zip/member`` where it is inside an archive."""
    if folder is None:
        return None
    for name in data.files:
        path = folder / name
        holder = path.parent
        if path.is_file() or (holder.suffix == ".zip" and holder.is_file()):
            return path
    return None


@contextmanager
def opened(path: Path) -> Iterator[Path]:
    """The file itself: one in an archive is unpacked for as long as it is needed."""
    if path.parent.suffix != ".zip":
        yield path
        return
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(path.parent) as archive:
        member = next((name for name in archive.namelist() if Path(name).name == path.name), None)
        if member is None:
            raise DataNotFound(f"{path.parent}: has no file {path.name}. Download it again.")
        yield Path(archive.extract(member, folder))


def downloaded(archive: Archive, name: str, progress: bool) -> Path:
    """The archive's member in the cache; fetched, checked and unpacked the first time."""
    import pooch

    try:
        files = pooch.retrieve(
            archive.url,
            known_hash=f"sha256:{archive.sha256}",
            fname=f"{name}.zip",
            path=cache_folder(),
            processor=pooch.Unzip(members=[archive.member]),
            downloader=pooch.HTTPDownloader(
                progressbar=_Bar() if progress else False, timeout=TIMEOUT
            ),
        )
    except ValueError as problem:  # pooch's word for a checksum that does not fit
        raise DataNotFound(
            f"{name}: what {archive.url} sent is not the published file ({problem})."
            f" Try again later, or put the file into a folder and name it in {FOLDER_VARIABLE}."
        ) from problem
    except OSError as problem:
        raise not_reached(name, archive.url, problem) from problem
    return Path(files[0])


def cache_folder() -> Path:
    """Beside scikit-learn's own downloads."""
    from sklearn.datasets import get_data_home

    return Path(get_data_home()) / "likewise"


def not_reached(name: str, source: str, problem: Exception) -> DataNotFound:
    """The error for a file that is neither here nor to be had."""
    from likewise.datasets.catalog import DATA_SETS

    wanted = " or ".join(DATA_SETS[name].files)
    return DataNotFound(
        f"{name}: not in a folder of yours, not downloaded before, and {source} cannot be reached"
        f" ({problem}). Connect to the internet, or put {wanted} into a folder and name the folder"
        f" in data_home= or in the environment variable {FOLDER_VARIABLE}."
    )


class _Bar:
    """pooch's idea of a progress bar, drawn by rich."""

    def __init__(self) -> None:
        from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

        self._progress = Progress(
            "downloading", BarColumn(), DownloadColumn(), TimeRemainingColumn(), transient=True
        )
        self._task = self._progress.add_task("", total=0)
        self.total = 0
        self._progress.start()

    def update(self, amount: int) -> None:
        """More bytes; pooch has set the total by now."""
        self._progress.update(self._task, total=self.total, advance=amount)

    def reset(self) -> None:
        """pooch rewinds the bar once before it fills it for good."""
        self._progress.reset(self._task)

    def close(self) -> None:
        """Off the screen."""
        self._progress.stop()
