"""Downloads: once, checked, and what is said when they fail."""

import http.server
import threading
import zipfile
from dataclasses import replace
from hashlib import sha256

import pytest

from likewise import datasets
from likewise.datasets import catalog, files
from likewise.errors import DataNotFound


@pytest.fixture
def server(tmp_path):
    """A real one, with a census of four people."""
    folder = tmp_path / "served"
    folder.mkdir()
    names = [*catalog.CENSUS1990.protected, *catalog.CENSUS1990.features]
    rows = [range(15), range(1, 16), range(15), range(2, 17)]
    lines = [",".join(names), *(",".join(map(str, row)) for row in rows)]
    with zipfile.ZipFile(folder / "census.zip", "w") as archive:
        archive.writestr("USCensus1990.data.txt", "\n".join(lines) + "\n")
    asked = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=str(folder))

        def log_message(self, *arguments):
            asked.append(self.path)

    served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=served.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{served.server_port}/census.zip"
    checksum = sha256((folder / "census.zip").read_bytes()).hexdigest()
    yield catalog.Archive(url, "USCensus1990.data.txt", checksum), asked
    served.shutdown()
    served.server_close()


def census_from(archive, monkeypatch, cache):
    known = replace(catalog.CENSUS1990, source=archive)
    monkeypatch.setitem(catalog.DATA_SETS, "census1990", known)
    monkeypatch.setattr(files, "cache_folder", lambda: cache)
    monkeypatch.delenv("LIKEWISE_DATA", raising=False)
    return datasets.load_census1990(scale=False)


def test_downloaded_once_then_kept(server, monkeypatch, tmp_path):
    archive, asked = server
    for _ in range(2):
        census = census_from(archive, monkeypatch, tmp_path / "cache")
        assert census.data[:, 0].tolist() == [2, 3, 4]  # one row repeats
    assert asked == ["/census.zip"]


def test_a_wrong_checksum_is_refused(server, monkeypatch, tmp_path):
    archive, _ = server
    with pytest.raises(DataNotFound, match="not the published file"):
        census_from(replace(archive, sha256="0" * 64), monkeypatch, tmp_path / "cache")


def test_a_dead_server_is_named(server, monkeypatch, tmp_path):
    archive, _ = server
    gone = replace(archive, url=archive.url.replace("census", "absent"))
    with pytest.raises(DataNotFound, match=r"cannot be reached.*LIKEWISE_DATA"):
        census_from(gone, monkeypatch, tmp_path / "cache")
