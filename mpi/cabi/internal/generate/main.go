// Command generate writes what the C face has of every function of MPI, from package table:
//
//	generate exports.h   the prototypes of the functions of libsctpmpi.so, which is committed, as its Go files include it
//	generate exports.go  the functions themselves, but for those that are by hand: see goexports.go; it is committed too
//	generate DIRECTORY   include/mpi.h, include/mpich/mpi.h and openmpi/mpi.h, std.c, mpich.c and openmpi.c: the headers and the
//	                     libraries of the ABIs; openmpi_names.h, what Open MPI's library defines beside functions of MPI, and
//	                     openmpi_fortran_functions.h, the functions of Fortran in Open MPI's ABI
//
// It runs in mpi/cabi. Which functions are there it sees by their //export lines; the others become stubs, which say so.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/sctpmpi/sctpmpi/mpi/cabi/internal/table"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%d arguments: exports.h, exports.go or a directory is to be named", len(args))
	}
	functions := table.Functions()
	switch filepath.Ext(args[0]) {
	case ".h":
		return os.WriteFile(args[0], []byte(exportsHeader(functions)), 0o644)
	case ".go":
		text, err := makeExports(functions)
		if err != nil {
			return err
		}
		return os.WriteFile(args[0], text, 0o644)
	}
	done, err := exported("*.go", "")
	if err != nil {
		return err
	}
	for _, a := range []*abi{standard, mpich, openMPI} {
		header, err := a.header(functions)
		if err != nil {
			return err
		}
		for name, text := range map[string]string{a.include + "/mpi.h": header, a.name + ".c": a.shim(functions, done)} {
			name = filepath.Join(args[0], name)
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	if err := os.WriteFile(filepath.Join(args[0], "openmpi_fortran_functions.h"), []byte(fortranFunctions(functions)), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(args[0], "openmpi_names.h"), []byte(openMPINames()), 0o644)
}

// makeExports is the text of exports.go.
func makeExports(functions []table.Function) ([]byte, error) {
	all, err := implementations(".")
	if err != nil {
		return nil, err
	}
	byHand, err := exported("*.go", exportsFile)
	if err != nil {
		return nil, err
	}
	return goExports(functions, all, byHand)
}

var exportLine = regexp.MustCompile(`(?m)^//export sctpmpi_(\w+)$`)

// exported are the functions that Go files have, but for a file, without their prefix.
func exported(pattern, except string) (map[string]bool, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	done := map[string]bool{}
	for _, name := range files {
		if name == except {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for _, m := range exportLine.FindAllSubmatch(text, -1) {
			done[string(m[1])] = true
		}
	}
	return done, nil
}
