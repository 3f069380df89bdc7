package docs

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExamplesPage runs the commands of examples.md and compares what they print.
func TestExamplesPage(t *testing.T) {
	text, err := os.ReadFile("examples.md")
	require.NoError(t, err)
	page := string(text)
	programs, err := fs.Glob(repository, "cmd/examples/*/main.go")
	require.NoError(t, err)
	for _, program := range programs {
		require.Contains(t, page, "](../"+program+")")
		require.Contains(t, page, " bin/"+filepath.Base(filepath.Dir(program))+"\n")
	}
	dir := t.TempDir()
	out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "bin")+"/", "../cmd/mpirun", "../cmd/examples/...").CombinedOutput()
	require.NoError(t, err, "%s", out)

	_, session, _ := strings.Cut(page, "```\n$ ")
	session, _, _ = strings.Cut(session, "```")
	for run := range strings.SplitSeq(session, "$ ") {
		command, want, _ := strings.Cut(run, "\n")
		shell := exec.Command("sh", "-c", command)
		shell.Dir = dir
		out, err := shell.CombinedOutput()
		require.NoError(t, err, "%s: %s", command, out)
		require.Equal(t, want, string(out), command)
	}
}
