# The two commands of the README: each does all its own set-up, with uv if it is there, else with pip.
.PHONY: demo showcase help wheel-facts lock check-lock everything pictures test lint rooms types unit nightly docs site bench bench-full acceptance bench-compare guard growth wheels sanitised fuzz-walk fuzz fuzz-inputs fuzz-guided fuzz-large soak differential spark-million clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
RUNNABLE := $(VENV)/.runnable
LOCK := requirements-dev.lock
SOURCES := pyproject.toml hatch_build.py $(LOCK) evaluator/native/match.c
RETRIEVERS := fixtures/examples/retrievers
PAGES := build/demo/report.html build/demo/comparison.html
PAGE_SOURCES := $(shell find evaluator/reporting/html evaluator/reporting/charts -name '*.py' -o -path '*/templates/*')
UV := $(shell command -v uv 2>/dev/null)
comma := ,
FLAGS ?=
FILES ?= 300000
SECONDS ?= 30
TARGET ?= read:jsonl
MINUTES ?= 10
VALUES ?= 1000000
WALK ?= 60

demo: $(RUNNABLE) $(PAGES) ## the running example, scored, and two pages to look at; installs no tools for tests
	@$(BIN)/groupwise demo
	@echo "  (groupwise is in $(BIN); put it on the path first: . $(BIN)/activate)"
	@echo
	@echo "Look at these in a browser: the report of one retriever, and three compared"
	@printf '  %s\n' $(PAGES)

