# Everything a clone needs: `make demo` and `make test` set themselves up. Targets marked ## appear in the help.
PYTHON ?= python3
VENV := .venv
VENV35 := .venv-spark35
BIN := $(VENV)/bin
UV_VERSION := 0.13.8
JAR_STAMP := paimon_bridge/jars/paimon-bridge-shim.properties
SHIM_SOURCES := $(shell find jvm gradle -type f \( -name '*.java' -o -name '*.gradle' -o -name '*.properties' \) -not -path '*/build/*' -not -path '*/.gradle/*' 2>/dev/null)
PAIMON_DEFAULT := $(shell sed -n 's/^paimon.default=//p' gradle/versions.properties)
PAIMON_RUNTIME := $(shell sed -n 's/^paimon.runtime=//p' gradle/versions.properties | tr ',' ' ')
GRADLE := gradle --quiet --console=plain -p jvm

.DEFAULT_GOAL := help
.PHONY: help demo test test-python test-spark4 test-spark35 test-jvm test-releases matrix java-full fuzz lint jar wheel bench docs lock clean

help: ## show this list
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

demo: $(VENV)/ready $(JAR_STAMP) build/paimon-jar ## a million rows into a Paimon table on this machine, start to finish
	$(BIN)/paimon-bridge demo --paimon-jar build/paimon-jars/paimon-bundle-$(PAIMON_DEFAULT).jar

test: lint test-jvm test-python test-spark4 test-spark35 test-releases ## lint, types and every test in its sampled form

test-python: $(VENV)/ready $(JAR_STAMP) build/paimon-jars.done ## tests without Spark: codec, writers, Java witnesses of every release
	$(GRADLE) testClasses
	$(BIN)/python -m pytest -m "not spark and not cluster and not witness and not slow"

test-spark4: $(VENV)/ready $(JAR_STAMP) build/paimon-jars.done ## end to end on the newest Spark, local and local-cluster
	$(BIN)/python -m pytest -m "(spark or cluster) and not witness and not slow"

test-spark35: $(VENV35)/ready $(JAR_STAMP) build/paimon-jars.done ## the short form on Spark 3.5, with the peers as witnesses
	PAIMON_BRIDGE_SHORT=1 $(VENV35)/bin/python -m pytest -m "(spark or cluster or witness) and not slow" \
	  --ignore tests/spark/test_kinds.py --ignore tests/spark/test_property.py  # these write without Spark

test-jvm: gradle-installed ## the shim's own tests
	$(GRADLE) test

test-releases: $(VENV)/ready $(JAR_STAMP) build/paimon-jars.done ## the short form on the oldest and the newest Paimon
	for release in $(firstword $(PAIMON_RUNTIME)) $(lastword $(PAIMON_RUNTIME)); do \
	  $(GRADLE) test -PpaimonRelease=$$release && \
	  PAIMON_BRIDGE_SHORT=1 PAIMON_BRIDGE_RELEASE=$$release $(BIN)/python -m pytest -m "not slow" \
	    $(patsubst %,tests/spark/test_%.py,bridge partitions commit gate kinds property orc file_index) || exit 1; \
	done

matrix: $(VENV)/ready $(JAR_STAMP) build/paimon-jars.done ## the Spark suite and the shim's tests on every Paimon, and the README's table of it
	rm -rf build/compatibility
	for release in $(PAIMON_RUNTIME); do \
	  $(GRADLE) test -PpaimonRelease=$$release && \
	  PAIMON_BRIDGE_RELEASE=$$release $(BIN)/python -m pytest -m "spark and not cluster and not witness" tests/spark || exit 1; \
	done
	$(BIN)/python -m tests.compatibility

java-full: $(VENV)/ready build/paimon-jars.done ## 10,000 generated messages against the serializer of every release
	PAIMON_BRIDGE_JAVA_SAMPLE=10000 $(BIN)/python -m pytest tests/java/test_proofs.py

fuzz: $(VENV)/ready build/paimon-jars.done ## a million mutations through the Python codec, and through the shim of every release
	$(BIN)/python -m tests.wire.fuzz --mutations 1000000
	$(GRADLE) testClasses
	PAIMON_BRIDGE_MUTATIONS=1000000 $(BIN)/python -m pytest tests/java/test_verifier.py

lint: $(VENV)/ready ## style, types and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

jar: $(JAR_STAMP) ## build the shim jar into the package

wheel: $(VENV)/ready $(JAR_STAMP) ## build the wheel, with exactly one shim jar in it
	$(BIN)/python -m hatchling build -t wheel

bench: export PAIMON_BRIDGE_RESULTS := benchmarks/results
bench: $(VENV)/ready $(VENV35)/ready $(JAR_STAMP) build/paimon-jars.done ## measure beside the peers and the limit, and make docs/performance.md
	$(BIN)/python -m benchmarks.spark_write
	$(BIN)/python -m benchmarks.spark_write --memory
	$(VENV35)/bin/python -m benchmarks.one_process --peers pypaimon-rust,pypaimon
	$(VENV35)/bin/python -m benchmarks.codec
	$(BIN)/python -m benchmarks.handover
	$(BIN)/python -m benchmarks.gate
	$(BIN)/python -m benchmarks.growth
	$(BIN)/python -m benchmarks.page

docs: $(VENV)/ready ## build the documentation into site/
	$(BIN)/mkdocs build --strict

lock: $(VENV)/ready ## renew the locked requirements
	for spark in spark4 spark35; do \
	  extras="--extra dev $$(test $$spark = spark4 && echo '--extra docs' || echo '--extra bench')"; \
	  $(BIN)/uv pip compile pyproject.toml $$extras -c requirements/$$spark.constraints.txt --universal --python-version 3.10 \
	    --generate-hashes --no-header --no-annotate --quiet --upgrade -o requirements/$$spark.lock; \
	done

clean: ## remove everything that was built
	rm -rf build dist site jvm/build jvm/.gradle $(VENV) $(VENV35) paimon_bridge/jars/*.jar paimon_bridge/jars/*.properties

# --- set-up -----------------------------------------------------------------------------------------------------------------------

$(VENV)/ready: requirements/spark4.lock pyproject.toml
	./scripts/virtualenv $(PYTHON) $(VENV) requirements/spark4.lock $(UV_VERSION)

$(VENV35)/ready: requirements/spark35.lock pyproject.toml
	./scripts/virtualenv $(PYTHON) $(VENV35) requirements/spark35.lock $(UV_VERSION)

.PHONY: gradle-installed
gradle-installed:
	@./scripts/ensure-gradle

$(JAR_STAMP): $(SHIM_SOURCES) | gradle-installed
	$(GRADLE) installJar twinJar
	@touch $@

build/paimon-jar: gradle/versions.properties | gradle-installed
	$(GRADLE) paimonJar
	@mkdir -p build && touch $@

build/paimon-jars.done: gradle/versions.properties | gradle-installed
	$(GRADLE) paimonJars
	@mkdir -p build && touch $@
