package bench

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

// buildLimit is the longest time of the build. From the second time on nearly everything comes
// from the build cache.
const buildLimit = 30 * time.Second

// BuildPion builds the worker program for pion in a folder. That program is a module of its own,
// so that pion is no dependency of the library. Its source is taken from a copy of the repository,
// which must have the working directory.
func BuildPion(ctx context.Context, folder string) (path string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, buildLimit, fmt.Errorf("no result after %v", buildLimit))
	defer cancel()
	tool, err := exec.LookPath("go")
	if err != nil {
		return "", fmt.Errorf("building it needs the Go toolchain: %w", err)
	}
	root, err := goTool(ctx, tool, ".", "list", "-m", "-f", "{{.Dir}}", module)
	if err != nil {
		return "", fmt.Errorf("its source is not here, run sctpbench in a copy of the repository: %w", err)
	}
	source := filepath.Join(root, "cmd", "sctpbench", "pion")
	if _, err := os.Stat(filepath.Join(source, "go.mod")); err != nil {
		return "", fmt.Errorf("its source is not here, run sctpbench in a copy of the repository: %w", err)
	}
	path = filepath.Join(folder, "pion.exe") // the suffix helps on Windows and does no harm elsewhere
	if _, err := goTool(ctx, tool, source, "build", "-o", path, "."); err != nil {
		return "", fmt.Errorf("building it, which needs its modules from the module cache or the network: %w", err)
	}
	return path, nil
}

// goTool runs a go command and returns its output. The error is what the command writes to
// standard error.
func goTool(ctx context.Context, tool, folder string, args ...string) (string, error) {
	command := exec.CommandContext(ctx, tool, args...)
	command.Dir = folder
	command.WaitDelay = time.Second
	var out, complaints bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaints
	err := command.Run()
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil && complaints.Len() > 0:
		return "", errors.New(strings.TrimSpace(complaints.String()))
	}
	return strings.TrimSpace(out.String()), err
}
