package process

import (
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/internal/linkage"
)

// notStarted is an error of the system with what it means for a program.
type notStarted struct {
	text string
	err  error
}

func (e *notStarted) Error() string { return e.text }

func (e *notStarted) Unwrap() error { return e.err }

// explain says why the file of a program could not be started, where the system's words do not tell.
func explain(file string, err error) error {
	because := func(format string, args ...any) error {
		return &notStarted{file + " " + fmt.Sprintf(format, args...), err}
	}
	switch {
	case isExecFormat(err):
		if theirs, ours := machine(file), machine("/proc/self/exe"); theirs != "" && theirs != ours {
			return because("is a program for another processor, %s; this host has %s", theirs, ours)
		}
		if info, wrong := os.Stat(file); wrong == nil && info.Size() == 0 {
			return because("is empty")
		}
		return because("is no program of this system, and no script: a script begins with a line such as #!/bin/sh")
	case errors.Is(err, fs.ErrNotExist):
		needs := linkage.Starter(file)
		if _, wrong := os.Stat(needs); needs == "" || wrong == nil {
			return err
		}
		if strings.HasSuffix(needs, "\r") {
			return because("has lines that end as those of Windows do: %q is the interpreter in its first line; dos2unix mends it", needs)
		}
		return because("needs %s to be started, which is not there", needs)
	}
	return err
}

// machine is the processor that a program is for, as ELF calls it; empty if it is no ELF file.
func machine(file string) string {
	f, err := elf.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	return strings.ToLower(strings.TrimPrefix(f.Machine.String(), "EM_"))
}
