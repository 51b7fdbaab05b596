# One verb a line; `make help` lists them. Everything is installed into .venv, nothing outside the checkout is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SOURCES := Cargo.toml Cargo.lock pyproject.toml $(wildcard rust/*.rs)

.PHONY: help demo test test-slow check bench wheel build vectors mutants clean

help: ## list the verbs
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(STAMP): $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch $@

build: $(STAMP) ## compile the kernels and install the package into .venv

demo: $(STAMP) ## set up and score examples/answers.jsonl with six graders
	$(BIN)/gradestone score examples/answers.jsonl \
	  -g exact_match -g bleu_score:threshold=0.4 -g rouge_l=rouge_score:rouge_type=rouge_l \
	  -g no_pii -g blocklist:terms=@examples/terms.txt -g 'not_regex:{"pattern": "(?i)as an ai"}'

test: $(STAMP) ## set up and run the fast tests: Rust, then Python
	cargo test --quiet
	$(BIN)/python -m pytest --cov --cov-report=term:skip-covered -q

test-slow: $(STAMP) ## the tests that take minutes
	HYPOTHESIS_PROFILE=slow $(BIN)/python -m pytest -q -m 'slow or not slow'

check: $(STAMP) ## formatting, lints, types, stubs, the stable ABI
	$(BIN)/python -m pip install --quiet --group check
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	cargo fmt --check
	cargo clippy --quiet --all-targets -- -D warnings
	cargo clippy --quiet --all-targets --features python -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --quiet --no-deps
	$(BIN)/python -m mypy.stubtest gradestone._core
	$(BIN)/python vectors/generate.py --check
	$(BIN)/abi3audit --strict --assume-minimum-abi3 3.11 $$(find python/gradestone -name '_core*.so')

bench: $(STAMP) ## kernels against the plain reference, and the worst inputs, into benches/RESULTS.md
	$(BIN)/python -m pip install --quiet '.[bench]'
	$(BIN)/python benches/kernels.py --write
	$(BIN)/python benches/hostile.py >> benches/RESULTS.md

mutants: $(STAMP) ## show that the vectors kill every listed mutation of the reference
	$(BIN)/python vectors/mutants.py

wheel: $(BIN)/python ## build the release wheel into dist/
	$(BIN)/python -m pip install --quiet 'maturin>=1.16,<2'
	$(BIN)/maturin build --release --locked --out dist

clean: ## remove what was built
	rm -rf $(VENV) target dist python/gradestone/_core*.so
