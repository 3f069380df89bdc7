package docs

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what the code says into architecture.md or mpi-coverage.md")

// The way of one short message, down and up, in architecture.md is what a program that sends one
// really calls. The test compiles that program, testdata/way, with a statement at the beginning of
// each function of the library that notes the call and its end. To bring the page up to date:
//
//	go test ./docs -run TestTheWayOfOneMessage -update
func TestTheWayOfOneMessage(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the library once more")
	}
	overlay := traced(t, "matching", "mpi", "sctprpi")
	out, err := exec.Command("go", "run", "-overlay", overlay, "./testdata/way").Output()
	if exit, failed := err.(*exec.ExitError); failed {
		require.NoError(t, err, string(exit.Stderr))
	}
	require.NoError(t, err)

	const begin, end = "<!-- way: written by way_test.go -->\n", "<!-- end of way -->\n"
	page, err := os.ReadFile("architecture.md")
	require.NoError(t, err)
	before, rest, found := bytes.Cut(page, []byte(begin))
	require.True(t, found)
	shown, after, found := bytes.Cut(rest, []byte(end))
	require.True(t, found)
	if *update {
		all := bytes.Join([][]byte{before, []byte(begin), out, []byte(end), after}, nil)
		require.NoError(t, os.WriteFile("architecture.md", all, 0o644))
		return
	}
	require.Equal(t, string(out), string(shown), "architecture.md shows another way; see the comment of this test")
}

// traced writes copies of some folders' files that note each call, and returns an overlay for the
// go command that puts them in the place of the files.
func traced(t *testing.T, folders ...string) (overlay string) {
	dir := t.TempDir()
	replace := make(map[string]string)
	put := func(path string, content []byte) {
		copied := filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		require.NoError(t, os.WriteFile(copied, content, 0o600))
		replace[path] = copied
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	tracer, err := os.ReadFile("testdata/way/calls/calls.go")
	require.NoError(t, err)
	put(filepath.Join(root, "docs/testdata/way/calls/calls.go"), tracer)
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			name, err := filepath.Rel(root, path)
			require.NoError(t, err)
			if content, changed := trace(t, path, filepath.ToSlash(name)); changed {
				put(path, content)
			}
			return nil
		})
		require.NoError(t, err)
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	overlay = filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(overlay, b, 0o600))
	return overlay
}

// trace returns the content of a file in which each function notes its call, with the file's name.
func trace(t *testing.T, path, name string) (content []byte, changed bool) {
	source, err := os.ReadFile(path)
	require.NoError(t, err)
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	require.NoError(t, err)
	at := func(p token.Pos) int { return files.Position(p).Offset }
	from := 0
	add := func(to int, text string) {
		content = append(append(content, source[from:to]...), text...)
		from = to
	}
	add(at(parsed.Name.End()), "; import waycalls "+strconv.Quote(module+"docs/testdata/way/calls"))
	for _, d := range parsed.Decls {
		if f, is := d.(*ast.FuncDecl); is && f.Body != nil {
			changed = true
			add(at(f.Body.Lbrace)+1, fmt.Sprintf("defer waycalls.Enter(%q, %q)();", name, function(f)))
		}
	}
	return append(content, source[from:]...), changed
}

// function is the name of a function, with the type of its receiver.
func function(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	receiver := f.Recv.List[0].Type
	if star, is := receiver.(*ast.StarExpr); is {
		receiver = star.X
	}
	switch generic := receiver.(type) {
	case *ast.IndexExpr:
		receiver = generic.X
	case *ast.IndexListExpr:
		receiver = generic.X
	}
	return receiver.(*ast.Ident).Name + "." + f.Name.Name
}
