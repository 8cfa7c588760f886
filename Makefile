# Everything runs in an environment of its own, made on first use: only Python and make are needed.
PYTHON ?= python3
ENV := .venv
BIN := $(ENV)/bin
READY := $(ENV)/.ready

.PHONY: demo test test-all fuzz lint docs bench clean

demo: $(READY)
	$(BIN)/likewise demo --out demo --force

test: $(READY)
	$(BIN)/python -m pytest -q -n auto

test-all: $(READY)
	$(BIN)/python -m pytest -q -m "slow or not slow"

MINUTES ?= 5
SEED ?= 0
fuzz: $(READY)
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES) --seed $(SEED)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(READY)
	$(BIN)/sphinx-build -W -q docs docs/_build/html

bench: $(READY)
	$(BIN)/python -m pip install --quiet -e ".[bench]"
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(ENV) dist build demo docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(READY): pyproject.toml
	$(PYTHON) -m venv $(ENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e ".[dev]"
	@touch $(READY)
