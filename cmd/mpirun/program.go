package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// programError says why a program cannot be run.
type programError struct {
	status int
	text   string
}

func (e *programError) Error() string { return e.text }

// find returns the file of a program as a shell would find it from here, whatever directory it is to run in.
func find(program string) (string, error) {
	path, err := exec.LookPath(program)
	switch {
	case err == nil || errors.Is(err, exec.ErrDot):
		return filepath.Abs(path)
	case errors.Is(err, exec.ErrNotFound):
		text := fmt.Sprintf("%s: not found in PATH", program)
		if _, err := exec.LookPath("./" + program); err == nil {
			text += fmt.Sprintf("; there is ./%s in this directory", program)
		}
		return "", &programError{statusNotFound, text}
	case errors.Is(err, fs.ErrNotExist):
		return "", &programError{statusNotFound, fmt.Sprintf("%s: no such file", program)}
	case errors.Is(err, syscall.EISDIR):
		return "", &programError{statusNotRunnable, fmt.Sprintf("%s: is a directory", program)}
	case errors.Is(err, fs.ErrPermission):
		return "", &programError{statusNotRunnable, fmt.Sprintf("%s: not executable; is chmod +x missing?", program)}
	}
	return "", &programError{statusNotRunnable, strings.TrimPrefix(err.Error(), "exec: ")}
}
