package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// suite is MPICH's test suite, configured for one compiler.
type suite struct {
	settings
	launcher
	root     string // the folder in which its programs are built
	lists    lists
	expected []*expectation
	log      *log
}

// runSuite runs directories of MPICH's suite, and reports whether all went as expected.
func (s settings) runSuite(ctx context.Context, log *log) (passed bool, err error) {
	su := suite{settings: s, log: log}
	if su.launcher, err = s.launcher(); err != nil {
		return false, err
	}
	if su.expected, err = readExpected(expectedText, s.library); err != nil {
		return false, err
	}
	if su.other != "" {
		su.expected = nil // what does not apply to this machine is to be seen
	}
	if err := su.configure(ctx); errors.Is(err, errNotThere) {
		log.say("MPICH's test suite: not run (%v)", err)
		return true, nil
	} else if err != nil {
		return false, err
	}
	tests, err := su.lists.choose(s.dirs)
	if err != nil {
		return false, err
	}
	total := new(tally)
	for begin := 0; begin < len(tests); {
		end := begin
		for end < len(tests) && tests[end].dir == tests[begin].dir {
			end++
		}
		if err := su.runDirectory(ctx, tests[begin:end], total); err != nil {
			return false, err
		}
		begin = end
	}
	log.table(total)
	return total.asExpected(), nil
}

// configure gets the suite and configures it, unless that has been done for the same mpi.h.
func (su *suite) configure(ctx context.Context) error {
	source, err := su.source(ctx, "mpich", "*/test/mpi")
	if err != nil {
		return err
	}
	name := su.library
	switch su.compiler { // the same programs, whatever they run over
	case "mpicc.mpich":
		name = "mpich"
	case "mpicc.openmpi":
		name = openMPIABI
	}
	su.root = filepath.Join(su.work, "build-"+name)
	su.lists = lists{su.root, filepath.Join(source, "test/mpi")}
	stamp, now := filepath.Join(su.root, ".configured"), su.fingerprint()
	if before, err := os.ReadFile(stamp); err == nil && bytes.Equal(before, now) {
		return nil
	}
	if err := os.RemoveAll(su.root); err != nil {
		return err
	}
	if err := os.MkdirAll(su.root, 0o755); err != nil {
		return err
	}
	su.log.say("configuring MPICH's test suite for %s", su.compiler)
	// Warnings are those of others. Without optimisation programs are built in half the time.
	warnings := "-w"
	if name == openMPIABI {
		warnings += " -DOMPI_OMIT_MPI1_COMPAT_DECLS=1" // its library has the functions of MPI-1, and its mpi.h makes them errors
	}
	flags := []string{
		"CC=gcc", "MPICC=" + su.compiler, "CFLAGS=" + warnings, "--disable-cxx", "--disable-spawn", "--enable-strictmpi",
		"--enable-threads=multiple", "--disable-dependency-tracking", "--disable-shared",
	}
	flags = append(flags, su.fortran()...)
	configure, err := configureWithF08(filepath.Join(source, "test/mpi"))
	if err != nil {
		return err
	}
	if text, err := su.tool(ctx, ".", append([]string{configure}, flags...)...); err != nil {
		return fmt.Errorf("configure of MPICH's test suite, see %s/config.log: %w: %s", su.root, err, firstError(text))
	}
	for _, folder := range []string{"dtpools", "util"} {
		if text, err := su.tool(ctx, folder, "make", "-j"+fmt.Sprint(runtime.NumCPU())); err != nil {
			return fmt.Errorf("make of %s/%s: %w: %s", su.root, folder, err, compileError(text))
		}
	}
	return os.WriteFile(stamp, now, 0o644)
}

// fortran has programs in Fortran built by the compilers of MPICH or Open MPI: the standard ABI has no Fortran. What they may pass for a choice
// buffer is an error for gfortran. Where Debian has both, Open MPI's compilers find MPICH's library under the name that they ask for.
func (su *suite) fortran() []string {
	_, implementation, debian := strings.Cut(su.compiler, "mpicc.")
	if _, err := exec.LookPath("gfortran"); err != nil || !debian {
		return []string{"--disable-fortran"}
	}
	flags := []string{
		"--enable-fortran=f77,f90,f08", "F77=gfortran", "FC=gfortran", "MPIF77=mpif77." + implementation, "MPIFC=mpifort." + implementation,
		"FFLAGS=-w -fallow-argument-mismatch", "FCFLAGS=-w -fallow-argument-mismatch",
	}
	if found, _ := filepath.Glob("/usr/lib/*/openmpi/lib/libmpi.so"); implementation == "openmpi" && len(found) > 0 {
		flags = append(flags, "LDFLAGS=-L"+filepath.Dir(found[0]))
	}
	return flags
}

