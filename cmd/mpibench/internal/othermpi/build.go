package othermpi

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

//go:embed programs/*.c programs/*.h
var programs embed.FS

// buildLimit is the longest time of a build.
const buildLimit = 30 * time.Second

// unpack copies the source of the program into a folder below the given one, and returns its path.
func unpack(folder string) (string, error) {
	source := filepath.Join(folder, "source")
	sub, err := fs.Sub(programs, "programs")
	if err != nil {
		return "", err
	}
	return source, os.CopyFS(source, sub)
}

// build builds the program for one implementation.
func (i implementation) build(ctx context.Context, source, folder string) (Library, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, buildLimit, fmt.Errorf("building the program took more than %v", buildLimit))
	defer cancel()
	library, err := i.find(ctx)
	if err != nil {
		return Library{}, err
	}
	files, err := filepath.Glob(filepath.Join(source, "*.c"))
	if err != nil {
		return Library{}, err
	}
	library.program = filepath.Join(folder, strings.ReplaceAll(i.name, " ", "-"))
	compiler, err := i.compiler(library.launcher)
	if err != nil {
		return Library{}, err
	}
	arguments := append([]string{"-O2", "-std=c99", "-o", library.program}, files...)
	output, err := exec.CommandContext(ctx, compiler, arguments...).CombinedOutput()
	if ctx.Err() != nil {
		return Library{}, context.Cause(ctx)
	}
	if err != nil {
		return Library{}, fmt.Errorf("building its program: %w: %s", err, errorLine(output))
	}
	return library, nil
}

// compiler finds the compiler wrapper of an implementation. It is beside the launcher and has the
// same suffix.
func (i implementation) compiler(launcher string) (string, error) {
	folder, name := filepath.Split(launcher)
	name = strings.Replace(name, "mpirun", "mpicc", 1)
	path, err := exec.LookPath(filepath.Join(folder, name))
	if err != nil {
		return "", fmt.Errorf("its compiler %s is missing; on Debian: %s", name, i.install)
	}
	return path, nil
}

// errorLine returns the line of a compiler's output that explains a failure: the first with the word
// error, or else the first.
func errorLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, line := range lines {
		if strings.Contains(line, "error") {
			return line
		}
	}
	return lines[0]
}
