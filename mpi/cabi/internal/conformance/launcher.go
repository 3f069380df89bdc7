package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// The libraries under test.
const (
	standard   = "standard"    // this one, with the standard's ABI
	mpichABI   = "mpich-abi"   // this one, with MPICH's
	openMPIABI = "openmpi-abi" // this one, with Open MPI's
	reference  = "reference"   // Debian's MPICH
	openMPI    = "openmpi"     // Debian's Open MPI
)

// launcher is a library under test: how programs are built for it and started.
type launcher struct {
	compiler string // an mpicc
	command  func(ranks int, limit time.Duration) []string
	survive  string // what has the job go on when a rank dies, after command
	env      []string
	other    string // another implementation's name, empty if it is this one
}

// launcher makes what the settings say of the library and of the transport.
func (s settings) launcher() (launcher, error) {
	debian := launcher{
		other:    "Debian's MPICH",
		compiler: "mpicc.mpich",
		command:  func(ranks int, _ time.Duration) []string { return []string{"mpiexec.hydra", "-n", strconv.Itoa(ranks)} },
		survive:  "-disable-auto-cleanup",
	}
	ours := launcher{compiler: filepath.Join(s.bin, "mpicc"), survive: "--keep-going"}
	var flags []string
	if s.transport != "shm" {
		flags, ours.env = append(flags, "--transport", s.transport), append(ours.env, "SCTPMPI_SHM=off")
	}
	switch s.library {
	case standard:
	case mpichABI:
		ours.compiler = debian.compiler
		flags = append(flags, "--abi", "mpich")
	case openMPIABI:
		ours.compiler = "mpicc.openmpi"
	case openMPI:
		debian = launcher{
			other:    "Debian's Open MPI",
			compiler: "mpicc.openmpi",
			command: func(ranks int, _ time.Duration) []string {
				return []string{"mpirun.openmpi", "--oversubscribe", "-n", strconv.Itoa(ranks)}
			},
			survive: "--enable-recovery",
			env:     []string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "OMPI_MCA_plm_rsh_agent=false"},
		}
		fallthrough
	case reference:
		if s.transport != "shm" {
			return debian, fmt.Errorf("-transport is for this library, and -library %s is %s", s.library, debian.other)
		}
		return debian, nil
	default:
		return ours, fmt.Errorf("-library %s: it can be standard, mpich-abi, openmpi-abi, reference or openmpi", s.library)
	}
	mpirun := filepath.Join(s.bin, "mpirun")
	ours.command = func(ranks int, limit time.Duration) []string {
		return append([]string{mpirun, "-n", strconv.Itoa(ranks), "--timeout", limit.String()}, flags...)
	}
	return ours, nil
}

// environment is what programs see, with variables of their own.
func (l launcher) environment(limit time.Duration, more []string) []string {
	env := append(os.Environ(), "MPIEXEC_TIMEOUT="+strconv.Itoa(max(1, int(limit.Seconds()))))
	return append(append(env, l.env...), more...)
}
