# Two commands matter: `make run` and `make test`. Both set up what they need and may be repeated.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python

.PHONY: help run test test-sqlite test-postgres lint format lock messages changelog clean

help:
	@echo "make run    set up and serve Ballast with demo data (PORT=8000)"
	@echo "make test   set up and pass the tests, on SQLite and on PostgreSQL"
	@echo "make lint   ruff, mypy, import contracts, templates"
	@echo "make lock   write the hashed lock files anew"

$(VENV)/base.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Ballast needs Python 3.11 or newer; set PYTHON=python3.x")'
	@$(PYTHON) -m venv $(VENV) || { echo "The venv module is missing; on Debian: apt-get install python3-venv"; exit 1; }
	@touch $@

$(VENV)/portal.stamp: requirements/portal.txt $(VENV)/base.stamp
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/portal.txt
	@touch $@

$(VENV)/dev.stamp: requirements/dev.txt $(VENV)/portal.stamp
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $@

run: $(VENV)/portal.stamp
	@exec $(PY) manage.py up

test: test-sqlite test-postgres

test-sqlite: $(VENV)/dev.stamp messages
	$(PY) -m pytest -ra $(PYTEST_ARGS)

# Everything that touches the database once more, on a real PostgreSQL: DATABASE_URL, a running server, or the wheel.
test-postgres: $(VENV)/dev.stamp messages
	$(PY) -m tests.postgres -m "database and not browser" $(PYTEST_ARGS)

messages: $(VENV)/portal.stamp
	@$(PY) manage.py messages --compile

lint: $(VENV)/dev.stamp messages
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy portal assessments llm_remediation frontend agents experiments knowledge_graph
	$(VENV)/bin/lint-imports
	git ls-files -z -- 'frontend/templates/*.html' 'frontend/templates/**/*.html' | xargs -0 $(VENV)/bin/djade --check --target-version 5.2
	$(PY) -m djlint --lint --quiet frontend/templates
	DJANGO_SETTINGS_MODULE=portal.config.settings_test $(PY) manage.py makemigrations --check --dry-run
	$(PY) manage.py messages --check
	$(PY) manage.py lint_matrix

format: $(VENV)/dev.stamp
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .
	git ls-files -z -- 'frontend/templates/*.html' 'frontend/templates/**/*.html' | xargs -0 $(VENV)/bin/djade --target-version 5.2

lock: $(VENV)/dev.stamp
	$(PY) -m pip install --quiet uv
	for name in portal dev; do $(PY) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate requirements/$$name.in -o requirements/$$name.txt; done

changelog: $(VENV)/dev.stamp
	$(PY) -m towncrier build --draft --version "$$($(PY) -c 'import tomllib; print(tomllib.load(open("pyproject.toml","rb"))["project"]["version"])')"

clean:
	rm -rf $(VENV) var .pytest_cache .mypy_cache .ruff_cache .hypothesis
