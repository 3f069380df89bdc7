package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// ProgramError says why a program cannot be run.
type ProgramError struct {
	Status int // exit status, as in a shell
	Text   string
}

func (e *ProgramError) Error() string { return e.Text }

// Find returns the file of a program as a shell would find it from here, whatever directory it is to run in.
func Find(program string) (string, error) {
	path, err := exec.LookPath(program)
	switch {
	case err == nil || errors.Is(err, exec.ErrDot):
		return filepath.Abs(path)
	case errors.Is(err, exec.ErrNotFound):
		text := fmt.Sprintf("%s: not found in PATH", program)
		if _, err := exec.LookPath("./" + program); err == nil {
			text += fmt.Sprintf("; there is ./%s in this directory", program)
		}
		return "", &ProgramError{StatusNotFound, text}
	case errors.Is(err, fs.ErrNotExist):
		return "", &ProgramError{StatusNotFound, fmt.Sprintf("%s: no such file", program)}
	case errors.Is(err, syscall.EISDIR):
		return "", &ProgramError{StatusNotRunnable, fmt.Sprintf("%s: is a directory", program)}
	case errors.Is(err, fs.ErrPermission):
		return "", &ProgramError{StatusNotRunnable, fmt.Sprintf("%s: not executable; is chmod +x missing?", program)}
	}
	return "", &ProgramError{StatusNotRunnable, strings.TrimPrefix(err.Error(), "exec: ")}
}

// FindFile is [Find] for what is to be looked at: a module, which need not be executable, is found too.
func FindFile(name string) (string, error) {
	path, err := Find(name)
	if err != nil && strings.Contains(name, "/") {
		if info, wrong := os.Stat(name); wrong == nil && info.Mode().IsRegular() {
			return filepath.Abs(name)
		}
	}
	return path, err
}
