package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReadmeProgram builds the program in the README as it stands there, runs
// it as the README says, and compares what it prints.
func TestReadmeProgram(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "```go\n")
	require.True(t, found)
	program, rest, _ := strings.Cut(rest, "```\n")
	_, rest, found = strings.Cut(rest, "mpirun -n 4 ./hello\n")
	require.True(t, found)
	want, _, _ := strings.Cut(rest, "```")

	dir := t.TempDir()
	source := filepath.Join(dir, "main.go")
	require.NoError(t, os.WriteFile(source, []byte(program), 0o644))
	for target, what := range map[string]string{"hello": source, "mpirun": "../cmd/mpirun"} {
		out, err := exec.Command("go", "build", "-o", filepath.Join(dir, target), what).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	run := exec.Command(filepath.Join(dir, "mpirun"), "-n", "4", "./hello")
	run.Dir = dir
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, want, string(out))
}