// configureWithF08 writes a configure that has the programs of the directory f08, with the module mpi_f08, built as those of f90 are. The suite's own
// does so only as a part of the build of MPICH.
func configureWithF08(suite string) (path string, err error) {
	const condition, partOfMPICH = `test "$enable_f08" = "yes"`, ` -a "$FROM_MPICH" = "yes"`
	text, err := os.ReadFile(filepath.Join(suite, "configure"))
	if err != nil {
		return "", err
	}
	if !bytes.Contains(text, []byte(condition+partOfMPICH)) {
		return "", fmt.Errorf("configure of MPICH's test suite has no condition %s%s", condition, partOfMPICH)
	}
	path = filepath.Join(suite, "configure-f08") // beside the other: it takes its folder for that of the sources
	return path, os.WriteFile(path, bytes.ReplaceAll(text, []byte(condition+partOfMPICH), []byte(condition)), 0o755)
}

// fingerprint changes when programs have to be built anew: with mpi.h, or a compiler.
func (su *suite) fingerprint() []byte {
	header, _ := os.ReadFile(filepath.Join(su.bin, "../include/mpi.h"))
	if filepath.Base(su.compiler) == su.compiler { // Debian's
		header, _ = exec.Command(su.compiler, "-show").Output()
	}
	return fmt.Appendf(nil, "%s %x %s\n", su.compiler, sha256.Sum256(header), su.fortran())
}

// tool runs one that builds, and returns what it says.
func (su *suite) tool(ctx context.Context, folder string, command ...string) (string, error) {
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Dir = filepath.Join(su.root, folder)
	text, err := c.CombinedOutput()
	fmt.Fprintf(su.log.file, "$ cd %s && %s\n%s\n", c.Dir, strings.Join(command, " "), text)
	return string(text), err
}

// build builds the programs of a directory, and returns why those do not build that do not.
func (su *suite) build(ctx context.Context, tests []test) map[string]string {
	var programs []string
	for _, t := range tests {
		if e := find(su.expected, t); (e == nil || e.kind != skips) && !slices.Contains(programs, t.program) && su.whyNot(t) == "" {
			programs = append(programs, t.program)
		}
	}
	dir := tests[0].dir
	if len(programs) == 0 {
		return nil
	}
	_, _ = su.tool(ctx, dir, append([]string{"make", "-k", "-j" + fmt.Sprint(runtime.NumCPU())}, programs...)...)
	wrong := make(map[string]string)
	for _, p := range programs {
		if _, err := os.Stat(filepath.Join(su.root, dir, p)); err != nil {
			text, _ := su.tool(ctx, dir, "make", p)
			wrong[p] = "does not build: " + compileError(text)
		}
	}
	return wrong
}

// compileError is the first line of a compiler's or make's output that reports an error.
func compileError(text string) string {
	for line := range strings.Lines(text) {
		for _, sign := range []string{"error: ", "undefined reference", "*** "} {
			if strings.Contains(line, sign) {
				return strings.TrimSpace(line)
			}
		}
	}
	return firstError(text)
}

// runDirectory builds and runs the tests of one directory.
func (su *suite) runDirectory(ctx context.Context, tests []test, total *tally) error {
	su.log.progress("%s: building", tests[0].dir)
	wrong := su.build(ctx, tests)
	for i, t := range tests {
		su.log.progress("%s %d/%d: %s", t.dir, i+1, len(tests), t.name())
		expected := find(su.expected, t)
		r := result{test: t, expected: expected}
		switch reason := su.whyNot(t); {
		case reason != "":
			r.skipped = reason
		case expected != nil && expected.kind == skips:
			r.skipped = expected.reason
		case wrong[t.program] != "":
			r.failure = wrong[t.program]
		default:
			if err := su.run(ctx, t, &r); err != nil {
				return err
			}
		}
		total.add(r)
		su.log.result(r)
	}
	return nil
}

// run runs one test.
func (su *suite) run(ctx context.Context, t test, r *result) (err error) {
	limit := min(t.limit, su.limit)
	command := su.command(t.ranks, limit)
	if t.survives {
		command = append(command, su.survive)
	}
	command = append(append(command, "./"+t.program), t.args...)
	r.outcome, err = runJob(ctx, filepath.Join(su.root, t.dir), su.environment(limit, t.env), command, limit)
	r.failure = t.verdict(r.outcome)
	return err
}

// whyNot says why a test does not apply whatever the library, "" if it does.
func (su *suite) whyNot(t test) string {
	switch {
	case t.extension:
		return "it uses extensions of MPICH"
	case t.memory > 0:
		return fmt.Sprintf("it needs %g GB of memory", t.memory)
	}
	return ""
}
