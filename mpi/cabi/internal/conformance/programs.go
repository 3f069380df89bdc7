package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// program is one that people run, and what has to be seen when it runs over this library.
type program struct {
	name string
	run  func(ctx context.Context, b *bench) error
}

// programs are all of them, in the order in which they run.
var programs = []program{{"netpipe", runNetpipe}, {"scalapack", runScalapack}, {"hpcc", runHPCC}, {"hpl", runHPL}, {"mpi4py", runMpi4py},
	{"lammps", runLAMMPS}, {"phyml", runPhyML}, {"hdf5", runHDF5}}

func programNames() (names []string) {
	for _, p := range programs {
		names = append(names, p.name)
	}
	return names
}

// bench is where a program runs: its folder below the work folder, and the settings.
type bench struct {
	settings
	log    *log
	folder string
	before []string // the beginning of each command, before the launcher
}

// runPrograms runs the programs that the settings name, and reports whether all ran as they must. A program that this
// machine does not have is not run.
func (s settings) runPrograms(ctx context.Context, log *log) (passed bool, err error) {
	passed = true
	for _, name := range s.programs {
		p, err := findProgram(name)
		if err != nil {
			return false, err
		}
		b := &bench{settings: s, log: log, folder: filepath.Join(s.work, "run", name)}
		if err := os.MkdirAll(b.folder, 0o755); err != nil {
			return false, err
		}
		begun := time.Now()
		switch err := p.run(ctx, b); {
		case ctx.Err() != nil:
			return false, errors.New("interrupted")
		case errors.Is(err, errNotThere):
			log.say("%s: not run (%v)", name, err)
		case err != nil:
			passed = false
			log.say("%s: FAILED: %v", name, err)
		default:
			log.say("%s: passed, %.0f s", name, time.Since(begun).Seconds())
		}
	}
	return passed, nil
}

func findProgram(name string) (program, error) {
	for _, p := range programs {
		if p.name == name {
			return p, nil
		}
	}
	return program{}, fmt.Errorf("-programs %s: it can be any of %v", name, programNames())
}

// needs says what is not installed, with the package of Debian's that has it.
func needs(file, pkg string) error {
	if _, err := exec.LookPath(file); err == nil {
		return nil
	}
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	return fmt.Errorf("%w: apt-get install %s", errNotThere, pkg)
}

// build runs a command that builds a program, and fails with its first error.
func (b *bench) build(what string, command *exec.Cmd) error {
	text, err := command.CombinedOutput()
	fmt.Fprintf(b.log.file, "%s\n", text)
	if err != nil {
		return fmt.Errorf("%s does not build: %s", what, compileError(string(text)))
	}
	return nil
}

// over is the launcher of a library and a transport.
func (b *bench) over(library, transport string) (launcher, error) {
	s := b.settings
	s.library, s.transport = library, transport
	return s.launcher()
}

// launch runs a program over a library and a transport, and fails if it does not end well.
func (b *bench) launch(ctx context.Context, library, transport string, ranks int, command ...string) (outcome, error) {
	l, err := b.over(library, transport)
	if err != nil {
		return outcome{}, err
	}
	what := fmt.Sprintf("%s, %d ranks over %s", filepath.Base(command[0]), ranks, cmp.Or(l.other, transport))
	b.log.progress("%s", what)
	all := slices.Concat(b.before, l.command(ranks, b.limit), command)
	o, err := runJob(ctx, b.folder, l.environment(b.limit, nil), all, b.limit)
	if err != nil {
		return o, err
	}
	fmt.Fprintf(b.log.file, "%s: status %d, %.1f s\n%s\n", what, o.status, o.took.Seconds(), o.output)
	switch {
	case o.timedOut:
		return o, fmt.Errorf("%s: timed out after %.0f s", what, o.took.Seconds())
	case o.status != 0:
		return o, fmt.Errorf("%s: status %d: %s", what, o.status, firstError(o.output))
	}
	return o, nil
}

// programLibrary is over what Debian's binaries for MPICH run.
func (b *bench) programLibrary() string {
	if b.library == reference {
		return reference
	}
	return mpichABI
}
