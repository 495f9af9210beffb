# Decision Trees by Counting. `make help` lists what there is; every target makes the environment it needs.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help book pdf page site-test card serve handout graded slides test test-all test-oldest compare style lab edit renumber outputs faults bench binder wheel-test release rehearse lighthouse links lock clean

VENV := .venv
PY := $(VENV)/bin/python
READY := $(VENV)/ready
VENV_ALL := .venv-all
READY_ALL := $(VENV_ALL)/ready
BENCH := $(VENV)/bench
GRADING := .venv-grading
# The chapters take longest, so they come first. Two workers fill two cores: threads of theirs would only wait for each other.
NBVAL := -m pytest -q -n 2 --dist loadfile --no-loadscope-reorder --nbval --nbval-current-env --nbval-cell-timeout=60 -p no:cacheprovider
TESTS := $(NBVAL) chapters tests dtlib website/extensions tools
# What the oldest versions are tested with; how pictures look to the pixel is for the newest Matplotlib to say,
# and one check of scikit-learn 1.7 subtracts a mean from whole numbers in place.
OLDEST := tests/unit tests/property --ignore=tests/unit/test_draw_looks.py -k "not check_positive_only_tag_during_fit and not scikit_learns_checks"
UV := $(shell command -v uv 2>/dev/null)
LOCKER := $(or $(UV),$(VENV)/lock/bin/uv)
LOCK := $(LOCKER) pip compile --python $(PY) --python-version 3.11 --universal --fork-strategy fewest \
	--upgrade --exclude-newer "$(COOLDOWN)" --quiet --custom-compile-command "make lock"
COOLDOWN ?= 7 days# a release that is younger is not pinned: a bad one may be found first
PORT ?= 8000
BIND ?= 127.0.0.1
CLAIMS := 'claims', 'posed', 'right', 'wrong', 'tables', 'refers', 'guess'
# What `make compare` is to read, and what of that is not there: all notebooks, and a first word that is no option.
ASKED = $(filter %.ipynb,$(ARGS)) $(filter-out -% %.ipynb,$(firstword $(ARGS)))
ABSENT = $(strip $(foreach asked,$(ASKED),$(if $(wildcard $(asked)),,$(asked))))
# Jupyter refuses to run as root, which is who one is in a container.
AS_ROOT = $(if $(filter 0,$(shell id -u)),--allow-root)
BUILT := _build/built
SITE_SOURCES = $(shell find chapters reference data dtlib website _static -type f -not -name '*.pyc' 2>/dev/null) \
	$(wildcard *.md *.bib) _config.yml _toc.yml
