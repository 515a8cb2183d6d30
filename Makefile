# Two commands do all the set-up: `make demo` and `make test`. `make oracle` adds the running packages.
PY ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
ORACLE := .venv-oracle
ORACLE_STAMP := $(ORACLE)/.ready
PIP := -m pip install --quiet --no-compile --disable-pip-version-check

.PHONY: setup demo test oracle lint types unit bench generate check-generated clean

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	$(PY) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: setup
	$(BIN)/grpolint check examples/run_qwen3_8b_grpo.sh || test $$? -eq 1

test: setup lint types unit

lint: setup
	$(BIN)/ruff check src tests tools catalog-build
	$(BIN)/ruff format --check --quiet src tests tools catalog-build

types: setup
	$(BIN)/mypy

unit: setup
	$(BIN)/pytest -n 2

# The catalog against the running packages. Needs a CPU build of torch that pip can find, hence a Python that build is for.
oracle: $(ORACLE_STAMP)
	$(ORACLE)/bin/python -m pytest --disable-warnings tests/oracle_packages

# megatron-core says that it needs Python 3.12; its wheel for 3.11 only misses a marker of the typing module there. The
# second command keeps that exception from the others.
$(ORACLE_STAMP): pyproject.toml tests/oracle_packages/constraints.txt
	$(PY) -m venv --clear $(ORACLE)
	$(ORACLE)/bin/python $(PIP) -c tests/oracle_packages/constraints.txt torch transformers trl peft accelerate deepspeed pytest -e .
	$(ORACLE)/bin/python $(PIP) -c tests/oracle_packages/constraints.txt --no-deps --ignore-requires-python megatron-core triton
	@touch $@

bench: setup
	$(BIN)/python tests/bench.py

generate: setup
	$(BIN)/python -m grpolint.rules.generate
	$(BIN)/python -m grpolint.evidence.compile
	$(BIN)/python -m grpolint.frameworks.survey

GENERATED := src/grpolint/rules/index.json src/grpolint/evidence/data docs/handbook.md docs/evidence.md README.md

# Fails where a generated file is not what its sources say.
check-generated: generate
	git diff --exit-code --stat -- $(GENERATED)

clean:
	rm -rf $(VENV) $(ORACLE) .mypy_cache .ruff_cache .pytest_cache
