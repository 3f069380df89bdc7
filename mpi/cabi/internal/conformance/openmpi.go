package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// openMPIProgram is a program that Open MPI's compiler has built, such as those that Debian has: it runs over Debian's Open MPI and over this
// library, and has the same result.
type openMPIProgram struct {
	ranks   int
	command []string
	input   map[string]string // files in its folder
	// result is what is to be the same, of its output and of what it has written into its folder.
	result func(output, folder string) (string, error)
}

// likeOpenMPI runs the program over both, and says how long they take.
func (b *bench) likeOpenMPI(ctx context.Context, p openMPIProgram) error {
	if err := needs("mpirun.openmpi", "openmpi-bin"); err != nil {
		return err
	}
	if err := b.loadsNothingOfOpenMPI(ctx, p.command[0]); err != nil {
		return err
	}
	theirs, theirTime, err := b.resultOver(ctx, openMPI, "shm", p)
	if err != nil {
		return err
	}
	ours, ourTime, err := b.resultOver(ctx, openMPIABI, b.transport, p)
	if err != nil {
		return err
	}
	name := filepath.Base(p.command[0])
	if ours != theirs {
		return fmt.Errorf("%s has another result than over Open MPI: %s", name, difference(ours, theirs))
	}
	b.log.say("%s: the result is that over Open MPI; %.1f s, Open MPI %.1f s", name, ourTime, theirTime)
	return nil
}

// resultOver runs the program over a library, and returns what it takes in seconds.
func (b *bench) resultOver(ctx context.Context, library, transport string, p openMPIProgram) (result string, seconds float64, err error) {
	in := *b
	in.folder = filepath.Join(b.folder, library)
	if err := os.RemoveAll(in.folder); err != nil {
		return "", 0, err
	}
	if err := os.MkdirAll(in.folder, 0o755); err != nil {
		return "", 0, err
	}
	for name, text := range p.input {
		if err := os.WriteFile(filepath.Join(in.folder, name), []byte(text), 0o644); err != nil {
			return "", 0, err
		}
	}
	o, err := in.launch(ctx, library, transport, p.ranks, p.command...)
	if err != nil {
		return "", 0, err
	}
	result, err = p.result(o.output, in.folder)
	return result, o.took.Seconds(), err
}

// Names of Open MPI's libraries. Those for C++ and of the modules of Fortran, which call MPI as programs do, are not among them.
var librariesOfOpenMPI = regexp.MustCompile(`(?m)^\s*(libopen-(?:rte|pal)|libmpi|libmpi_mpifh)\.so\.\d+ => (.*) \(`)

// loadsNothingOfOpenMPI fails unless all of MPI that the dynamic linker takes for a program, itself or by way of other libraries, is this
// library.
func (b *bench) loadsNothingOfOpenMPI(ctx context.Context, program string) error {
	in := *b
	in.before = []string{"env", "LD_TRACE_LOADED_OBJECTS=1"} // it lists them and ends: mpirun itself has none
	o, err := in.launch(ctx, openMPIABI, "shm", 1, program)
	if err != nil {
		return err
	}
	lib, err := filepath.EvalSymlinks(filepath.Join(filepath.Dir(b.bin), "lib")) // as mpirun does
	if err != nil {
		return err
	}
	return onlyThisLibrary(program, o.output, lib)
}

// onlyThisLibrary judges what the dynamic linker lists.
func onlyThisLibrary(program, list, lib string) error {
	found := librariesOfOpenMPI.FindAllStringSubmatch(list, -1)
	if len(found) == 0 {
		return fmt.Errorf("%s needs no library of Open MPI", program)
	}
	for _, match := range found {
		if filepath.Dir(match[2]) != lib {
			return fmt.Errorf("%s takes %s.so from %s", program, match[1], match[2])
		}
	}
	return nil
}

// difference is the first line that two texts do not have in common.
func difference(ours, theirs string) string {
	a, b := strings.Split(ours, "\n"), strings.Split(theirs, "\n")
	for i := range max(len(a), len(b)) {
		line := func(lines []string) string {
			if i < len(lines) {
				return lines[i]
			}
			return ""
		}
		if line(a) != line(b) {
			return fmt.Sprintf("%q instead of %q", line(a), line(b))
		}
	}
	return "none"
}