CHAPTERS := $(sort $(wildcard chapters/*.ipynb))
NEWER := import sys; sys.exit(sys.version_info < (3, 11))
# The first Python >= 3.11 on the PATH; override with `make book PYTHON=/path/to/python`.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	command -v $$p >/dev/null 2>&1 && $$p -c "$(NEWER)" 2>/dev/null && { command -v $$p; break; }; done)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

# Make an environment of a file of pins: $(call install,FOLDER,FILE). Nothing is made by a Python that is too old.
define install
	@test -n "$(PYTHON)" || { echo "This book needs Python 3.11 or newer, and there is none on the PATH."; \
		echo "Install one, or say where it is: make book PYTHON=/path/to/python3"; exit 1; }
	@test -x $(1)/bin/python || "$(PYTHON)" -c "$(NEWER)" 2>/dev/null || { \
		echo "This book needs Python 3.11 or newer, and PYTHON=$(PYTHON) is not: $$("$(PYTHON)" --version 2>&1 | head -n 1)"; exit 1; }
	@test ! -x $(1)/bin/python || $(1)/bin/python -c "$(NEWER)" || { \
		echo "$(1) was made by $$($(1)/bin/python --version 2>&1), which is too old. Remove it: rm -r $(1)"; exit 1; }
	@echo "Installing $(2) into $(1) (once) ..."
	$(call install_by_$(if $(UV),uv,pip),$(1),$(2))
	@touch $(1)/ready
endef
define install_by_uv
	@test -x $(1)/bin/python || uv venv --quiet --python "$(PYTHON)" $(1)
	@uv pip install --quiet --python $(1)/bin/python --requirements $(2)
endef
define install_by_pip
	@test -x $(1)/bin/python || "$(PYTHON)" -m venv $(1)
	@$(1)/bin/python -m pip --version >/dev/null 2>&1 || $(1)/bin/python -m ensurepip --upgrade >/dev/null
	@$(1)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $(2)
endef

$(READY): requirements.txt pyproject.toml
	$(call install,$(VENV),requirements.txt)

$(READY_ALL): requirements/all.txt pyproject.toml
	$(call install,$(VENV_ALL),requirements/all.txt)

book: $(READY) ## build the website into _build/html, and read it: every warning and fault is an error
	@mkdir -p _build && find _build -mindepth 1 -maxdepth 1 ! -name faults -exec rm -rf {} +
	@$(VENV)/bin/jupyter-book build -W -n --keep-going --quiet .
	@$(PY) -m tools.read_site
	@touch $(BUILT)
	@echo "Open $(CURDIR)/_build/html/index.html, or run 'make serve'."

$(BUILT): $(READY) $(SITE_SOURCES)
	@$(MAKE) --no-print-directory book

page: $(READY) ## build what has changed, and say where a page is (ARGS=chapters/04_id3.ipynb, OPEN=1 opens it)
	@$(PY) -m tools.page $(ARGS)

site-test: $(BUILT) $(READY_ALL) ## look at every page of the website in Chromium (ARGS=--figures: measure it)
	@$(VENV_ALL)/bin/python -m tests.site $(ARGS)

pdf: $(BUILT) $(READY_ALL) ## print the website into one PDF, _build/pdf, and offer it there (needs Chromium)
	@$(VENV_ALL)/bin/python -m tools.pdf

serve: $(BUILT) ## show the website on http://localhost:8000 (PORT=..., BIND=0.0.0.0 for other machines)
	@$(PY) -m tools.serve _build/html $(BIND) $(PORT)

handout: $(READY) ## for a class: chapters without answers, in class/handout (ARGS=chapters/04_id3.ipynb)
	@$(PY) -m tools.teaching handout $(ARGS)

slides: $(READY) ## for a class: figures, formulas and a sentence each, in class/slides (ARGS=...)
	@$(PY) -m tools.teaching slides $(ARGS)

$(GRADING)/ready: requirements.txt tools/teaching/requirements.txt pyproject.toml
	$(call install,$(GRADING),tools/teaching/requirements.txt)

graded: $(GRADING)/ready ## for a class: chapters as homework with points, a course of nbgrader in class/graded (ARGS=...)
	@PATH="$(abspath $(GRADING))/bin:$$PATH" $(GRADING)/bin/python -m tools.teaching graded $(ARGS)

test test-all test-oldest compare: export OMP_NUM_THREADS := 1
test test-all test-oldest compare: export OPENBLAS_NUM_THREADS := 1

test: $(READY) ## unit, doctest, property, structure and prose tests, and every notebook against its stored outputs
	$(PY) $(TESTS)

test-all: $(READY_ALL) ## the same with ten times as many drawn examples and the long tests, in .venv-all
	$(VENV_ALL)/bin/python $(TESTS) --all

test-oldest: requirements/oldest.txt pyproject.toml ## the tests of the library with the oldest versions that pyproject.toml allows
	$(call install,.venv-oldest,requirements/oldest.txt)
	.venv-oldest/bin/python -m pytest -q -n 2 -p no:cacheprovider $(OLDEST)

compare: $(READY) ## every notebook against its stored outputs: what differs, in plain words (ARGS=chapters/04_id3.ipynb)
	$(if $(ABSENT),$(error There is no $(ABSENT); wanted notebooks or their folder, as ARGS=chapters/04_id3.ipynb))
	@$(PY) $(NBVAL) --tb=no -rE $(or $(ARGS),chapters)

style: $(READY) ## check the style of all Python code, and the types of the library
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy

lab: $(READY) ## open your copies of the chapters, my-chapters/, in JupyterLab (ARGS=... for its options)
	@$(PY) -m tools.copies
	@$(VENV)/bin/jupyter lab $(AS_ROOT) --ServerApp.root_dir=. --LabApp.default_url=/lab/tree/my-chapters --LabApp.workspaces_dir=$(VENV)/workspaces/lab $(ARGS)

edit: $(READY) ## for authors: open the chapters themselves in JupyterLab, which saves into them
	@$(VENV)/bin/jupyter trust $(CHAPTERS)
	@$(VENV)/bin/jupyter lab $(AS_ROOT) --ServerApp.root_dir=. --LabApp.default_url=/lab/tree/chapters --LabApp.workspaces_dir=$(VENV)/workspaces/edit $(ARGS)

renumber: $(READY) ## give the chapters the numbers that their order in _toc.yml says, everywhere (ARGS=--dry-run)
	@$(PY) -m tools.renumber $(ARGS)

outputs: $(READY) ## execute every chapter again and store its outputs
	$(if $(ABSENT),$(error There is no $(ABSENT); wanted notebooks or their folder, as ARGS=chapters/04_id3.ipynb))
	@$(PY) -m nbconvert --to notebook --inplace --execute --ExecutePreprocessor.timeout=60 \
		--NotebookExporter.preprocessors=nbconvert.preprocessors.CoalesceStreamsPreprocessor \
		--NotebookExporter.preprocessors=tools.stored.WithoutBitmaps \
		--ExecutePreprocessor.record_timing=False \
		--ClearMetadataPreprocessor.enabled=True \
		--ClearMetadataPreprocessor.preserve_nb_metadata_mask="{'kernelspec', 'colab', 'unit'}" \
		--ClearMetadataPreprocessor.preserve_cell_metadata_mask="{'tags', 'jp-MarkdownHeadingCollapsed', 'id', 'cellView', 'jupyter', 'graded', $(CLAIMS)}" $(or $(ARGS),$(CHAPTERS))

card: $(READY_ALL) ## draw _static/card.png again, the picture that a link to the book shows (needs Chromium)
	@$(VENV_ALL)/bin/python -m tools.card

faults: $(READY) ## plant 400 small faults one by one and list those that every test lets through (ALL=1: every fault)
	@$(PY) -m tests.faults $(if $(ALL),--all --notebooks) $(ARGS)

$(BENCH)/ready: $(READY) benchmarks/requirements.txt
	@echo "Installing benchmarks/requirements.txt into $(BENCH) (once) ..."
	@test -x $(BENCH)/bin/python || $(PY) -m venv $(BENCH)
	@sed '/^-e/d' requirements.txt > $(BENCH)/pins.txt
	@$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check --constraint $(BENCH)/pins.txt \
		--requirement benchmarks/requirements.txt --editable .[draw]
	@touch $@

bench: $(BENCH)/ready ## time dtlib beside its peers, and write benchmarks/results.md and a plot (ARGS=--quick)
	@$(BENCH)/bin/python benchmarks/run.py $(ARGS)

binder: $(READY_ALL) ## rehearse what Binder makes of binder/: how large, how quick, with which outputs
	@$(VENV_ALL)/bin/python -m tools.binder

wheel-test: $(READY) ## build what is published, offer it in an index on this machine, and try it from there (ARGS=dist keeps it)
	@$(PY) -m tools.wheel $(ARGS)

release: $(READY) ## write a version, its date and the address of the repository where they stand (VERSION=0.2.0)
	@$(PY) -m tools.release $(VERSION)

.venv-newest/bin/python:
	@"$(PYTHON)" -m venv .venv-newest
	@.venv-newest/bin/python -m pip install --quiet --disable-pip-version-check --requirement requirements.txt

rehearse: .venv-newest/bin/python ## build the book with the newest Sphinx and theme, against Jupyter Book's wish: what will break
	@.venv-newest/bin/python -m tools.rehearse

lighthouse: book ## rate the first page and the chapters with Lighthouse (needs Node and Chromium)
	@$(PY) -m tests.site.lighthouse

links: $(READY) ## check the links of the book (needs a network)
	@$(VENV)/bin/jupyter-book build --all --builder linkcheck --quiet .

lock: $(READY) ## renew the pins of requirements.txt, requirements/all.txt and binder/requirements.txt from the .in files
	@test -x $(LOCKER) || { $(PY) -m venv $(VENV)/lock && $(VENV)/lock/bin/python -m pip install --quiet uv; }
	@$(LOCK) requirements/requirements.in --output-file requirements.txt
	@sed '/^-e/d' requirements.txt > $(VENV)/pins.txt
	@$(LOCK) binder/requirements.in --constraint $(VENV)/pins.txt --no-annotate --output-file binder/requirements.txt
	@$(LOCK) requirements/all.in --constraint $(VENV)/pins.txt --no-annotate --output-file requirements/all.txt

clean: ## remove what was built, and the environments
	rm -rf _build class $(VENV) $(VENV_ALL) .venv-oldest .venv-newest $(GRADING)
