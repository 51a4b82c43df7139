PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export OMP_NUM_THREADS := 1

.PHONY: grade test lint accuracy thresholds bench install clean

grade: install  ## grade the sample submissions into out/ and print a table
	$(BIN)/autograder grade solutions assignments -o out

test: install  ## run every test, a file a processor
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder $(ARGS)

lint: install  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/mypy

accuracy: install  ## rates over the labelled corpus, and every disagreement
	$(BIN)/python tests/accuracy.py $(ARGS)

thresholds: install  ## what the thresholds of grading.yml rest on, over 1,000 seeds
	$(BIN)/python tools/thresholds.py

bench: install  ## CPU time beside otter's and a bare floor, as ratios in one run
	$(BIN)/python tools/bench.py $(ARGS)

install: $(VENV)/.installed

# Where PyPI's torch is a CUDA build, PIP_EXTRA_INDEX_URL can name an index of CPU builds.
$(VENV)/.installed: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q -e '.[dev]'
	touch $@

clean:  ## remove what was made
	rm -rf $(VENV) out build dist *.egg-info
