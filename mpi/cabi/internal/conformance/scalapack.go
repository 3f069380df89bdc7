package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// scalapackTests is where Debian has the tests of ScaLAPACK that are built for MPICH.
const scalapackTests = "/usr/lib/x86_64-linux-gnu/scalapack/mpich-tests"

// scalapackShort are those of the short form: LU, QR, PBLAS.
var scalapackShort = []string{"xdlu", "xsqr", "dpb1tst"}

var (
	addTest = regexp.MustCompile(`add_test\((\w+) .*mpiexec`)
	// scalapackCount matches its summaries: "  240 tests completed and passed residual checks."
	scalapackCount = regexp.MustCompile(`(\d+) tests completed and (passed|failed)`)
	// pblasRow matches a row of the tables of PBLAS' tests: SUBROUTINE TOTAL PASSED FAILED SKIPPED.
	pblasRow = regexp.MustCompile(`(?m)^ *([A-Z][A-Z0-9]+) +\d+ +\d+ +(\d+) +\d+ *$`)
)

// runScalapack runs Debian's tests of ScaLAPACK: Fortran, through Debian's own libmpichfort.so.12, with 4 ranks.
func runScalapack(ctx context.Context, b *bench) error {
	if err := needs(scalapackTests, "scalapack-mpi-test"); err != nil {
		return err
	}
	tests, err := b.scalapackPrograms()
	if err != nil {
		return err
	}
	var failures []error
	passed := 0
	for _, path := range tests {
		o, err := b.launch(ctx, b.programLibrary(), b.transport, 4, path)
		if err == nil {
			err = scalapackVerdict(filepath.Base(path), o.output)
		}
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			failures = append(failures, err)
			b.log.say("%v", err)
			continue
		}
		passed++
	}
	b.log.say("scalapack: %d of %d programs pass", passed, len(tests))
	return errors.Join(failures...)
}

// scalapackPrograms returns the paths of the programs to run, and puts their input beside them. They read and write the
// folder that they run in.
func (b *bench) scalapackPrograms() (paths []string, err error) {
	for _, folder := range []string{".", "BLACS", "PBLAS"} {
		from := filepath.Join(scalapackTests, folder)
		inputs, _ := filepath.Glob(filepath.Join(from, "*.dat"))
		for _, input := range inputs {
			link := filepath.Join(b.folder, filepath.Base(input))
			if err := os.Symlink(input, link); err != nil && !errors.Is(err, os.ErrExist) {
				return nil, err
			}
		}
		text, err := os.ReadFile(filepath.Join(from, "CTestTestfile.cmake"))
		if err != nil {
			return nil, err
		}
		for _, match := range addTest.FindAllStringSubmatch(string(text), -1) {
			paths = append(paths, filepath.Join(from, match[1]))
		}
	}
	if b.short {
		paths = selectNames(paths, scalapackShort)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s lists no tests", scalapackTests)
	}
	return paths, nil
}

// selectNames keeps the paths that end in one of the names.
func selectNames(paths, names []string) (kept []string) {
	for _, name := range names {
		for _, path := range paths {
			if filepath.Base(path) == name {
				kept = append(kept, path)
			}
		}
	}
	return kept
}

// scalapackVerdict says what is wrong with the output of a test that has ended well. Each has its own form, but all say
// of a test that it fails in one of these words.
func scalapackVerdict(name, output string) error {
	for _, match := range scalapackCount.FindAllStringSubmatch(output, -1) {
		if match[2] == "failed" && match[1] != "0" {
			return fmt.Errorf("%s: %s tests fail their residual checks", name, match[1])
		}
	}
	for _, match := range pblasRow.FindAllStringSubmatch(output, -1) {
		if match[2] != "0" {
			return fmt.Errorf("%s: %s tests of %s fail", name, match[2], match[1])
		}
	}
	for line := range strings.Lines(output) {
		if strings.Contains(line, "FAILED") && !strings.Contains(line, "TOTAL TESTS") || strings.Contains(line, "****") && strings.Contains(line, "ERROR") {
			return fmt.Errorf("%s: prints %s", name, strings.TrimSpace(line))
		}
	}
	return nil
}
