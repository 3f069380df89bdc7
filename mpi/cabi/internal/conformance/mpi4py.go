package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// runMpi4py builds mpi4py for this library and runs its own tests.
func runMpi4py(ctx context.Context, b *bench) error {
	if err := needs("cython3", "cython3 python3-dev python3-setuptools"); err != nil {
		return err
	}
	source, err := b.source(ctx, "mpi4py")
	if err != nil {
		return err
	}
	s := b.settings
	s.transport = "shm"
	l, err := s.launcher()
	if err != nil {
		return err
	}
	folder := filepath.Join(b.work, "mpi4py-"+b.library)
	if built, _ := filepath.Glob(filepath.Join(folder, "build/lib*/mpi4py/MPI.*.so")); len(built) == 0 {
		b.log.progress("mpi4py: building for %s", l.compiler)
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
		if err := os.CopyFS(folder, os.DirFS(source)); err != nil {
			return err
		}
		command := exec.CommandContext(ctx, "/usr/bin/python3", "setup.py", "build", "--mpicc="+l.compiler)
		command.Dir = folder
		text, err := command.CombinedOutput()
		fmt.Fprintf(b.log.file, "%s\n", text)
		if err != nil {
			return fmt.Errorf("mpi4py does not build: %s", compileError(string(text)))
		}
	}
	b.folder = folder
	args := []string{"/usr/bin/python3", "test/runtests.py", "--no-numpy", "--exclude=spawn", "--exclude=dynproc"}
	ranks := 2
	if b.short {
		args, ranks = append(args, "--include=p2p_buf", "--include=cco_buf", "--include=status", "--include=group"), 2
	}
	o, err := b.launch(ctx, b.library, b.transport, ranks, args...)
	for line := range strings.Lines(o.output) {
		if strings.HasPrefix(line, "Ran ") || strings.HasPrefix(line, "FAILED (") || strings.HasPrefix(line, "OK") {
			b.log.say("mpi4py: %s", strings.TrimSpace(line))
		}
	}
	return err
}
