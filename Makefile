# `make demo` and `make test` need Python 3.11 or newer, make and git; everything else goes into .venv.

SHELL := /bin/sh
# Compiling every module anew for every worker takes longer than many of the tests.
unexport PYTHONDONTWRITEBYTECODE
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo "$$p" && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt
PHOTOS ?= ../shared/photos
SET ?= fate
OUT ?= album-$(SET)
PICTURES ?= 40
SEED ?= 0
ARGS ?=
JOBS ?= auto
SETS := outlander fate cats outback pips
STRANGE := pips fate outlander

.DEFAULT_GOAL := help
.PHONY: help demo test quick lint types proof screens pictures site prose album train firmware translations constraints checksums requirements wheels dist clean

help: ## this list
	@grep -hE '^[a-z]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(VENV)/.player ## the dashboard on a table that throws rendered dice (ARGS="--port 9000")
	@$(BIN)/tableside demo $(ARGS)

# Every core runs a test: one whose linear algebra waits, spinning, for threads on the other cores takes 40 times as long.
test quick proof: export OPENBLAS_NUM_THREADS = 1

test: $(VENV)/.dev ## lint, types, the import contract and the tests, on every core; one that fails does not hide the others
	@failed=0; types=$$(mktemp); \
	$(BIN)/pyright > "$$types" 2>&1 & pyright=$$!; \
	$(BIN)/ruff check . || failed=1; \
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(ARGS) || failed=1; \
	wait $$pyright || failed=1; \
	cat "$$types"; rm -f "$$types"; \
	exit $$failed

quick: $(VENV)/.dev ## the tests that take a moment, for after each edit
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not slow" $(ARGS)

lint: $(VENV)/.dev ## ruff
	$(BIN)/ruff check .

types: $(VENV)/.dev ## pyright, strict
	$(BIN)/pyright

proof: $(VENV)/.dev ## what takes hours: every proof of docs/proofs.md, then how well dice are read (PHOTOS=folder)
	@failed=0; \
	PHOTOS="$(PHOTOS)" $(BIN)/python -m pytest -m proof -s $(ARGS) || failed=1; \
	$(BIN)/python training/proof.py "$(PHOTOS)" || failed=1; \
	exit $$failed

screens: $(VENV)/.dev ## every page and game at four widths, by day and night, in runs/screens
	@SCREENS=runs/screens $(BIN)/python -m pytest -m proof tests/web/test_screens.py
	@echo "Look at runs/screens/sheet-light.png and sheet-dark.png"

pictures: $(VENV)/.dev ## the pictures of README and guide, from the running program (needs Chromium; ARGS="throw teach")
	@$(BIN)/python -m tools.pictures $(ARGS)

site: $(VENV)/.dev ## the guide and the other documents as a web site, in runs/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir runs/site
	@echo "To read and search it: $(BIN)/python -m http.server --directory runs/site"

prose: $(VENV)/.dev ## wrap the lines of README and docs
	@$(BIN)/python -m tools.prose

album: $(VENV)/.proof ## path-traced pictures to measure on (SET=fate OUT=folder PICTURES=40 SEED=0 ARGS=--no-dice)
	$(BIN)/python -m training.pathtrace $(SET) -o $(OUT) --pictures $(PICTURES) --seed $(SEED) $(ARGS)

train: $(VENV)/.train ## render, train and export the networks (hours; ARGS=--resume goes on from a checkpoint)
	$(BIN)/tableside train pictures
	$(BIN)/tableside train detector $(ARGS)
	$(BIN)/tableside train finder $(ARGS)
	$(BIN)/tableside train verifier $(ARGS)
	$(BIN)/tableside train matcher $(ARGS)
	$(BIN)/tableside train numerals $(ARGS)
	for set in $(SETS); do $(BIN)/tableside render $$set -o runs/confidence/$$set --pictures 60 --seed 7 || exit; done
	for set in $(STRANGE); do \
		$(BIN)/tableside render $$set -o runs/confidence/strange-$$set --pictures 60 --seed 8 --strangers || exit; done
	$(BIN)/tableside bench enroll --sets 47 --seed 20261123 --pictures runs/confidence/enrolled
	$(BIN)/tableside train confidence --enrolled runs/confidence/enrolled $(foreach set,$(SETS),runs/confidence/$(set)=$(set)) \
		$(foreach set,$(STRANGE),--strangers runs/confidence/strange-$(set)=$(set))

