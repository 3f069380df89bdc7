package proxy

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/sctpmpi/sctpmpi/cmd/internal/process"
)

// settle finds the program, its libraries and the directory on this host. Environment is what ranks have beside a.Env. The note says what the user might not expect.
func (a *App) settle(environment []string) (note string, why *Refusal) {
	name := cmp.Or(a.Path, a.Name)
	path, err := process.Find(name)
	if err != nil && name != a.Name && !strings.Contains(a.Name, "/") {
		var other error
		if path, other = process.Find(a.Name); other != nil {
			err = fmt.Errorf("%w, and %w", err, other)
		} else {
			err = nil
		}
	}
	if err != nil {
		return "", refuse(statusOf(err), "%v", err)
	}
	a.Path = path
	libraries, note, err := process.Libraries(a.ABI, a.Path, slices.Concat(environment, a.Env))
	if err != nil {
		return "", refuse(statusOf(err), "%v", err)
	}
	a.Env = append(a.Env, libraries...)
	if a.Dir == "" {
		return note, nil
	}
	switch info, err := os.Stat(a.Dir); {
	case err == nil && info.IsDir():
	case a.Strict && err == nil:
		return "", refuse(process.StatusFailed, "--wdir: %s is not a directory", a.Dir)
	case a.Strict:
		return "", refuse(process.StatusFailed, "--wdir: %v", err)
	default:
		if note != "" {
			note += "; "
		}
		note += "there is no directory " + a.Dir
		a.Dir = ""
		if here, err := os.Getwd(); err == nil {
			note += "; ranks start in " + here
		}
	}
	return note, nil
}

// statusOf is the exit status for a program that cannot be run.
func statusOf(err error) int {
	if wrong, ok := errors.AsType[*process.ProgramError](err); ok {
		return wrong.Status
	}
	return process.StatusFailed
}