build/demo/report.html: $(RUNNABLE) $(wildcard $(RETRIEVERS)/*.jsonl) $(PAGE_SOURCES)
	@mkdir -p $(@D)
	@$(BIN)/groupwise evaluate $(RETRIEVERS)/ground_truth.jsonl $(RETRIEVERS)/bm25.jsonl \
	  --profile coverage -m recall@10,complete@10,ndcg@10,mrr@10,precision@10 --by corpus \
	  --gate "recall@10 >= 0.85" --gate "lower(ndcg@10) >= 0.6" --quiet -o $@

build/demo/comparison.html: $(RUNNABLE) $(wildcard $(RETRIEVERS)/*.jsonl) $(PAGE_SOURCES)
	@mkdir -p $(@D)
	@$(BIN)/groupwise compare $(RETRIEVERS)/ground_truth.jsonl $(RETRIEVERS)/bm25.jsonl \
	  $(RETRIEVERS)/fusion.jsonl $(RETRIEVERS)/trigrams.jsonl --profile coverage \
	  -m recall@10,ndcg@10 --quiet -o $@

showcase: $(VENV)/.showcase ## three real retrievers on real questions: the whole story, in a minute; FLAGS=--write renews its page
	$(BIN)/python -m showcase $(FLAGS)

help: ## this list
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

pictures: build/demo/report.html ## draw the pictures of the documentation anew, in Chromium
	$(PIP) playwright
	$(BIN)/python docs/pictures/draw.py build/demo/report.html

test: lint rooms types unit ## lint, the order of rooms, types, all tests

lint: $(STAMP) ## ruff: lint and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

rooms: $(STAMP) ## the order of the rooms
	$(BIN)/lint-imports --no-cache

types: $(STAMP) ## mypy --strict
	$(BIN)/mypy

unit: $(STAMP) ## the tests alone
	$(BIN)/pytest -n auto $(FLAGS)
	$(BIN)/pytest -q --doctest-modules groupwise

nightly: $(STAMP) ## the slowest tests too, and the properties on 10,000 examples: hours
	$(BIN)/pytest -n auto --nightly --timeout 0 $(FLAGS)

docs: $(STAMP) ## write the generated pages anew
	$(BIN)/python docs/generate.py

site: $(VENV)/.site ## the documentation as a site, in build/site; warnings are errors
	$(BIN)/python -m docs.website

bench: $(VENV)-bench/.installed ## groupwise beside its peers, in 10 minutes on two processors
	$(VENV)-bench/bin/python -m benchmarks $(FLAGS)

bench-full: $(VENV)-bench/.installed ## the same with large data, growth, a million queries, and the promises
	$(VENV)-bench/bin/python -m benchmarks --full $(FLAGS)
	-$(VENV)-bench/bin/python -m benchmarks.acceptance
	$(VENV)-bench/bin/python -m benchmarks --render

acceptance: $(VENV)-bench/.installed ## what is promised beside what is measured
	$(VENV)-bench/bin/python -m benchmarks.acceptance $(FLAGS)

guard: $(STAMP) ## fails if the hot path takes many more instructions than recorded; needs valgrind
	$(BIN)/python -m benchmarks.guard $(FLAGS)

bench-compare: $(VENV)-bench/.installed ## comparisons of runs beside those of ranx
	$(VENV)-bench/bin/python -m benchmarks.comparison --write docs/explanation/performance-of-comparisons.md $(FLAGS)

wheels: ## wheels for each Python that is there, tried in an empty folder; PYTHONS="python3.12 …" for others
	.ci/wheels $(PYTHONS)

sanitised: $(STAMP) ## the compiled walk under sanitisers: its tests, and calls for WALK=60 seconds
	$(BIN)/python -m fuzz.sanitised pytest -q -W "ignore:Module already imported" tests/native
	$(BIN)/python -m fuzz.sanitised fuzz walk --seconds $(WALK) $(FLAGS)

fuzz-walk: $(STAMP) ## two million calls of the compiled walk under sanitisers
	$(BIN)/python -m fuzz.sanitised fuzz walk --calls 2000000 $(FLAGS)

fuzz: $(STAMP) ## mutated files through everything, in processes of 2 GB; FILES=N of them
	$(BIN)/python -m fuzz files --files $(FILES) $(FLAGS)

fuzz-inputs: $(STAMP) ## mutated bytes through every reader and spelling, SECONDS=N of each
	$(BIN)/python -m fuzz inputs --seconds $(SECONDS) $(FLAGS)

fuzz-guided: $(STAMP) ## one TARGET=NAME of them, with inputs that follow its branches (atheris)
	$(PIP) atheris
	$(BIN)/python -m fuzz guided $(TARGET) -max_total_time=$(SECONDS) $(FLAGS)

fuzz-large: $(STAMP) ## a megabyte of everything that is hard to read, through every reader
	$(BIN)/python -m fuzz large $(FLAGS)

soak: $(STAMP) ## the same work for MINUTES=N: nothing grows, and the bytes stay the same
	$(BIN)/python -m fuzz soak --minutes $(MINUTES)

differential: $(STAMP) ## random evaluations beside a naive oracle; VALUES=N of them, compiled and pure
	$(BIN)/python -m tests.differential --values $(VALUES) $(FLAGS)

spark-million: $(STAMP) ## a million queries on Spark, cut unevenly: the bytes of the local report? needs Java
	$(call install,[dev$(comma)spark])
	$(BIN)/python -m benchmarks.spark_million $(FLAGS)

growth: $(STAMP) ## how times grow on bad and on hostile data
	$(BIN)/python -m benchmarks.growth --write docs/explanation/growth.md $(FLAGS)

# install,EXTRAS: the package from this folder into the environment, with the versions of the lock, and
# built by those of the lock as well
ifdef UV
CREATE := uv venv --quiet --allow-existing --python $(PYTHON) $(VENV)
PIP := uv pip install --quiet --python $(BIN)/python --constraint $(LOCK)
else
CREATE := $(PYTHON) -m venv $(VENV)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint $(LOCK)
endif
define install
	$(CREATE)
	$(PIP) hatchling setuptools
	$(PIP) --no-build-isolation -e '.$(1)'
endef

wheel-facts: $(STAMP) ## sizes of wheels and times of starts, written to a page
	$(BIN)/python -m benchmarks.wheel_facts --rounds 15 --write docs/explanation/wheels.md

lock: $(STAMP) ## renew requirements-dev.lock: the newest versions for all systems and Pythons; needs uv
	uv pip compile --quiet --universal --python-version 3.11 --upgrade --no-annotate \
	  --custom-compile-command "make lock" --extra dev --extra peers --extra showcase --extra site pyproject.toml -o $(LOCK)

check-lock: $(STAMP) ## says where the environment has other versions than requirements-dev.lock
	$(BIN)/python -m tests.packaging.lock

everything: $(SOURCES) ## installs what CI has: the peers and the driver of browsers as well
	$(call install,[dev$(comma)peers])
	@touch $(STAMP) $(RUNNABLE)

$(RUNNABLE): $(SOURCES)
	$(call install,[html])
	@touch $@

$(VENV)/.showcase: $(SOURCES)
	$(call install,[showcase])
	@touch $@ $(RUNNABLE)

$(STAMP): $(SOURCES)
	$(call install,[dev])
	@touch $@ $(RUNNABLE)

$(VENV)/.site: $(SOURCES)
	$(call install,[site])
	@touch $@

$(VENV)-bench/.installed: $(SOURCES) benchmarks/requirements.txt benchmarks/requirements-nodeps.txt
	$(PYTHON) -m venv $(VENV)-bench
	$(VENV)-bench/bin/python -m pip install --quiet --disable-pip-version-check -e . -r benchmarks/requirements.txt
	$(VENV)-bench/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r benchmarks/requirements-nodeps.txt
	@touch $@

clean: ## remove environments, builds and caches
	rm -rf $(VENV) $(VENV)-bench dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
