# Two commands do all the set-up: `make demo` and `make test`.
PY ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

.PHONY: setup demo test lint types unit bench generate check-generated clean

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	$(PY) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: setup
	$(BIN)/grpolint check examples/run_qwen3_8b_grpo.sh || test $$? -eq 1

test: setup lint types unit

lint: setup
	$(BIN)/ruff check src tests catalog-build
	$(BIN)/ruff format --check --quiet src tests catalog-build

types: setup
	$(BIN)/mypy

unit: setup
	$(BIN)/pytest -n 2

bench: setup
	$(BIN)/python tests/bench.py

generate: setup
	$(BIN)/python -m grpolint.rules.generate

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
