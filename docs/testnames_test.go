package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Scripts, pages and tests name tests, some in lists of what is to be run. A name that is none, since the test has got another
// one, would leave it out without a word.
func TestNamedTestsExist(t *testing.T) {
	declared := make(map[string]map[string]bool) // functions whose names begin as a test's does, by folder
	var named []mention
	files(t, func(name string) {
		switch {
		case strings.HasSuffix(name, ".go"):
			d, m := testsOf(t, name)
			if folder := path.Dir(name); declared[folder] == nil {
				declared[folder] = make(map[string]bool)
			}
			for _, f := range d {
				declared[path.Dir(name)][f] = true
			}
			named = append(named, m...)
		case name == "Makefile", strings.HasPrefix(name, ".ci/"), strings.HasSuffix(name, ".md"):
			text, err := fs.ReadFile(repository, name)
			require.NoError(t, err)
			named = append(named, mentions(string(text), name, "")...)
		}
	})
	assert.Greater(t, len(named), 30, "names of tests")
	for _, m := range named {
		assert.True(t, m.exists(declared), "%s names %s: there is no such test; has it got another name?", m.file, m.name)
	}
}

// mention is a name of a test, or a beginning of one such as TestRandom(Programs|Collectives), in a file. Folder, unless empty,
// is where it must be.
type mention struct {
	file, folder, name string
	beginning          bool
}

func (m mention) exists(declared map[string]map[string]bool) bool {
	for folder, names := range declared {
		if m.folder != "" && m.folder != folder {
			continue
		}
		for name := range names {
			if name == m.name || m.beginning && strings.HasPrefix(name, m.name) {
				return true
			}
		}
	}
	return false
}

var testName = regexp.MustCompile(`\bTest[A-Z]\w*[(\[.]?`)

// mentions are the names in a text.
func mentions(text, file, folder string) (all []mention) {
	for _, at := range testName.FindAllStringIndex(text, -1) {
		name := text[at[0]:at[1]]
		m := mention{file, folder, strings.TrimRight(name, "([."), strings.HasSuffix(name, "(") || strings.HasSuffix(name, "[")}
		m.beginning = m.beginning || strings.HasPrefix(text[at[0]+len(m.name):], ".*")
		all = append(all, m)
	}
	return all
}

// testsOf returns what a file of Go declares whose name begins as a test's does, and which tests it names: in lists of names,
// which are for tests of the same folder, and in commands that run tests.
func testsOf(t *testing.T, name string) (declared []string, named []mention) {
	parsed, err := parser.ParseFile(token.NewFileSet(), path.Join("..", name), nil, parser.SkipObjectResolution|parser.ParseComments)
	require.NoError(t, err)
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if strings.HasPrefix(n.Name.Name, "Test") {
				declared = append(declared, n.Name.Name)
			}
		case *ast.CompositeLit:
			for _, element := range n.Elts {
				if list, is := n.Type.(*ast.ArrayType); !is || !isString(list.Elt) {
					break
				}
				if text, is := literal(element); is && testName.FindString(text) == text && text != "" {
					named = append(named, mentions(text, name, path.Dir(name))...)
				}
			}
		case *ast.BasicLit:
			if text, is := literal(n); is && runsTests.MatchString(text) {
				named = append(named, mentions(text, name, "")...)
			}
		case *ast.Comment:
			for line := range strings.Lines(n.Text) {
				if runsTests.MatchString(line) {
					named = append(named, mentions(line, name, "")...)
				}
			}
		}
		return true
	})
	return declared, named
}

var runsTests = regexp.MustCompile(`-(test\.)?run[ =]`)

func isString(e ast.Expr) bool {
	name, is := e.(*ast.Ident)
	return is && name.Name == "string"
}

func literal(e ast.Expr) (string, bool) {
	l, is := e.(*ast.BasicLit)
	if !is || l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil
}

// files calls do for each file of the repository.
func files(t *testing.T, do func(name string)) {
	require.NoError(t, fs.WalkDir(repository, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == ".git" && d.IsDir() {
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() {
			do(name)
		}
		return err
	}))
}
