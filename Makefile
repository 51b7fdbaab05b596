# One verb a line; `make help` lists them. Everything is installed into .venv, nothing outside the checkout is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNS ?= 10000000
JOBS ?= 1
STAMP := $(VENV)/.installed
SOURCES := Cargo.toml Cargo.lock pyproject.toml $(wildcard rust/*.rs rust/*/*.rs)

.PHONY: help demo test test-slow check bench bench-check bench-record sanitize fuzz fuzz-smoke wheel wheels sdist licences test-emulated test-free-threaded build vectors mutants clean

help: ## list the verbs
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-18s %s\n", $$1, $$2}'

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
	$(BIN)/python -m pytest -n auto --dist worksteal --cov --cov-report=term:skip-covered -q

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
	cargo fmt --check --manifest-path fuzz/Cargo.toml
	cargo clippy --quiet --manifest-path fuzz/Cargo.toml --target-dir target/fuzz/plain --all-targets -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --quiet --no-deps
	$(BIN)/python -m mypy.stubtest gradestone._core
	$(BIN)/python vectors/generate.py --check
	$(BIN)/python packaging/licences.py --check
	$(BIN)/abi3audit --strict --assume-minimum-abi3 3.11 $$(find python/gradestone -name '_core*.so')

bench: $(STAMP) ## ours beside reference and peers, sizes, worst inputs, threads, the command; BENCH='--rows 50 --rounds 1'
	$(BIN)/python -m pip install --quiet --editable '.[test,bench]'
	RAYON_NUM_THREADS=1 $(BIN)/python -m pytest -c benches/pytest.ini benches -q --benchmark-json=benches/raw.json $(BENCH)
	$(BIN)/python -m benches.report benches/raw.json
	$(BIN)/python -m benches.threads >> benches/RESULTS.md
	$(BIN)/python -m benches.interrupt >> benches/RESULTS.md
	$(BIN)/python -m benches.score >> benches/RESULTS.md

bench-check: $(BIN)/python ## hold each kernel's instructions a row against benches/instructions.toml
	$(BIN)/python benches/check.py

bench-record: $(BIN)/python ## count them anew into benches/instructions.toml
	$(BIN)/python benches/check.py --record

sanitize: $(STAMP) ## run what is unsafe under AddressSanitizer
	packaging/sanitize.sh $(BIN)/python

mutants: $(STAMP) ## show that the vectors kill every listed mutation of the reference
	$(BIN)/python vectors/mutants.py

fuzz: ## hold each kernel against its oracle on RUNS made-up inputs; TARGET picks one, JOBS run at a time
	$(PYTHON) fuzz/run.py $(TARGET) --runs $(RUNS) --jobs $(JOBS)

fuzz-smoke: ## the same on 20 000 inputs each
	$(PYTHON) fuzz/run.py --runs 20000 --jobs $(JOBS)

wheel: $(BIN)/python ## build the release wheel into dist/
	$(BIN)/python -m pip install --quiet 'maturin>=1.16,<2'
	$(BIN)/maturin build --release --locked --out dist

wheels: $(BIN)/python ## build and check the manylinux wheels of every platform into dist/
	$(BIN)/python -m pip install --quiet --group packaging
	$(BIN)/python packaging/wheels.py

sdist: $(BIN)/python ## build the sdist, crates included, into dist/
	$(BIN)/python -m pip install --quiet --group packaging
	$(BIN)/python packaging/sdist.py

licences: $(BIN)/python ## write THIRD_PARTY_LICENSES.txt from Cargo.lock
	$(BIN)/python -m pip install --quiet --group packaging
	$(BIN)/python packaging/licences.py

test-emulated: $(BIN)/python ## install dist/'s aarch64 wheel on an emulated arm64 and verify it there
	packaging/emulated.sh $(BIN)/python

test-free-threaded: ## the thread tests and the vectors on a free-threaded PYTHON, 3.14t or later
	packaging/free_threaded.sh $(PYTHON)

clean: ## remove what was built
	rm -rf $(VENV) target dist python/gradestone/_core*.so
