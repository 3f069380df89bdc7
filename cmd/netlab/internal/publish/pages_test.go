package publish_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/cmd/netlab/internal/publish"
)

const docs = "../../../../docs"

// templates are those of all pages.
func templates(t *testing.T) (names []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(docs, func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, publish.Suffix) {
			names = append(names, name)
		}
		return err
	}))
	require.NotEmpty(t, names)
	return names
}

// A page and its drawings are what its template makes of the data: go generate ./cmd/netlab writes them.
func TestPagesSayWhatTheirDataDo(t *testing.T) {
	for _, name := range templates(t) {
		files, err := publish.Fill(name)
		require.NoError(t, err)
		for _, f := range files {
			written, err := os.ReadFile(f.Name)
			require.NoError(t, err)
			if string(f.Text) != string(written) {
				assert.Equal(t, "", firstDifference(string(f.Text), string(written)), "%s is not what its data say: go generate ./cmd/netlab", f.Name)
			}
		}
	}
}

func firstDifference(want, got string) string {
	wanted, is := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(wanted), len(is)) {
		if wanted[i] != is[i] {
			return "it says\n" + is[i] + "\nand should say\n" + wanted[i]
		}
	}
	return "its length differs"
}

// Whatever is a number in the results of a page comes from its data, or is marked as given. The results are what is below that heading, or all of a page without it.
func TestNumbersInResultsComeFromTheData(t *testing.T) {
	elsewhere := regexp.MustCompile("(?s)```.*?```|`[^`]*`|{{.*?}}|\\]\\([^)]*\\)|RFC \\d+(, section\\s+[\\d.]+)?|Table \\S+|Fig\\S* \\S+")
	number := regexp.MustCompile(`(?:^|[^\pL\d])\d+(\.\d+)?`)
	for _, name := range templates(t) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		if filepath.Base(name) == "seeds.md.tmpl" { // full of numbers of the papers
			continue
		}
		_, results, found := strings.Cut(string(text), "\n# Results\n")
		if !found {
			results = string(text)
		} else if i := strings.Index(results, "\n# "); i >= 0 {
			results = results[:i]
		}
		assert.Empty(t, number.FindAllString(elsewhere.ReplaceAllString(results, ""), -1), name)
	}
}
