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
		{"go", "run", "./internal/generate", filepath.Join(top, "generated")},
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
	args := append([]string{"-Wall", "-Wextra", "-Werror", "-o", out, filepath.Join("testdata", source)}, flags...)
	output(t, compiler(mpicc, abi, args...))
	return out
}

// compiler prepares the compilation of a program for an ABI by an mpicc. That has no header for Open MPI's: the one of the library itself is
// taken, which has functions that Open MPI's own does not have.
func compiler(mpicc, abi string, args ...string) *exec.Cmd {
	if abi != "openmpi" {
		return exec.Command(mpicc, append([]string{"--abi", abi}, args...)...)
	}
	lib := filepath.Join(filepath.Dir(filepath.Dir(mpicc)), "lib")
	args = append([]string{"-I" + filepath.Join(top, "generated/openmpi")}, args...)
	return exec.Command("gcc", append(args, filepath.Join(lib, "libmpi.so.40"), "-Wl,--enable-new-dtags,-rpath,"+lib)...)
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
