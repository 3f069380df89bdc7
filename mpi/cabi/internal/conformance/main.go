// Command conformance runs MPI programs that others have written over this library's C face: the test suite of MPICH, as
// Debian's source package has it, and programs that people install or build. It gets what it needs from Debian's
// archive into a work folder, and keeps it there: nothing of it belongs to this repository. `make conformance` runs it;
// docs/c-programs.md says what the results mean.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// settings are what the command line says.
type settings struct {
	work      string        // what is fetched, built and written
	bin       string        // where mpicc and mpirun are
	library   string        // one of standard, mpichABI, openMPIABI, reference and openMPI
	transport string        // "shm", or one that --transport of mpirun knows
	limit     time.Duration // for each program, at most
	dirs      []string      // directories of the suite, each perhaps with a pattern of programs
	programs  []string      // real programs, instead of the suite
	short     bool          // a short form of them
}

func main() {
	s, err := parse(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	passed, err := s.run(ctx)
	stop()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(2)
	case !passed:
		os.Exit(1)
	}
}

// parse reads the command line.
func parse(args []string) (settings, error) {
	var s settings
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	fs := flag.NewFlagSet("conformance", flag.ExitOnError)
	fs.StringVar(&s.work, "work", filepath.Join(cache, "sctpmpi-conformance"), "the `folder` for what is fetched, built and written")
	fs.StringVar(&s.bin, "bin", "bin", "the `folder` of mpicc and mpirun")
	fs.StringVar(&s.library, "library", standard, "the library under test, `one` of\n"+
		"standard:    this one, programs built by its mpicc\n"+
		"mpich-abi:   this one, programs built by Debian's mpicc.mpich\n"+
		"openmpi-abi: this one, programs built by Debian's mpicc.openmpi\n"+
		"reference:   Debian's MPICH, the same programs as of mpich-abi\n"+
		"openmpi:     Debian's Open MPI, the same programs as of openmpi-abi")
	fs.StringVar(&s.transport, "transport", "shm", "what carries messages: shm, or the `name` of a transport, without shared memory then")
	fs.DurationVar(&s.limit, "limit", 3*time.Minute, "how long a program may run at most, even if the suite allows more")
	dirs := fs.String("dirs", strings.Join(standardDirs, " "), "directories of the suite, or single programs of them: \"init pt2pt/bsend*\"")
	programs := fs.String("programs", "", "run these programs instead of the suite: "+strings.Join(programNames(), " "))
	fs.BoolVar(&s.short, "short", false, "a short form of the programs")
	_ = fs.Parse(args)
	s.dirs, s.programs = strings.Fields(*dirs), strings.Fields(*programs)
	for _, folder := range []*string{&s.work, &s.bin} {
		if *folder, err = filepath.Abs(*folder); err != nil {
			return s, err
		}
	}
	if fs.NArg() > 0 {
		return s, fmt.Errorf("what is %q? all settings are flags", fs.Arg(0))
	}
	if _, err := s.launcher(); err != nil {
		return s, err
	}
	if err := os.MkdirAll(s.work, 0o755); err != nil {
		return s, err
	}
	if err := s.occupy(); err != nil {
		return s, err
	}
	return s, s.withoutBlanks()
}

// run runs what is asked for, and reports whether all went as expected.
func (s settings) run(ctx context.Context) (passed bool, err error) {
	log, err := newLog(s)
	if err != nil {
		return false, err
	}
	defer log.close()
	if len(s.programs) > 0 {
		return s.runPrograms(ctx, log)
	}
	return s.runSuite(ctx, log)
}
