package enginebench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const module = "github.com/sctpmpi/sctpmpi"

// buildLimit is how long the build may take. The second time nearly all of it comes from
// the cache.
const buildLimit = 30 * time.Second

// BuildPion builds the peer of pion into a folder. It is a module of its own, so that
// pion is no dependency of the library, and its source is only in a copy of the
// repository, in which the working directory must be.
func BuildPion(ctx context.Context, folder string) (path string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, buildLimit, fmt.Errorf("no result after %v", buildLimit))
	defer cancel()
	tool, err := exec.LookPath("go")
	if err != nil {
		return "", fmt.Errorf("building it takes the Go toolchain: %w", err)
	}
	root, err := goTool(ctx, tool, ".", "list", "-m", "-f", "{{.Dir}}", module)
	if err != nil {
		return "", fmt.Errorf("its source is not here, run mpibench in a copy of the repository: %w", err)
	}
	source := filepath.Join(root, "cmd", "mpibench", "pion")
	if _, err := os.Stat(filepath.Join(source, "go.mod")); err != nil {
		return "", fmt.Errorf("its source is not here, run mpibench in a copy of the repository: %w", err)
	}
	path = filepath.Join(folder, "pion.exe") // the suffix helps on Windows and does no harm elsewhere
	if _, err := goTool(ctx, tool, source, "build", "-o", path, "."); err != nil {
		return "", fmt.Errorf("building it, for which its modules must be in the cache or can be had: %w", err)
	}
	return path, nil
}

// goTool runs a go command and returns what it prints, or what it complains of.
func goTool(ctx context.Context, tool, folder string, args ...string) (string, error) {
	command := exec.CommandContext(ctx, tool, args...)
	command.Dir = folder
	command.WaitDelay = time.Second
	var out, complaint bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaint
	err := command.Run()
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil && complaint.Len() > 0:
		return "", errors.New(strings.TrimSpace(complaint.String()))
	}
	return strings.TrimSpace(out.String()), err
}
