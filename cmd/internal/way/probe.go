package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
)

// call is calls.Call, and traces are what the probe writes.
type (
	call   struct{ Function, Depth int32 }
	traces struct{ Send, Recv [][]call }
)

// probe is the program whose calls are traced, with what starts it.
type probe struct {
	dir, program, mpirun string
	functions            []function
}

// build builds the probe and mpirun of a checkout, in dir.
func build(checkout, dir string) (p probe, err error) {
	p.dir, p.mpirun = dir, filepath.Join(dir, "mpirun")
	if p.program, p.functions, err = instrument(checkout, dir); err == nil {
		_, err = run(checkout, nil, "go", "build", "-trimpath", "-o", p.mpirun, "./cmd/mpirun")
	}
	return p, err
}

// run traces some messages over a design, and as many back.
func (p probe) run(design string, messages int, spin bool) (t traces, err error) {
	out := filepath.Join(p.dir, "traces")
	transport, shared := design, "off"
	if design == "shm" {
		transport, shared = "sctp-engine", "auto"
	}
	_, err = run(p.dir, []string{"SCTPMPI_SHM=" + shared}, p.mpirun, "-n", "2", "--transport", transport, p.program,
		"-o", out, "-rounds", strconv.Itoa(messages), "-spin="+strconv.FormatBool(spin))
	if err != nil {
		return t, err
	}
	b, err := os.ReadFile(out)
	if err == nil {
		err = json.Unmarshal(b, &t)
	}
	return t, err
}
