package docs

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what the code says into mpi-coverage.md")

// mpi-coverage.md has a row for each function of MPI: its name, and what programs in Go use for it, in code font, or why
// there is nothing. All functions and methods of package mpi are on the page, and all names on it exist. This puts new
// ones into the rows of the functions that their comments name, as in "(MPI_IBCAST; MPI 4.1, section 6.12.2)":
//
//	go test ./docs -run TestCoverage -update
func TestCoverage(t *testing.T) {
	api := exported(t, "../mpi")
	page, err := os.ReadFile(coveragePage)
	require.NoError(t, err)
	text := string(page)
	if *update {
		text = fill(text, api)
		require.NoError(t, os.WriteFile(coveragePage, []byte(text), 0o644))
	}

	named := make(map[string]bool)
	for _, m := range goName.FindAllStringSubmatch(text, -1) {
		named[m[1]] = true
		assert.Contains(t, api, m[1], "docs/%s names %s, which package mpi does not have: correct the row", coveragePage, m[1])
	}
	var missing []string
	for _, name := range slices.Sorted(maps.Keys(api)) {
		if api[name].callable && !named[name] {
			missing = append(missing, "`"+name+"`")
		}
	}
	assert.Empty(t, missing, "docs/%s does not name these. What MPI has belongs into the second column of its function's row; this "+
		"writes it there if the comment names the function, as in (MPI_IBCAST; MPI 4.1, section 6.12.2): go test ./docs -run "+
		"TestCoverage -update. What MPI does not have belongs into the table at the end, Only in Go.", coveragePage)
	seen := make(map[string]bool)
	for _, r := range coverageRows(text) {
		assert.False(t, seen[r.function], "docs/%s has two rows for %s", coveragePage, r.function)
		assert.Regexp(t, "`[A-Z]|^no need: |^not yet$", r.cell, "docs/%s: the row of %s has no name in code font, and begins neither "+
			"with no need nor with not yet", coveragePage, r.function)
		seen[r.function] = true
	}
}

// The counts at the top of mpi-coverage.md may be behind the rows, so that adding one asks for no more, but claim nothing
// that is not there. To count again:
//
//	go test ./docs -run TestCountsOfCoverage -update
func TestCountsOfCoverage(t *testing.T) {
	page, err := os.ReadFile(coveragePage)
	require.NoError(t, err)
	text := string(page)
	if *update {
		text = count(text)
		require.NoError(t, os.WriteFile(coveragePage, []byte(text), 0o644))
	}
	counted, shown := notYet(count(text)), notYet(text)
	require.Len(t, shown, len(counted))
	for i := range counted {
		assert.GreaterOrEqual(t, shown[i], counted[i], "docs/%s claims too much; see the comment of this test", coveragePage)
	}
}

const coveragePage = "mpi-coverage.md"

// goName is a name of package mpi in code font.
var goName = regexp.MustCompile("`([A-Z]\\w*(\\.[A-Z]\\w*)?)`")

// row is that of a function in mpi-coverage.md.
type row struct{ line, function, cell string }

// coverageRows returns the rows of a page.
func coverageRows(text string) (rows []row) {
	for line := range strings.Lines(text) {
		if cells := strings.Split(strings.TrimSpace(line), "|"); len(cells) == 4 && regexp.MustCompile(`^ [A-Z]\w+ $`).MatchString(cells[1]) {
			rows = append(rows, row{line, strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])})
		}
	}
	return rows
}

// fill writes what no row names into the rows of the functions that the comments name.
func fill(text string, api map[string]identifier) string {
	_, chapters, _ := strings.Cut(text, "\n## ")
	for _, name := range slices.Sorted(maps.Keys(api)) {
		if !api[name].callable || strings.Contains(chapters, "`"+name+"`") {
			continue
		}
		for _, r := range coverageRows(text) {
			if !slices.Contains(api[name].functions, strings.ToUpper(r.function)) {
				continue
			}
			cell := "`" + name + "`"
			if strings.Contains(r.cell, "`") {
				cell = r.cell + ", " + cell
			}
			text = strings.Replace(text, r.line, "| "+r.function+" | "+cell+" |\n", 1)
		}
	}
	return text
}

// count writes into a page how many rows of each chapter say what.
func count(text string) string {
	const begin, end = "<!-- counts: written by coverage_test.go -->\n", "<!-- end of counts -->\n"
	before, rest, _ := strings.Cut(text, begin)
	_, chapters, _ := strings.Cut(rest, end)
	table := "| chapter | functions | in Go | no need | not yet |\n| --- | --- | --- | --- | --- |\n"
	line := func(title string, rows []row) {
		named, needless := 0, 0
		for _, r := range rows {
			if goName.MatchString(r.cell) {
				named++
			} else if strings.HasPrefix(r.cell, "no need") {
				needless++
			}
		}
		table += fmt.Sprintf("| %s | %d | %d | %d | %d |\n", title, len(rows), named, needless, len(rows)-named-needless)
	}
	for _, chapter := range strings.Split(chapters, "\n## ")[1:] {
		if rows := coverageRows(chapter); rows != nil {
			title, _, _ := strings.Cut(chapter, "\n")
			line(title, rows)
		}
	}
	line("all", coverageRows(chapters))
	return before + begin + table + end + chapters
}

// notYet returns the last column of the counts.
func notYet(text string) (numbers []int) {
	for _, m := range regexp.MustCompile(`(?m)(?: \| \d+){3} \| (\d+) \|$`).FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1])
		numbers = append(numbers, n)
	}
	return numbers
}

// identifier is a name that a package exports.
type identifier struct {
	callable  bool
	functions []string // of MPI, which the comment names
}

// exported returns what a package exports: names, and those of methods and fields after that of their type and a dot.
func exported(t *testing.T, folder string) map[string]identifier {
	t.Helper()
	files, err := filepath.Glob(folder + "/*.go")
	require.NoError(t, err)
	names := make(map[string]identifier)
	add := func(name string, i identifier) {
		if !slices.ContainsFunc(strings.Split(name, "."), func(part string) bool { return !ast.IsExported(part) }) {
			names[name] = i
		}
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, declaration := range file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				// Methods of Go's own interfaces need no row.
				callable := d.Recv == nil || !slices.Contains([]string{"String", "Error", "Is", "Unwrap"}, d.Name.Name)
				add(receiver(d)+d.Name.Name, identifier{callable, functions(d.Doc.Text())})
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.ValueSpec:
						for _, name := range s.Names {
							add(name.Name, identifier{})
						}
					case *ast.TypeSpec:
						add(s.Name.Name, identifier{})
						members := new(ast.FieldList)
						switch body := s.Type.(type) {
						case *ast.StructType:
							members = body.Fields
						case *ast.InterfaceType:
							members = body.Methods
						}
						for _, member := range members.List {
							for _, name := range member.Names {
								add(s.Name.Name+"."+name.Name, identifier{})
							}
						}
					}
				}
			}
		}
	}
	return names
}

// receiver is the type of a method and a dot, or nothing.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	of, _, _ := strings.Cut(strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*"), "[") // of no parameters
	return of + "."
}

// functions returns MPI's functions that a comment names in parentheses, without MPI_.
func functions(doc string) (names []string) {
	for _, m := range regexp.MustCompile(`\((MPI_[^;)]*)`).FindAllStringSubmatch(doc, -1) {
		for _, name := range regexp.MustCompile(`MPI_(\w+)`).FindAllStringSubmatch(m[1], -1) {
			names = append(names, name[1])
		}
	}
	return names
}
