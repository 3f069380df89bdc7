package main

import (
	"context"
	_ "embed"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed programs/hdf5.c
var hdf5Program string

// runHDF5 builds a program with the compiler of Debian's HDF5 for Open MPI. Ranks write a file together and read it, and one reads it without
// MPI. The file is to be the one that it writes over Open MPI.
func runHDF5(ctx context.Context, b *bench) error {
	if err := needs("h5pcc.openmpi", "libhdf5-openmpi-dev"); err != nil {
		return err
	}
	source, program := filepath.Join(b.folder, "hdf5.c"), filepath.Join(b.folder, "hdf5")
	if err := os.WriteFile(source, []byte(hdf5Program), 0o644); err != nil {
		return err
	}
	command := exec.CommandContext(ctx, "h5pcc.openmpi", "-shlib", "-o", program, source)
	command.Dir = b.folder // it leaves an object there
	if err := b.build("hdf5.c", command); err != nil {
		return err
	}
	return b.likeOpenMPI(ctx, openMPIProgram{
		ranks: 4, command: []string{program, "file.h5"},
		result: func(output, folder string) (string, error) {
			if !strings.Contains(output, "no errors\n") {
				return "", errors.New("the program does not end with no errors")
			}
			file, err := os.ReadFile(filepath.Join(folder, "file.h5"))
			return string(file), err
		},
	})
}
