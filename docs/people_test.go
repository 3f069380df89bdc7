package docs

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Pages for people have no walls of text: cells of tables and paragraphs have bounds, and pages begin with what the reader can do.
func TestPagesForPeople(t *testing.T) {
	const cell, paragraph = 200, 700
	texts := pages(t)
	for _, name := range []string{"launching", "launchers", "tuning", "choosing-a-transport", "debugging", "profiling", "limits", "changelog"} {
		page := "docs/" + name + ".md"
		for part := range strings.SplitSeq(regexp.MustCompile("(?s)```.*?```").ReplaceAllString(texts[page], ""), "\n\n") {
			for _, item := range regexp.MustCompile(`\n(?:- |\d+\. )`).Split(part, -1) {
				if !strings.HasPrefix(strings.TrimSpace(item), "|") {
					assert.LessOrEqual(t, len([]rune(item)), paragraph, "%s: %.80s…", page, item)
				}
			}
			for line := range strings.Lines(part) {
				if strings.HasPrefix(line, "| ") {
					for c := range strings.SplitSeq(strings.Trim(line, "| \n"), " | ") {
						assert.LessOrEqual(t, len([]rune(c)), cell, "%s: %.80s…", page, c)
					}
				}
			}
		}
	}
	for _, page := range []string{"docs/launching.md", "docs/tuning.md", "docs/debugging.md", "docs/profiling.md"} {
		_, begin, _ := strings.Cut(texts[page], "\n## ")
		assert.True(t, strings.HasPrefix(begin, "Five commands you need\n\n```sh"), page)
	}
}

// What choosing-a-transport.md says of measurements stands on the pages that have them.
func TestFiguresOfTransportsStandElsewhere(t *testing.T) {
	texts := pages(t)
	sources := texts["docs/networks.md"] + texts["docs/performance.md"] + texts["docs/experiments.md"]
	_, figures, _ := strings.Cut(texts["docs/choosing-a-transport.md"], "## What speaks for each")
	figures, _, _ = strings.Cut(figures, "## Try it")
	found := regexp.MustCompile(`\d[\d.]*\d(?: \([\d.–]+\))?`).FindAllString(figures, -1)
	for _, figure := range found {
		assert.Contains(t, sources, figure)
	}
	assert.Greater(t, len(found), 20)
}
