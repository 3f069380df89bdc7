package docs

import (
	"bytes"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The page of experiments says how many lines the layers have, by make lines: within a tenth, as not each change is one of the page.
func TestLinesOfLayersAreAbout(t *testing.T) {
	page, err := fs.ReadFile(repository, "docs/experiments.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "**Lines of code**")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "# What is left")
	for row, folders := range map[string][]string{
		"transport | ":          {"tcprpi/perpair", "tcprpi/pertrc", "sctprpi", "sctprpi/pertrc"},
		"`mpi/rpi/progression`": {"mpi/rpi/progression"},
		"`internal/trc`":        {"internal/trc"},
		"`internal/operations`": {"internal/operations"},
		"`matching`":            {"matching"},
		"`internal/header`":     {"internal/header"},
		"`mpi/rpi/driver`":      {"mpi/rpi/driver"},
		"driver/internal/spin`": {"mpi/rpi/driver/internal/spin"},
		"`sctprpi/socket`":      {"sctprpi/socket"},
	} {
		line := regexp.MustCompile(`(?m)^\|[^|]*` + regexp.QuoteMeta(row) + `.*$`).FindString(table)
		numbers := regexp.MustCompile(`\d+`).FindAllString(line, -1)
		if !assert.Len(t, numbers, len(folders), "row of %s", row) {
			continue
		}
		for i, folder := range folders {
			said, err := strconv.Atoi(numbers[i])
			require.NoError(t, err)
			assert.InEpsilon(t, lines(t, folder), said, 0.1, "%s: the page says another number of lines than make lines: correct the table in docs/experiments.md.tmpl", folder)
		}
	}
}

// lines are those of a folder's programs, without tests.
func lines(t *testing.T, folder string) (n int) {
	names, err := fs.Glob(repository, folder+"/*.go")
	require.NoError(t, err)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(repository, name)
		require.NoError(t, err)
		n += bytes.Count(text, []byte("\n"))
	}
	return n
}
