package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// go doc of a type that is another package's by an alias shows neither fields nor values. Class is one, so that errors.Is works in all
// layers; its values stand beside it.
func TestGoDocShowsTypes(t *testing.T) {
	files, err := filepath.Glob("../mpi/*.go")
	require.NoError(t, err)
	types := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.IsExported() {
				types++
				_, elsewhere := spec.Type.(*ast.SelectorExpr)
				assert.False(t, elsewhere && spec.Assign.IsValid() && spec.Name.Name != "Class", "%s: %s", name, spec.Name)
			}
			return true
		})
	}
	assert.Greater(t, types, 20)
}

// What a program begins with has an example that documentation shows.
func TestMainFunctionsHaveExamples(t *testing.T) {
	files, err := filepath.Glob("../mpi/*example_test.go")
	require.NoError(t, err)
	var source strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		source.Write(text)
	}
	for _, name := range []string{
		"Run", "RunLocal", "Must", "Send", "Recv", "Irecv", "SendrecvValue", "RecvSlice", "WaitAny", "Comm_Messages", "SendObject",
		"Bcast", "Scatter", "ReduceValue", "Allreduce", "AllreduceValue", "AllgatherSlices", "AlltoallSlices",
		"Comm_Split", "Comm_CartCreate", "Comm_WithContext", "Comm_Shrink", "WinCreate", "OpenFile",
	} {
		assert.Contains(t, source.String(), "\nfunc Example"+name+"()")
	}
}

// The way that works comes first: what a reader types from top to bottom ends with a program that runs, also before the module is published.
func TestReadmeBeginsWithTheClone(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	replace, get := strings.Index(string(text), "go mod edit -replace"), strings.Index(string(text), "go get github.com")
	assert.Positive(t, replace)
	assert.Less(t, replace, get)
	assert.Contains(t, string(text), "The module is not published yet")
}
