"""The notebooks of the documentation are executed, and show what they promise."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).resolve().parents[1] / "docs" / "notebooks"


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
# the libraries that talk to the kernel, not ours
@pytest.mark.filterwarnings("ignore::DeprecationWarning:zmq", "ignore::RuntimeWarning:zmq")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_notebook_runs(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "commit it without outputs"
    run = NotebookClient(notebook, timeout=240, resources={"metadata": {"path": str(tmp_path)}})
    cells = run.execute().cells
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    assert not [each for each in outputs if each.output_type == "error"]
    assert not [each for each in outputs if each.get("name") == "stderr"], "it warns"
    shown = [set(each.get("data", {})) for each in outputs]
    assert sum("image/png" in kinds for kinds in shown) == 5  # every display
    pages = [each.data["text/html"] for each in outputs if "text/html" in each.get("data", {})]
    assert any("every bound kept" in page for page in pages)  # the fitted model itself
    assert outputs[-1].data["text/plain"] in ("True", "np.True_")
