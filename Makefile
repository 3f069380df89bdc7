# sctpmpi: `make run` runs the main job, `make test` the tests (test-short in a
# minute, test-long in two hours), `make check` all that continuous
# integration checks.

# Go where its installer puts it, when it is not in PATH.
export PATH := $(PATH):/usr/local/go/bin

GO          ?= go
STATICCHECK  = honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME    ?= 60s
RANKS       ?= 4
# A module of its own, as the library is not to depend on what it needs.
PION         = cmd/sctpbench/pion
# Commands are static programs, which run on any Linux of their architecture.
STATIC       = CGO_ENABLED=0 $(GO) build -o bin/
# The standard's name for mpirun, by which CMake looks for MPI.
MPIEXEC      = @ln -sfn mpirun bin/mpiexec

.PHONY: run build libmpi conformance test test-short test-long near way soak bench tune simulate lint lines docs fuzz check cross clean

# Over SCTP, as between hosts. Without SCTPMPI_SHM=off the ranks, which are on one host, share memory.
run:
	$(STATIC) ./cmd/mpirun ./cmd/taskfarm
	$(MPIEXEC)
	@echo "over SCTP, as between hosts: shared memory is off"
	SCTPMPI_SHM=off bin/mpirun -n $(RANKS) bin/taskfarm search

build:
	$(STATIC) ./cmd/...
	$(MPIEXEC)

# MPI for C programs: lib/, include/, bin/mpicc and bin/mpirun. It needs a C compiler.
libmpi:
	@mpi/cabi/build
	$(STATIC) ./cmd/mpirun
	$(MPIEXEC)

test:
	@.ci/test

test-short:
	@.ci/test short

test-long:
	@.ci/test long

# The tests near what differs from main, in two minutes.
near:
	@GO=$(GO) .ci/near

# The functions on a message's way: how many they are, or with WAY="--functions shm" which.
WAY ?=
way:
	@$(GO) run ./cmd/internal/way $(WAY)

# SEEDS random programs over each transport in each mode, from seed FIRST on: in one process, in processes, by mpirun,
# over links that are cut, with ranks that die or are stopped, among strangers, and in the lab. Memory, goroutines and descriptors must not grow. None is started after DURATION, which they share equally. One that fails is printed with the command
# that runs it alone.
SEEDS    ?= 300
FIRST    ?= $(shell date +%s)
DURATION ?= 40m
soak:
	$(GO) test -v -count=1 -timeout 0 -run '^TestRandom(Programs|Collectives)' ./mpi -random.seeds=$(SEEDS) -random.first=$(FIRST) -random.time=$(DURATION)

# MPI programs that others have written over the C face: docs/c-programs.md. DIRS are directories of MPICH's test suite, or
# programs of them (coll/bcast*); PROGRAMS are to run instead: netpipe scalapack hpcc hpl mpi4py lammps phyml hdf5. LIBRARY=openmpi-abi
# runs what mpicc.openmpi builds; LIBRARY=reference and LIBRARY=openmpi are Debian's MPICH and Open MPI. What is fetched and built is kept in WORK.
DIRS      ?=
PROGRAMS  ?=
TRANSPORT ?= shm
LIBRARY   ?= standard
LIMIT     ?= 3m
SHORT     ?= false
WORK      ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/sctpmpi-conformance
conformance: libmpi
	$(GO) -C mpi/cabi run ./internal/conformance -bin "$(CURDIR)/bin" -work "$(WORK)" -library $(LIBRARY) -transport $(TRANSPORT) \
		-limit $(LIMIT) -short=$(SHORT) $(if $(DIRS),-dirs "$(DIRS)") $(if $(PROGRAMS),-programs "$(PROGRAMS)")

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

# The table of collective algorithms, from virtual time: two minutes.
tune:
	$(GO) generate ./mpi/internal/core/schedule

# The experiments over the engine in virtual time, into docs/experiments: with all cells, six jobs of each. It does not need a quiet host.
SIMULATED ?= pingpong-loss,farm-loss,hol,sender-queue,reorder,latereceiver,longshort,streams
simulate:
	$(GO) test -v -count=1 -timeout 0 -run '^TestSimulate$$' ./cmd/netlab/internal/experiments -simulate=$(SIMULATED) -simulate.out=$(CURDIR)/docs/experiments

# Everything that can be known without running the program.
lint:
	@out=$$(gofmt -l .); test -z "$$out" || { echo "gofmt would change:" $$out; exit 1; }
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	$(GO) mod verify
	cd mpi/cabi && $(GO) vet ./... && $(GO) run $(STATICCHECK) ./... && $(GO) mod verify
	cd $(PION) && $(GO) vet ./... && $(GO) run $(STATICCHECK) ./... && $(GO) mod verify
	cd docs/kubernetes && $(GO) vet ./... && $(GO) run $(STATICCHECK) ./... && $(GO) mod verify

# Other systems: the library must build there, whatever its transports can do. All is compiled, and of the programs two are linked, which have all
# transports and the launcher: to link all costs a quarter of a minute for each system.
SYSTEMS = darwin/arm64 windows/amd64 linux/arm64 linux/386
cross:
	@set -e; for system in $(SYSTEMS); do \
		echo "building for $$system"; export GOOS=$${system%/*} GOARCH=$${system#*/}; \
		$(GO) list -export ./... >/dev/null; $(GO) build -o /dev/null ./cmd/taskfarm ./cmd/mpirun; done

# How many lines each layer has, comments and empty lines among them, without tests and what only tests use. A folder's
# line does not count the folders in it, but that of the engine does.
LAYERS = mpi/rpi/progression internal/shm internal/shm/internal/ring internal/shm/internal/meeting internal/shm/internal/onecopy internal/trc internal/operations matching internal/header mpi/rpi/driver mpi/rpi/driver/internal/spin \
	tcprpi/perpair tcprpi/pertrc tcprpi/internal/handshake tcprpi/internal/heartbeat tcprpi/internal/socket \
	sctprpi sctprpi/pertrc sctprpi/internal/associations sctprpi/internal/handshake sctprpi/socket sctprpi/kernel
ENGINE = find sctprpi/engine -name '*.go' ! -name '*_test.go' ! -path '*test/*' ! -path '*/simnet/*'
lines:
	@for d in $(LAYERS); do echo $$(find $$d -maxdepth 1 -name '*.go' ! -name '*_test.go' | xargs cat | wc -l) $$d; done
	@echo $$($(ENGINE) | xargs cat | wc -l) sctprpi/engine

# The drawing, by Graphviz (apt-get install graphviz).
docs:
	dot -Tsvg docs/architecture.dot -o docs/architecture.svg

# Each fuzz target for FUZZTIME.
fuzz:
	@GO=$(GO) FUZZTIME=$(FUZZTIME) .ci/fuzz

check: lint cross run test

clean:
	rm -rf bin lib include
