.DEFAULT_GOAL := help
.PHONY: help install demo test test-rest test-all lint format bench clean

# PYTHON=python3.12 make test chooses another.
PYTHON ?= $$(sh scripts/python.sh)
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
JAVA   = JAVA_HOME="$$(sh scripts/java.sh)" && export JAVA_HOME &&
SITE   := build/sample
OUT    := build/demo

help: ## what can be made
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

install: $(READY) ## the environment in .venv

$(READY): pyproject.toml
	@python="$(PYTHON)" && test -x $(BIN)/python || $$python -m venv $(VENV) || \
		{ rm -rf $(VENV); echo "No environment: is there a python3, and a python3-venv?"; exit 1; }
	@echo "Installing into $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

demo: $(READY) ## run the job on a made-up site and compare with the truth
	@$(BIN)/dedup sample $(SITE)
	@$(JAVA) $(BIN)/dedup run --input $(SITE)/pages --output $(OUT) --overwrite
	@$(BIN)/dedup sample $(SITE) --check $(OUT)
	@echo "Why did a page go? $(BIN)/dedup explain --output $(OUT) PAGE_ID   (ids: $(OUT)/duplicates)"

test: $(READY) ## the fast tests
	@$(JAVA) $(BIN)/python -m pytest

test-rest: $(READY) ## what `make test` leaves out: slow tests, and the Spark tests on Spark Connect
	@$(JAVA) $(BIN)/python -m pytest -m 'slow or cluster'
	@$(JAVA) $(BIN)/python -m pytest --spark connect tests/spark tests/test_laws.py

test-all: test lint test-rest ## everything

lint: $(READY) ## style, types, floors
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: $(READY) ## put the code into shape
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(READY) ## speed of signing against the bare parser; the whole job on 10,000 pages and on hostile ones
	@$(JAVA) $(BIN)/python -m benchmarks.extract
	@$(JAVA) $(BIN)/python -m benchmarks.scale 10000 --work build/scale --out build/scale.jsonl
	@$(JAVA) $(BIN)/python -m benchmarks.hostile --scale 0.05 --out build/hostile.jsonl

clean: ## remove what was made
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
