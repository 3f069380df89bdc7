package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// runMpi4py runs the own tests of mpi4py: over Open MPI's ABI with Debian's module, and else with one that it builds for the library.
func runMpi4py(ctx context.Context, b *bench) error {
	installed := b.library == openMPIABI || b.library == openMPI
	err := needs("cython3", "cython3 python3-dev python3-setuptools")
	if installed {
		err = needs("/usr/lib/python3/dist-packages/mpi4py", "python3-mpi4py")
	}
	if err != nil {
		return err
	}
	source, err := b.source(ctx, "mpi4py")
	if err != nil {
		return err
	}
	args := []string{"/usr/bin/python3", "test/runtests.py", "--no-numpy", "--exclude=spawn", "--exclude=dynproc"}
	if installed {
		b.folder, args = source, append(args, "--no-builddir")
	} else if b.folder, err = b.buildMpi4py(ctx, source); err != nil {
		return err
	}
	if b.short {
		args = append(args, "--include=p2p_buf", "--include=cco_buf", "--include=status", "--include=group")
	}
	o, err := b.launch(ctx, b.library, b.transport, 2, args...)
	for line := range strings.Lines(o.output) {
		if strings.HasPrefix(line, "Ran ") || strings.HasPrefix(line, "FAILED (") || strings.HasPrefix(line, "OK") {
			b.log.say("mpi4py: %s", strings.TrimSpace(line))
		}
	}
	return err
}

// buildMpi4py builds it for the library, once, and returns its folder.
func (b *bench) buildMpi4py(ctx context.Context, source string) (folder string, err error) {
	l, err := b.over(b.library, "shm")
	if err != nil {
		return "", err
	}
	folder = filepath.Join(b.work, "mpi4py-"+b.library)
	if built, _ := filepath.Glob(filepath.Join(folder, "build/lib*/mpi4py/MPI.*.so")); len(built) == 0 {
		b.log.progress("mpi4py: building for %s", l.compiler)
		if err := os.RemoveAll(folder); err != nil {
			return "", err
		}
		if err := os.CopyFS(folder, os.DirFS(source)); err != nil {
			return "", err
		}
		command := exec.CommandContext(ctx, "/usr/bin/python3", "setup.py", "build", "--mpicc="+l.compiler)
		command.Dir = folder
		if err := b.build("mpi4py", command); err != nil {
			return "", err
		}
	}
	return folder, nil
}
