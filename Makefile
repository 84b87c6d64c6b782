# Everything runs in .venv, made on first use. Needs Python 3.11 or later, pip and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO := examples/helpcentre/documents

.PHONY: help demo test lint models bench clean

help:
	@echo "make demo             ask the example documents a few questions"
	@echo "make test             all checks and tests"
	@echo "make lint             only formatting, lint, types and import layers"
	@echo "make models           build the models of the package where they are not there yet"
	@echo "make bench DATA=DIR   measure on a data set folder"
	@echo "make clean            remove .venv, caches and the example index"

# Debian and Ubuntu ship Python without ensurepip: there pip itself sets up the environment.
$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Pincite needs Python 3.11")'
	$(PYTHON) -m venv $(VENV) 2>/dev/null \
		|| { rm -rf $(VENV) \
		&& $(PYTHON) -m venv --without-pip $(VENV) \
		&& $(PYTHON) -m pip --python $(BIN)/python install --quiet pip; }
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/installed: $(VENV)/made pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	$(BIN)/python -m compileall -q src
	@touch $@

$(VENV)/installed-dev: $(VENV)/made pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[llama-index]' --group dev
	@touch $@ $(VENV)/installed

demo: $(VENV)/installed
	@for question in \
		"When must express parcels be ordered?" \
		"Can I return a gift card?" \
		"What does error E14 mean?" \
		"How long do you keep camera pictures?" \
		"Who is your data protection officer?" \
		"What does error E15 mean?" \
		"What is the capital of Mongolia?"; \
	do \
		printf '\n$$ pincite ask %s "%s"\n\n' "$(DEMO)" "$$question"; \
		code=0; $(BIN)/pincite ask "$(DEMO)" "$$question" || code=$$?; \
		[ $$code -eq 0 ] || [ $$code -eq 3 ] || exit $$code; \
	done

test: lint models
	$(BIN)/python -m pytest

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

models: $(VENV)/installed-dev
	$(BIN)/python models/build.py

bench: $(VENV)/installed-dev
	$(BIN)/python -m bench ask --data $(DATA)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -rf $(DEMO)/.pincite
