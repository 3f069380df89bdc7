package docs

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var repository = os.DirFS("..")

// pages returns the text of README.md and of all pages in docs and its folders, by their paths in the repository.
func pages(t *testing.T) map[string]string {
	t.Helper()
	names, err := fs.Glob(repository, "docs/*.md")
	require.NoError(t, err)
	deeper, err := fs.Glob(repository, "docs/*/*.md")
	require.NoError(t, err)
	texts := make(map[string]string)
	for _, name := range slices.Concat(names, deeper, []string{"README.md"}) {
		text, err := fs.ReadFile(repository, name)
		require.NoError(t, err)
		texts[name] = string(text)
	}
	return texts
}

// What the pages name in code font, alone or in a command, and what begins with a folder of
// the repository, exists.
func TestPathsInPagesExist(t *testing.T) {
	entries, err := fs.ReadDir(repository, ".")
	require.NoError(t, err)
	var roots []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".git") && e.Name() != "bin" {
			roots = append(roots, e.Name())
		}
	}
	code := regexp.MustCompile("(?s)```.*?```|`[^`]+`")
	found := 0
	for page, text := range pages(t) {
		for _, span := range code.FindAllString(text, -1) {
			for _, word := range strings.Fields(strings.Trim(span, "`")) {
				word = strings.TrimSuffix(strings.Trim(strings.TrimPrefix(word, "./"), ",:"), "...")
				first, _, deeper := strings.Cut(word, "/")
				if !deeper || !slices.Contains(roots, first) {
					continue
				}
				found++
				_, err := fs.Stat(repository, strings.TrimSuffix(word, "/"))
				assert.NoError(t, err, "%s names %s", page, word)
			}
		}
	}
	assert.NotZero(t, found)
}

// Every link of a page to another one, or to a file, leads there: to its heading too.
func TestLinksInPagesLead(t *testing.T) {
	texts := pages(t)
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for page, text := range texts {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, heading, _ := strings.Cut(m[1], "#")
			target := page
			if file != "" {
				target = path.Join(path.Dir(page), file)
			}
			_, err := fs.Stat(repository, target)
			assert.NoError(t, err, "%s links to %s", page, m[1])
			if heading != "" {
				assert.Contains(t, anchors(texts[target]), heading, "%s links to %s", page, m[1])
			}
		}
	}
}

// Every page of this folder is in the README's table of pages.
func TestReadmeLeadsToEveryPage(t *testing.T) {
	texts := pages(t)
	for page := range texts {
		if path.Dir(page) == "docs" {
			assert.Contains(t, texts["README.md"], "\n| ["+page+"]("+page+") |", "the README has no row for it")
		}
	}
}

// anchors returns the names by which GitHub links to the headings of a page.
func anchors(text string) (names []string) {
	for line := range strings.Lines(text) {
		if heading := strings.TrimLeft(line, "#"); heading != line {
			kept := regexp.MustCompile(`[^\pL\pN _-]`).ReplaceAllString(strings.TrimSpace(heading), "")
			names = append(names, strings.ReplaceAll(strings.ToLower(kept), " ", "-"))
		}
	}
	return names
}
