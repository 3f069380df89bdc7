package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A checkout may be in a folder whose name has a blank.
func TestBlanksInTheNameOfTheTree(t *testing.T) {
	t.Chdir(t.TempDir()) // whose name may have one too
	tree := "a tree"
	require.NoError(t, os.MkdirAll(filepath.Join(tree, "bin"), 0o700))
	for range 2 { // runs
		s := settings{work: ".", bin: filepath.Join(tree, "bin")}
		require.NoError(t, s.withoutBlanks())
		assert.NotContains(t, s.bin, " ")
		link, err := os.Readlink("tree")
		assert.NoError(t, err)
		assert.Equal(t, tree, link)
	}
	s := settings{work: tree, bin: "/usr/bin"}
	assert.ErrorContains(t, s.withoutBlanks(), "WORK=")
}
