// Package docs holds no code: this test keeps the code true to the layers
// that the documentation describes.
package docs

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/sctpmpi/sctpmpi/"

// lab is where tests of all layers may run. It knows none of them.
const lab = "internal/netem/lab"

// layers says which packages of the module each folder may import, beside
// what is below itself. The most specific line counts.
var layers = map[string][]string{
	"cmd": {"mpi", "matching", "sctprpi", "tcprpi", "internal"},
	"mpi": {"matching", "sctprpi", "tcprpi", "internal/hang", "internal/pmi", "internal/hostmem"},
	// Jobs in virtual time, for tests: it gives the face a transport of its own.
	"mpi/simtest": {"mpi", "mpi/internal/core/startup", "mpi/rpi", "sctprpi"},
	// A library over the public API, as users would write it.
	"mpi/farm": {"mpi"},
	// MPI below the faces. It gets its transports from the face that starts it.
	"mpi/internal/core":        {"matching", "mpi/rpi", "internal/hang", "internal/stats", "internal/trace", "internal/pmi", "internal/hostmem", "internal/signals"},
	"mpi/internal/core/mpierr": {"mpi/rpi"},
	// The face for C programs.
	"mpi/cabi":                     {"mpi/internal/core", "mpi/rpi", "internal/pmi", "internal/signals"},
	"mpi/internal/core/startup":    {"mpi/rpi", "internal/pmi", "mpi/internal/core/mpierr"},
	"mpi/internal/core/transports": {"mpi/rpi", "mpi/internal/core/startup", "sctprpi", "tcprpi"},
	"mpi/rpi":                      {"matching"},
	// What is on the wire, and nothing of how it gets there.
	"internal/header": {"matching"},
	// How long waits spin: it knows neither the network nor who waits.
	"mpi/rpi/driver/internal/spin": {"mpi/rpi"},
	// What carries messages stands on the semantics of messages, not the other way round.
	"mpi/rpi/progression": {"matching", "mpi/rpi", "internal/header", "internal/operations"},
	"mpi/rpi/links":       {"matching", "mpi/rpi", "internal/shm"},
	"internal/operations": {"matching", "mpi/rpi", "internal/header"},
	"internal/trc":        {"matching", "mpi/rpi", "internal/header", "internal/operations"},
	"internal/shm":        {"matching", "mpi/rpi", "internal/header"},
	// What collective operations do, as data.
	"mpi/internal/core/schedule": {},
	"mpi/internal/core/datatype": {},
	// How ranks agree though some die.
	"mpi/internal/core/agree": {},
	// What processes do about the deaths of others.
	"mpi/internal/core/failure": {"mpi/internal/core/agree", "mpi/internal/core/group", "mpi/internal/core/mpierr", "mpi/rpi", "matching"},
	// Who is whose neighbour.
	"mpi/internal/core/topology": {"mpi/internal/core/mpierr", "mpi/rpi"},
	// What programs attach to objects, and their hints.
	"mpi/internal/core/attribute": {},
	"mpi/internal/core/info":      {"mpi/rpi", "mpi/internal/core/mpierr"},
	// Sets of processes.
	"mpi/internal/core/group": {"mpi/rpi", "matching", "mpi/internal/core/mpierr"},
	// Files, which see of communicators only a small interface.
	"mpi/internal/core/file": {"mpi/internal/core/mpierr", "mpi/internal/core/datatype", "mpi/rpi"},
	// How they are carried out.
	"mpi/internal/core/collective": {"mpi/internal/core/mpierr", "mpi/internal/core/near", "mpi/internal/core/schedule", "mpi/rpi", "matching"},
	// Short ones, in memory that ranks share: what is there, and nothing of how ranks wait for it.
	"mpi/internal/core/near": {"mpi/internal/core/schedule"},
	// What reductions do with two vectors.
	"mpi/internal/core/combine": {"mpi/internal/core/collective", "mpi/internal/core/datatype"},
	// One-sided operations.
	"mpi/internal/core/window": {
		"mpi/internal/core/collective", "mpi/internal/core/datatype", "mpi/internal/core/mpierr", "internal/hostmem", "mpi/rpi", "matching",
	},
	// Keys and records for all transports.
	"mpi/rpi/seal":      {},
	"mpi/rpi/monitor":   {"mpi/rpi", "matching"},
	"internal/unproven": {},
	// Memory between processes, without what it means to MPI.
	"internal/shm/internal/ring": {},
	"internal/hang":              {"internal/terminal"},
	"internal/terminal":          {},
	"internal/stats":             {"internal/hang"},
	"internal/trace":             {},
	"internal/trace/tracetest":   {},
	"internal/pmi":               {"internal/signals", "internal/terminal"},
	"internal/signals":           {},
	"matching":                   {},
	"sctprpi":                    {"mpi/rpi", "matching", "internal/header", "internal/trc"},
	"sctprpi/socket":             {},
	"sctprpi/internal":           {"sctprpi/socket"},
	// What the transports over SCTP share. The socket's implementations do not know it.
	"sctprpi/internal/associations": {"mpi/rpi", "matching", "sctprpi/socket", "sctprpi/engine", "sctprpi/internal/handshake", "sctprpi/internal/guard", "sctprpi/internal/record"},
	// It seals for a socket of the engine, and knows nothing of it.
	"sctprpi/internal/guard":     {"mpi/rpi/seal", "sctprpi/socket", "sctprpi/internal/budget"},
	"sctprpi/internal/record":    {"mpi/rpi/seal", "sctprpi/socket"},
	"sctprpi/internal/handshake": {"matching", "mpi/rpi/seal", "sctprpi/internal/record", "sctprpi/socket"},
	"sctprpi/internal/handshake/handshaketest": {
		"matching", "mpi/rpi/seal", "sctprpi/engine", "sctprpi/internal/handshake", "sctprpi/socket",
	},
	// For the tests of both transports.
	"sctprpi/internal/simulation": {
		"mpi/rpi", "matching", "sctprpi/engine/enginetest", "sctprpi/internal/associations", "sctprpi/socket",
	},
	"sctprpi/kernel": {"sctprpi/socket", "sctprpi/internal/looping", "sctprpi/internal/backlog"},
	// The tests of the stacks together: nothing of the product imports them.
	"sctprpi/internal/interop": {
		"sctprpi/socket", "sctprpi/kernel", "sctprpi/engine", "internal/netem", "sctprpi/internal/sockettest", "sctprpi/internal/capturetest",
	},
	"sctprpi/internal/interop/transport": {"mpi", "sctprpi", "matching", "internal/netem"},
	"sctprpi/engine": {
		"sctprpi/socket", "sctprpi/internal/looping", "sctprpi/internal/sockettest", "sctprpi/internal/capturetest",
	},
	// The engine's protocol half and its I/O half do not know each other.
	"sctprpi/engine/internal/wire":      {"sctprpi/socket"},
	"sctprpi/internal/freelist":         {},
	"sctprpi/engine/internal/list":      {},
	"sctprpi/engine/internal/heaptest":  {},
	"sctprpi/engine/internal/packet":    {"sctprpi/engine/internal/wire"},
	"sctprpi/engine/internal/cookie":    {"sctprpi/engine/internal/wire"},
	"sctprpi/engine/internal/simnet":    {},
	"sctprpi/engine/internal/admission": {"sctprpi/internal/budget", "sctprpi/engine/internal/packet", "sctprpi/engine/internal/wire"},
	"sctprpi/engine/capture":            {"sctprpi/engine/internal/wire", "sctprpi/internal/capturetest"},
	"sctprpi/engine/internal/udp":       {"sctprpi/socket", "sctprpi/engine/internal/packet", "sctprpi/engine/internal/wire"},
	"sctprpi/engine/internal/assoc": {
		"sctprpi/socket", "sctprpi/engine/internal/wire", "sctprpi/engine/internal/packet", "sctprpi/engine/internal/cookie",
		"sctprpi/engine/internal/simnet", "sctprpi/internal/freelist", "sctprpi/engine/internal/list",
		"sctprpi/engine/internal/heaptest",
	},
	"sctprpi/engine/internal/endpoint": {
		"sctprpi/socket", "sctprpi/engine/internal/wire", "sctprpi/engine/internal/packet", "sctprpi/engine/internal/cookie",
		"sctprpi/engine/internal/simnet", "sctprpi/engine/internal/assoc", "sctprpi/engine/internal/list", "sctprpi/internal/backlog",
		"sctprpi/engine/internal/heaptest", "sctprpi/engine/internal/admission",
	},
	"sctprpi/engine/enginetest":  {"sctprpi/socket", "sctprpi/engine", "sctprpi/internal/looping"},
	"tcprpi":                     {"mpi/rpi", "matching", "internal/header", "internal/trc", "internal/unproven"},
	"internal/netem":             {},
	"internal/netem/lab":         {},
	"internal/netem/lab/labtest": {"internal/netem"},
	"docs":                       {"mpi/rpi"},
	// What processes of one host share. These know nothing of messages, nor of each other.
	"internal/shm/internal/meeting": {"internal/hostmem"},
	"internal/hostmem":              {},
	"internal/shm/internal/onecopy": {},
}

