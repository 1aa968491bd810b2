# The two commands of the README: each does all its own set-up, with uv if it is there, else with pip.
.PHONY: demo test lint types unit slow docs bench clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
UV := $(shell command -v uv 2>/dev/null)
FLAGS ?=

demo: $(STAMP) ## the running example, scored from a fixture
	@$(BIN)/groupwise demo

test: lint types unit ## lint, types, all tests

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: $(STAMP)
	$(BIN)/mypy

unit: $(STAMP)
	$(BIN)/pytest -n auto $(FLAGS)
	$(BIN)/pytest -q --doctest-modules groupwise

slow: $(STAMP) ## the tests with many examples as well
	$(BIN)/pytest -n auto --slow $(FLAGS)

docs: $(STAMP) ## write the generated pages anew
	$(BIN)/python docs/generate.py

bench: $(VENV)-bench/.installed ## groupwise beside its peers
	$(VENV)-bench/bin/python -m benchmarks --write docs/explanation/performance.md $(FLAGS)

$(STAMP): pyproject.toml hatch_build.py $(wildcard evaluator/native/walk/*)
ifdef UV
	uv venv --quiet --allow-existing --python $(PYTHON) $(VENV)
	uv pip install --quiet --python $(BIN)/python -e '.[dev]'
else
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
endif
	@touch $@

$(VENV)-bench/.installed: pyproject.toml hatch_build.py $(wildcard evaluator/native/walk/*) benchmarks/requirements.txt benchmarks/requirements-nodeps.txt
	$(PYTHON) -m venv $(VENV)-bench
	$(VENV)-bench/bin/python -m pip install --quiet --disable-pip-version-check -e . -r benchmarks/requirements.txt
	$(VENV)-bench/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r benchmarks/requirements-nodeps.txt
	@touch $@

clean:
	rm -rf $(VENV) $(VENV)-bench dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