translations: $(VENV)/.dev ## the pages' catalogues brought up to date; says what is to be translated
	@$(BIN)/python -m tools.translations

firmware: $(BIN)/python ## the LED scoreboard's hex files, in hardware/firmware/hex (needs gcc-avr and avr-libc)
	@command -v avr-gcc >/dev/null || { echo "No AVR compiler: apt install gcc-avr avr-libc" >&2; exit 1; }
	@PYTHONPATH=. $(BIN)/python tools/firmware_font.py > hardware/firmware/font.h.new \
		&& { cmp -s hardware/firmware/font.h.new hardware/firmware/font.h || cp hardware/firmware/font.h.new hardware/firmware/font.h; } \
		; rm -f hardware/firmware/font.h.new
	@$(MAKE) --no-print-directory -C hardware/firmware
	@mkdir -p hardware/firmware/hex
	@cp hardware/firmware/build/*.hex hardware/firmware/hex/

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Tableside needs Python 3.11 or newer; none of python3, python3.1x was." >&2; exit 1; }
	@# Debian splits venv's pip off into a package of its own; a pip outside can fill the venv as well.
	@"$(PYTHON)" -m venv $(VENV) >/dev/null 2>&1 \
		|| { rm -rf $(VENV); { "$(PYTHON)" -m venv --without-pip $(VENV) \
			&& "$(PYTHON)" -m pip --python $(BIN)/python install --quiet pip; } >/dev/null 2>&1; } \
		|| { rm -rf $(VENV); echo "This Python cannot make a virtual environment: apt install python3-venv" >&2; exit 1; }

# An editable install reads the sources where they lie, so only the versions ask for a new one.
$(VENV)/.player: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing what a player needs into $(VENV) ..."
	@$(PIP) --editable .
	@# Compiles what is used, and only that: pip would fill 50 MB with what is not.
	@$(BIN)/python -c "import cli.compose, cli.read, vision.reader, web.app"
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing what the tests need into $(VENV) ..."
	@$(PIP) --editable '.[dev,docs]'
	@touch $@ $(VENV)/.player

$(VENV)/.release: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing what a release needs into $(VENV) ..."
	@$(PIP) --editable '.[dev,docs,release]'
	@touch $@ $(VENV)/.player $(VENV)/.dev

$(VENV)/.train: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing what training needs into $(VENV) (PyTorch: some gigabytes) ..."
	@$(PIP) --editable '.[dev,docs,train]'
	@touch $@ $(VENV)/.player $(VENV)/.dev

$(VENV)/.proof: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing the second renderer into $(VENV) ..."
	@$(PIP) --editable '.[dev,docs,proof]'
	@touch $@ $(VENV)/.player $(VENV)/.dev

checksums: $(VENV)/.dev ## models/SHA256SUMS anew, after a change to a network, a dice set or a table of advice
	@$(BIN)/python -m tools.checksums

constraints: | $(BIN)/python ## resolve every dependency anew and write constraints.txt and requirements.txt
	$(BIN)/python -m pip install --quiet --dry-run --ignore-installed --report - '.[dev,docs,proof,release,train]' \
		| "$(PYTHON)" tools/constraints.py > constraints.new
	mv constraints.new constraints.txt
	@$(MAKE) --no-print-directory requirements

requirements: $(VENV)/.release ## requirements.txt anew: a player's install on every system, with the hash of every file
	@{ echo "# What a player installs, on every system, with the hash of every file; \`make requirements\` writes it anew."; \
		$(BIN)/uv pip compile --quiet --system-certs --universal --generate-hashes --python-version 3.11 --no-header \
			--no-annotate --constraint constraints.txt pyproject.toml; } > requirements.new
	@mv requirements.new requirements.txt

wheels: $(VENV)/.dev ## whether every dependency has a wheel on every system and Python we name
	@$(BIN)/python -m tools.wheels

dist: $(VENV)/.release ## what a release carries, in dist: sdist, wheel, requirements.txt, parts.cdx.json, SHA256SUMS
	@rm -rf dist
	@$(BIN)/python -m build --outdir dist
	@cp requirements.txt dist/
	@$(BIN)/python -m tools.parts > dist/parts.cdx.json
	@cd dist && sha256sum * > SHA256SUMS && cat SHA256SUMS

clean: ## forget the virtual environment and every cache
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis .import_linter_cache build dist
