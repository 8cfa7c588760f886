"""What a release says about itself, said the same everywhere."""

import re
import tomllib
from importlib.metadata import metadata
from pathlib import Path

import pytest
import yaml

import likewise

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


def test_one_version_everywhere():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == likewise.__version__
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\d\S*)", changes, re.MULTILINE)[0] == likewise.__version__


def test_the_same_pythons_everywhere():
    named = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if ":: 3." in each]
    assert named == PYTHONS
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"PYTHONS ?= {' '.join(PYTHONS)}\n" in makefile


@pytest.mark.skipif(not WORKFLOWS, reason="the source package has no workflows")
def test_every_step_of_a_workflow_is_a_target_that_anybody_can_run():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[1].split()
    for path in WORKFLOWS:
        for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values():
            for step in job["steps"]:
                if "run" in step:
                    program, target, *_ = step["run"].split()
                    assert (program, target in targets) == ("make", True), step["run"]
            matrix = job.get("strategy", {}).get("matrix", {})
            assert matrix.get("python", PYTHONS) == PYTHONS


def test_a_package_index_shows_no_picture_and_no_link_that_leads_nowhere():
    shown = metadata("likewise")["Description"] or metadata("likewise").get_payload()
    assert "*Clustering that treats like individuals alike" in shown
    targets = re.findall(r"\]\(([^)]*)\)", shown)
    assert all(target.startswith("https://") for target in targets), targets
