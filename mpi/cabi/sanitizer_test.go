package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// AddressSanitizer sees each access of the library, that of Go's code too, to memory of the program: outside of what it has allocated, or
// after it has freed that. What it does about faults, and its stacks for handlers of signals, are Go's matter. Some programs ask
// for more memory than there is.
const sanitizer = "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:use_sigaltstack=0:allocator_may_return_null=1:detect_leaks=1"

// The library and the test programs use no memory that they do not have, and leave none behind.
func TestAddressSanitizerFindsNothing(t *testing.T) {
	bin := sanitized(t)
	mpicc := filepath.Join(bin, "mpicc")
	mpirun := func(ranks int, command ...string) *exec.Cmd {
		cmd := mpirun(t, append([]string{"-n", strconv.Itoa(ranks)}, command...)...)
		cmd.Path = filepath.Join(bin, "mpirun") // it has ranks load the library beside it
		return cmd
	}
	for how, said := range map[string]string{
		"send": "READ of size 20", "receive": "WRITE of size 20", "leak": "20 byte(s) leaked in 1 allocation(s)",
	} {
		overruns := compileWith(t, mpicc, "std", "overruns.c", "-g", "-fsanitize=address")
		out, err := mpirun(1, overruns, how).CombinedOutput()
		assert.Error(t, err, how)
		assert.Contains(t, string(out), said, "what is wrong is seen")
	}
	for name, ranks := range programs {
		if name == "limits" {
			continue // it makes a million objects of each kind, in minutes
		}
		t.Run(name, func(t *testing.T) {
			for _, face := range faces {
				program := compileWith(t, mpicc, face.abi, name+".c", "-g", "-pthread", "-fsanitize=address")
				for way, env := range ways {
					if face.abi != "std" && env != nil {
						continue // the ABI does not see how ranks are connected
					}
					var out, said bytes.Buffer
					cmd := mpirun(ranks, program)
					cmd.Stdout, cmd.Stderr = &out, &said
					cmd.Env = append(append(os.Environ(), "TMPDIR="+t.TempDir()), env...)
					assert.NoError(t, cmd.Run(), "%s, %s: %s", face.abi, way, &said)
					assert.Equal(t, "no errors\n", out.String(), "%s, %s", face.abi, way)
				}
			}
		})
	}
}

// sanitized builds the library with AddressSanitizer, and returns the folder of its mpicc and mpirun.
func sanitized(t *testing.T) string {
	if os.Getenv("SCTPMPI_TEST_LONG") == "" {
		t.Skip("this runs with SCTPMPI_TEST_LONG=1 only")
	}
	t.Setenv("ASAN_OPTIONS", sanitizer)
	cc := strings.TrimSpace(output(t, exec.Command("go", "env", "CC")))
	empty := filepath.Join(t.TempDir(), "empty")
	require.NoError(t, os.WriteFile(empty+".c", []byte("int main(void) { return 0; }\n"), 0o644))
	if exec.Command(cc, "-fsanitize=address", empty+".c", "-o", empty).Run() != nil || exec.Command(empty).Run() != nil {
		t.Skip(cc + " has no AddressSanitizer that works here")
	}
	tree := t.TempDir()
	build := exec.Command("./build", tree)
	build.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -asan", "CGO_CFLAGS=-g -O1", "CFLAGS=-fsanitize=address")
	output(t, build)
	output(t, exec.Command("go", "-C", "../..", "build", "-o", filepath.Join(tree, "bin")+"/", "./cmd/mpirun"))
	return filepath.Join(tree, "bin")
}
