package main_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// top has lib, include and bin, as make libmpi builds them.
var top string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	var err error
	if top, err = os.MkdirTemp("", "libmpi"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(top)
	for _, command := range [][]string{
		{"./build", top},
		{"go", "-C", "../..", "build", "-o", filepath.Join(top, "bin") + "/", "./cmd/mpirun", "./cmd/examples/mandelbrot"},
	} {
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%v: %v\n%s", command, err, out)
			return 1
		}
	}
	return m.Run()
}

// bin is a program of the tree.
func bin(name string) string { return filepath.Join(top, "bin", name) }

// compile builds a program of testdata for an ABI.
func compile(t *testing.T, abi, source string, flags ...string) string {
	t.Helper()
	return compileWith(t, bin("mpicc"), abi, source, flags...)
}

// compileWith does so with the mpicc of another tree.
func compileWith(t *testing.T, mpicc, abi, source string, flags ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(source), filepath.Ext(source)))
	args := append([]string{"--abi", abi, "-Wall", "-Wextra", "-Werror", "-o", out, filepath.Join("testdata", source)}, flags...)
	output(t, exec.Command(mpicc, args...))
	return out
}

// output is what a command writes, which must succeed.
func output(t *testing.T, c *exec.Cmd) string {
	t.Helper()
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%v\n%s", c, out)
	return string(out)
}

// mpirun runs a program with some ranks.
func mpirun(t *testing.T, args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	return exec.CommandContext(ctx, bin("mpirun"), args...)
}
