# sctpmpi: `make run` runs the main job, `make test` the tests, `make check`
# all that continuous integration checks.

GO          ?= go
STATICCHECK  = honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME    ?= 60s
RANKS       ?= 4
# A module of its own, as the library is not to depend on what it needs.
PION         = cmd/mpibench/pion
# Packages with tests that the race detector's build leaves out: those that
# count allocations, which it adds to, and the search of all the data. Those of
# the kernel's SCTP are for .ci/lab.
UNRACED      = $(filter-out ./sctprpi/kernel/%,$(sort $(dir $(shell grep -rl --include='*_test.go' '^//go:build !race' .))))

.PHONY: run build test bench lint docs fuzz check cross clean

run: build
	bin/mpirun -n $(RANKS) bin/taskfarm search

build:
	$(GO) build -o bin/ ./cmd/...

test:
	$(GO) test -race -timeout 10m ./...
	$(GO) test -timeout 20m $(UNRACED)
	cd $(PION) && $(GO) test -race -timeout 10m ./...
	.ci/sockets
	.ci/hydra
	.ci/capture
	.ci/lab

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

# Everything that can be known without running the program.
lint:
	@out=$$(gofmt -l .); test -z "$$out" || { echo "gofmt would change:" $$out; exit 1; }
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	$(GO) mod verify
	cd $(PION) && $(GO) vet ./... && $(GO) run $(STATICCHECK) ./... && $(GO) mod verify

# Other systems: the library must build there, whatever its transports can do.
cross:
	GOOS=darwin GOARCH=arm64 $(GO) build ./...
	GOOS=windows GOARCH=amd64 $(GO) build ./...
	GOOS=linux GOARCH=arm64 $(GO) build ./...
	GOOS=linux GOARCH=386 $(GO) build ./...

# The drawing, by Graphviz (apt-get install graphviz).
docs:
	dot -Tsvg docs/architecture.dot -o docs/architecture.svg

# Each fuzz target for FUZZTIME.
fuzz:
	@set -e; for pkg in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
			echo "$$pkg $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s $$pkg; \
		done; \
	done

check: lint cross run test

clean:
	rm -rf bin
