package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The library for terminals is mpirun's alone: programs, and the other commands, do not link it.
func TestOnlyMpirunLinksTheLibraryForTerminals(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", `{{if eq .Name "main"}}{{.ImportPath}}{{range .Deps}} {{.}}{{end}}{{end}}`, "../../...").CombinedOutput()
	require.NoError(t, err, string(out))
	linking := 0
	for line := range strings.Lines(string(out)) {
		program, packages, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.Contains(packages, "charm.land/") || strings.Contains(packages, "github.com/charmbracelet/") {
			assert.True(t, strings.HasSuffix(program, "/cmd/mpirun"), program)
			linking++
		}
	}
	assert.Equal(t, 1, linking)
}
