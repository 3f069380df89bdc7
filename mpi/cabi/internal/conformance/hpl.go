package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
)

//go:embed programs/hpl.c
var hplMain []byte

//go:embed programs/removed.h
var hplHeader []byte

// hplPrograms are the names of HPL's programs in the folder from which mpibench hpl takes them.
var hplPrograms = map[string]string{standard: "sctpmpi", reference: "mpich", openMPI: "openmpi"}

// resultLine is what HPL's program prints.
var resultLine = regexp.MustCompile(`(?m)^\{.*\}$`)

// runHPL builds HPL for this library, and for Debian's MPICH and Open MPI where they are installed, and solves a small problem with each.
// mpibench hpl measures what has been built.
func runHPL(ctx context.Context, b *bench) error {
	if err := needs("/usr/lib/x86_64-linux-gnu/libblas.so", "libblas-dev"); err != nil {
		return err
	}
	for _, library := range []string{standard, reference, openMPI} {
		l, err := b.over(library, "shm")
		if err != nil {
			return err
		}
		if _, err := exec.LookPath(l.compiler); err != nil {
			b.log.say("hpl: not for %s: %v", library, err)
			continue
		}
		program, err := b.buildHPL(ctx, library, l.compiler)
		if err != nil {
			return err
		}
		transport := "shm"
		if library == standard {
			transport = b.transport
		}
		o, err := b.launch(ctx, library, transport, 4, program, "200", "32", "2", "2")
		if err != nil {
			return err
		}
		var solved struct{ Gflops, Residual float64 }
		if err := json.Unmarshal([]byte(resultLine.FindString(o.output)), &solved); err != nil || solved.Gflops <= 0 {
			return fmt.Errorf("hpl over %s has printed no result: %q", library, o.output)
		}
		b.log.say("hpl over %s: %.3f Gflop/s, residual %.3g; %s", library, solved.Gflops, solved.Residual, program)
	}
	return nil
}

// buildHPL builds HPL for a library, once, from the source of the HPC Challenge suite, and returns the program.
func (b *bench) buildHPL(ctx context.Context, library, compiler string) (program string, err error) {
	program = filepath.Join(b.work, "hpl", hplPrograms[library])
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	source, err := b.source(ctx, "hpcc")
	if err != nil {
		return "", err
	}
	b.log.progress("hpl: building for %s", compiler)
	folder := filepath.Join(b.work, "hpl-"+library)
	if err := os.RemoveAll(folder); err != nil {
		return "", err
	}
	header, mainFile := filepath.Join(folder, "removed.h"), filepath.Join(folder, "main.c")
	settings := fmt.Appendf(nil, hpccMake, compiler+" -include "+header)
	err = errors.Join(
		os.CopyFS(folder, os.DirFS(source)), os.MkdirAll(filepath.Dir(program), 0o755),
		os.WriteFile(header, hplHeader, 0o644), os.WriteFile(mainFile, hplMain, 0o644),
		os.WriteFile(filepath.Join(folder, "hpl/Make.conformance"), settings, 0o644))
	if err != nil {
		return "", err
	}
	hpl := filepath.Join(folder, "hpl")
	for _, command := range [][]string{
		{"make", "-C", hpl, "arch=conformance", "startup"}, // not beside the next
		{"make", "-C", hpl, "arch=conformance", "build", fmt.Sprintf("-j%d", runtime.NumCPU())},
		{compiler, "-O2", "-w", "-I" + filepath.Join(hpl, "include"), "-DAdd_", "-DF77_INTEGER=int", "-DStringSunStyle", "-o", program, mainFile,
			filepath.Join(hpl, "lib/conformance/libhpl.a"), "-lblas", "-lm"},
	} {
		if err := b.build("hpl for "+library, exec.CommandContext(ctx, command[0], command[1:]...)); err != nil {
			return "", err
		}
	}
	return program, nil
}
