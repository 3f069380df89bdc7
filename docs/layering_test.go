// Package docs holds no code: this test keeps the code true to the layers
// that the documentation describes.
package docs

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/sctpmpi/sctpmpi/"

// layers says which packages of the module each folder may import, beside
// what is below itself. The most specific line counts.
var layers = map[string][]string{
	"internal":       {},
	"cmd":            {"mpi", "matching", "sctprpi", "tcprpi", "netem", "internal/hang"},
	"mpi":            {"matching", "sctprpi", "tcprpi", "internal/thread", "internal/hang"},
	"mpi/rpi":        {"matching"},
	"mpi/pmi":        {},
	"matching":       {},
	"sctprpi":        {"mpi/rpi", "matching"},
	"sctprpi/socket": {},
	"sctprpi/kernel": {"sctprpi/socket"},
	// Its tests run in the lab, and against the engine.
	"sctprpi/kernel/kerneltest": {"sctprpi/kernel", "netem"},
	"sctprpi/kernel/rpi":        {"mpi", "sctprpi", "matching"},
	"sctprpi/kernel/interop":    {"sctprpi/socket", "sctprpi/kernel", "sctprpi/engine", "netem"},
	"sctprpi/engine":            {"sctprpi/socket"},
	// The engine's protocol half and its I/O half do not know each other.
	"sctprpi/engine/wire":    {},
	"sctprpi/engine/packet":  {"sctprpi/engine/wire"},
	"sctprpi/engine/cookie":  {"sctprpi/engine/wire"},
	"sctprpi/engine/simnet":  {},
	"sctprpi/engine/capture": {"sctprpi/engine/wire"},
	"sctprpi/engine/udp":     {"sctprpi/engine/packet", "sctprpi/engine/wire", "internal/thread"},
	"sctprpi/engine/assoc": {
		"sctprpi/socket", "sctprpi/engine/wire", "sctprpi/engine/packet", "sctprpi/engine/cookie",
		"sctprpi/engine/simnet",
	},
	"sctprpi/engine/endpoint": {
		"sctprpi/socket", "sctprpi/engine/wire", "sctprpi/engine/packet", "sctprpi/engine/cookie",
		"sctprpi/engine/simnet", "sctprpi/engine/assoc",
	},
	"sctprpi/engine/simsocket": {
		"sctprpi/socket", "sctprpi/engine/packet", "sctprpi/engine/simnet", "sctprpi/engine/endpoint",
	},
	"sctprpi/engine/impaired": {"sctprpi/socket", "sctprpi/engine", "sctprpi/engine/packet"},
	"tcprpi":                  {"mpi/rpi", "matching", "internal/thread"},
	"netem":                   {},
	// The lab serves tests of all layers and knows none of them.
	"netem/lab": {},
	"docs":      {"mpi/rpi/variable"},
}

// TestImportsGoDown checks that no package imports one above or beside it.
func TestImportsGoDown(t *testing.T) {
	files := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		folder := filepath.ToSlash(filepath.Dir(path))[len("../"):]
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files++
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if imported, ours := strings.CutPrefix(imported, module); ours {
				assert.True(t, allowed(folder, imported), "%s imports %s, which is not below it", path, imported)
			}
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, files, 10, "the walk has missed the code")
}

// allowed reports whether a package in folder may import another.
func allowed(folder, imported string) bool {
	layer := folder
	for {
		below, listed := layers[layer]
		if listed {
			for _, b := range append(below, layer) {
				if within(imported, b) {
					return true
				}
			}
			return false
		}
		i := strings.LastIndexByte(layer, '/')
		if i < 0 {
			return false
		}
		layer = layer[:i]
	}
}

func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}
