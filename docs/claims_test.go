package docs

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The page of claims names commands that there are: each in code font in the third column of its tables.
func TestCommandsOfClaimsExist(t *testing.T) {
	read := func(glob string) string {
		var all strings.Builder
		names, err := fs.Glob(repository, glob)
		require.NoError(t, err)
		require.NotEmpty(t, names, glob)
		for _, name := range names {
			text, err := fs.ReadFile(repository, name)
			require.NoError(t, err)
			all.Write(text)
		}
		return all.String()
	}
	// By the first word, the folder, file or declaration that must be there; $1 is the second word.
	kinds := []struct{ command, where, what string }{
		{`netlab run ([a-z-]+)`, "cmd/netlab/internal/experiments/*.go", `Name: +"$1"`},
		{`mpibench ([a-z]+)(?: --[a-z]+ [\w,]+)*`, "cmd/mpibench/commands.go", `name: "$1"`},
		{`taskfarm ([a-z]+)`, "cmd/taskfarm/*.go", `"$1"`},
		{`mpirun --([a-z]+)`, "cmd/mpirun/flags.go", `"$1"`},
		{`(SCTPMPI_TRANSPORT)=(?:tcp|sctp)-(?:perpair|pertrc|kernel|engine)`, "mpi/rpi/variables.go", `"$1"`},
		{`(SCTPMPI_PROGRESS)=(?:inline|event|hybrid)`, "mpi/rpi/variables.go", `"$1"`},
		{`(SCTPMPI_MULTIPATH)=on`, "mpi/rpi/variables.go", `"$1"`},
		{`(SCTPMPI_SPIN)`, "mpi/rpi/variables.go", `"$1"`},
		{`(sctpbench)`, "cmd/sctpbench/*.go", `package main`},
		{`go test \./([a-z/]+)`, "", ""}, // that the folder is there TestPathsInPagesExist sees
	}
	page := read("docs/seeds.md")
	code := regexp.MustCompile("`([^`]+)`")
	claims, commands := 0, 0
	for line := range strings.Lines(page) {
		columns := strings.Split(strings.Trim(line, "| \n"), "|")
		if len(columns) != 5 || strings.Contains(line, "---") || strings.Contains(line, "| ours |") {
			continue
		}
		claims++
		assert.Regexp(t, `^ (works|reproduced|not so today|not built|open)`, columns[4], "%s needs a verdict", line)
		for _, span := range code.FindAllStringSubmatch(columns[2], -1) {
			known := false
			for _, k := range kinds {
				m := regexp.MustCompile("^" + k.command + "$").FindStringSubmatch(span[1])
				if m == nil {
					continue
				}
				known = true
				commands++
				if k.where != "" {
					assert.Regexp(t, strings.ReplaceAll(k.what, "$1", regexp.QuoteMeta(m[1])), read(k.where), "there is no %s", span[1])
				}
			}
			assert.True(t, known, "%s is none of the commands that a claim may name", span[1])
		}
	}
	assert.Greater(t, claims, 40)
	assert.Greater(t, commands, 20)
}
