# Everything runs in an environment of its own, made on first use: only Python and make are needed.
PYTHON ?= python3
ENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(ENV)/Scripts
else
BIN := $(ENV)/bin
endif
READY := $(ENV)/.ready

.PHONY: demo test test-all test-versions fuzz lint docs links dist publish bench clean

demo: $(READY)
	$(BIN)/likewise demo --out demo --force

test: $(READY)
	$(BIN)/python -m pytest -q -n auto

test-all: $(READY)
	$(BIN)/python -m pytest -q -m "slow or not slow"

# every Python that can be had, with the lowest and the newest dependencies
PYTHONS ?= 3.11 3.12 3.13 3.14
test-versions: $(READY)
	$(BIN)/python -m tests.versions --pythons $(PYTHONS)

MINUTES ?= 5
SEED ?= 0
fuzz: $(READY)
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES) --seed $(SEED)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(READY)
	$(BIN)/sphinx-build -n -W --keep-going -q docs docs/_build/html
	$(BIN)/python -m tests.site docs/_build/html

# links to other places; needs the internet
links: $(READY)
	$(BIN)/sphinx-build -W -q -b linkcheck docs docs/_build/links

# both packages, and whether they work where nothing else is (TAG: the version that they must have)
dist: $(READY)
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/python -m twine check --strict dist/*
	$(BIN)/python -m tests.dist $(if $(TAG),--tag $(TAG))

publish:
	$(BIN)/python -m twine upload dist/*

bench: $(READY)
	$(BIN)/python -m pip install --quiet -e ".[bench]"
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(ENV) .versions dist build demo docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(READY): pyproject.toml
	$(PYTHON) -m venv $(ENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e ".[dev]"
	@touch $(READY)