// inTests says what the tests of a folder may import besides.
var inTests = map[string][]string{
	"sctprpi/internal/associations": {"sctprpi/engine", "sctprpi/internal/sockettest"},
	"internal/shm":                  {"sctprpi", "tcprpi"},
	"mpi":                           {"internal/trace"},
}

// public are the packages that other modules can import. Few are for programs; the first paragraph of
// each one's comment says whether it is. What is for this module alone belongs into an internal folder. A new one is a decision: 20 are enough.
var public = []string{
	"matching", "mpi", "mpi/farm", "mpi/rpi", "mpi/rpi/driver", "mpi/rpi/links", "mpi/rpi/monitor", "mpi/rpi/progression", "mpi/rpi/rpitest",
	"mpi/rpi/seal", "mpi/simtest", "sctprpi", "sctprpi/pertrc", "sctprpi/engine", "sctprpi/engine/capture", "sctprpi/engine/enginetest", "sctprpi/kernel",
	"sctprpi/socket", "tcprpi/perpair", "tcprpi/pertrc",
}

// TestPublicPackagesNameTheirUsers checks that there are no others, too.
func TestPublicPackagesNameTheirUsers(t *testing.T) {
	comments := make(map[string]string)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && slices.Contains([]string{"internal", "testdata", "cmd", ".git"}, d.Name()) {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		if parsed.Name.Name != "main" { // which nothing imports
			folder := filepath.ToSlash(filepath.Dir(path))[len("../"):]
			comments[folder] += parsed.Doc.Text()
		}
		return nil
	})
	require.NoError(t, err)
	require.ElementsMatch(t, public, slices.Collect(maps.Keys(comments)))
	for folder, comment := range comments {
		first, _, _ := strings.Cut(comment, "\n\n")
		assert.Regexp(t, `\b[Pp]rograms?\b`, first, folder)
	}
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
				assert.True(t, allowed(folder, imported) || strings.HasSuffix(path, "_test.go") && allowedInTests(folder, imported),
					"%s imports %s, which is not below it", path, imported)
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

// allowedInTests reports whether the tests of a package in folder may import another all the same.
func allowedInTests(folder, imported string) bool {
	return within(imported, lab) || slices.ContainsFunc(inTests[folder], func(b string) bool { return within(imported, b) })
}

func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}
