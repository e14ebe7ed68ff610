# SPDX-FileCopyrightText: Tappet contributors
# SPDX-License-Identifier: Apache-2.0
#
#   make run            build the program, run the first model (make run MODEL=slider_crank for another)
#   make test           build the program and the tests, run all tests (PRESET=asan, tsan or debug: in such a build)
#   make test-long      the same with 200 kills, 50 full disks, 50 limits of memory, more random models (an hour more)
#   make fuzz           look for inputs that break a reader or a run, for SECONDS=60 per target (clang, libFuzzer)
#   make test-threads   build with the thread sanitizer, run the tests of several runs at the same time
#   make python         build the Python package, build/python (docs/python.md); `make test` then tests it too
#   make build          leaves the program at build/tappet
#   make bench          instructions and time of steps, derivatives, solvers, collisions (ENTRIES=slider_crank for some)
#   make bench-check    fails if instructions differ from bench/baseline.json by more than 10 %; bench-store writes it
#   make bench-peers    the same cases with Tappet, Siconos, Bullet, ODE and MuJoCo, in one table (about 15 minutes;
#                       CASES="slider_crank chain_100" for some)
#   make gallery        build, write docs/gallery: a page for every example, with its published figures redrawn
#   make format         clang-format over all sources
#   make clean          remove everything built
#   make dependencies   install the Debian packages that are missing (part of all of the above)

.PHONY: run build python test test-long test-threads fuzz bench bench-check bench-store bench-peers gallery format clean dependencies
.DEFAULT_GOAL := build

MODEL ?= first_model
PRESET ?= release
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
BUILD = build$(if $(filter-out release,$(PRESET)),-$(PRESET))

# The generator of a folder is chosen once, when it is first configured.
ifneq ($(shell command -v ninja),)
export CMAKE_GENERATOR ?= Ninja
endif

dependencies:
	@cmake/dependencies.sh $(USE)

# The benchmarks are part of the build only if they are asked for. The tests become part of it when they are first
# asked for. If you only run the program, nothing is built or installed for tests.
BENCH = OFF
PEERS = OFF
TARGETS = tappet
TESTS = $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DTAPPET_TESTS=OFF)
PYTHON =
build: dependencies
	@cmake --preset $(PRESET) $(TESTS) $(PYTHON) -DTAPPET_BENCH=$(BENCH) -DTAPPET_PEERS=$(PEERS) --log-level=NOTICE
	@cmake --build $(BUILD) --parallel $(JOBS) --target $(TARGETS)

run: build
	$(BUILD)/tappet run $(MODEL)

# The Python package is part of the build if the interpreter, its headers, NumPy and pybind11 are there (cmake/python.sh).
python: USE = python
python: PYTHON = $(shell cmake/python.sh)
python: TARGETS = python
python: build
	@cmake/python.sh --say $(BUILD)

test: PYTHON = $(shell cmake/python.sh)
test: USE = test
test: TESTS = -DTAPPET_TESTS=ON -DTAPPET_KILLS=0 -DTAPPET_FAULTS=0
test: TARGETS = all
test: build
	@ctest --test-dir $(BUILD) --output-on-failure -j2

test-long: PYTHON = $(shell cmake/python.sh)
test-long: USE = test
test-long: TESTS = -DTAPPET_TESTS=ON -DTAPPET_KILLS=200 -DTAPPET_FAULTS=50
test-long: TARGETS = all
test-long: build
	@TAPPET_LONG=1 TAPPET_MECHANISMS=100 TAPPET_HARSH=40 TAPPET_MUTATIONS=1000 ctest --test-dir $(BUILD) --output-on-failure -j2

test-threads: USE = test
test-threads: PRESET = tsan
test-threads: TESTS = -DTAPPET_TESTS=ON
test-threads: TARGETS = test_threads
test-threads: build
	@$(BUILD)/test/test_threads

SECONDS ?= 60
fuzz: USE = fuzz
fuzz: PRESET = fuzz
fuzz: TESTS = -DTAPPET_TESTS=ON
fuzz: TARGETS = fuzz
fuzz: build
	@test/fuzz/run.sh $(BUILD) $(SECONDS) $(FUZZ)

bench bench-check bench-store: USE = bench
bench bench-check bench-store: BENCH = ON
bench bench-check bench-store: TARGETS = bench_tappet
bench: build
	@bench/run.sh $(BUILD) table $(ENTRIES)
bench-check: build
	@bench/run.sh $(BUILD) check
bench-store: build
	@bench/run.sh $(BUILD) store

gallery: build
	$(BUILD)/tappet gallery docs/gallery --pictures

bench-peers: USE = peers
bench-peers: BENCH = ON
bench-peers: PEERS = ON
bench-peers: TARGETS = tappet peers
bench-peers: build
	@bench/peers/run.sh $(BUILD) $(CASES)

format:
	@git ls-files -co --exclude-standard '*.h' '*.cpp' | xargs clang-format -i

clean:
	rm -rf build build-debug build-asan build-tsan build-fuzz out
