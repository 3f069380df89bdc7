package peers

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

// buildLimit is how long a build may take.
const buildLimit = 30 * time.Second

// unpack copies the source of the programs into a folder, and returns where it is.
func unpack(folder string) (string, error) {
	source := filepath.Join(folder, "source")
	sub, err := fs.Sub(programs, "programs")
	if err != nil {
		return "", err
	}
	return source, os.CopyFS(source, sub)
}

// build builds the programs of one implementation.
func (i implementation) build(ctx context.Context, source, folder string) (Peer, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, buildLimit, fmt.Errorf("building the programs took more than %v", buildLimit))
	defer cancel()
	launcher, version, err := i.find(ctx)
	if err != nil {
		return Peer{}, err
	}
	files, err := filepath.Glob(filepath.Join(source, "*.c"))
	if err != nil {
		return Peer{}, err
	}
	p := Peer{
		Name: i.name + " " + version, launcher: launcher, implementation: i,
		program: filepath.Join(folder, strings.ReplaceAll(i.name, " ", "-")),
	}
	compiler, err := i.compiler(launcher)
	if err != nil {
		return Peer{}, err
	}
	arguments := append([]string{"-O2", "-std=c99", "-o", p.program}, files...)
	complaint, err := exec.CommandContext(ctx, compiler, arguments...).CombinedOutput()
	if ctx.Err() != nil {
		return Peer{}, context.Cause(ctx)
	}
	if err != nil {
		return Peer{}, fmt.Errorf("building its programs: %w: %s", err, complaintLine(complaint))
	}
	return p, nil
}

// compiler finds the wrapper that compiles for an implementation: beside its launcher, with
// the same suffix, if any.
func (i implementation) compiler(launcher string) (string, error) {
	folder, name := filepath.Split(launcher)
	name = strings.Replace(name, "mpirun", "mpicc", 1)
	path, err := exec.LookPath(filepath.Join(folder, name))
	if err != nil {
		return "", fmt.Errorf("its compiler %s is missing; on Debian: %s", name, i.install)
	}
	return path, nil
}

// complaintLine is what a compiler says is wrong: the line that has the word error, or the
// first.
func complaintLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, line := range lines {
		if strings.Contains(line, "error") {
			return line
		}
	}
	return lines[0]
}
