package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// enginePackages are where the tests are that engine-hostile-input.md names.
var enginePackages = map[string]string{
	"endpoint": "endpoint", "rx": "assoc/rx", "tx": "assoc/tx", "plpmtud": "assoc/plpmtud", "cookie": "cookie", "wire": "wire",
	"admission": "admission", "engine": "..",
}

// Every test that engine-hostile-input.md names exists, and every class has one.
func TestHostileInputIsTested(t *testing.T) {
	page, err := os.ReadFile("engine-hostile-input.md")
	require.NoError(t, err)
	tests := make(map[string]bool)
	for name, dir := range enginePackages {
		addTests(t, tests, name, filepath.Join("sctprpi/engine/internal", dir))
	}
	scenarios, err := filepath.Glob("../sctprpi/engine/internal/endpoint/testdata/scenarios/*.txt")
	require.NoError(t, err)
	for _, file := range scenarios {
		tests["endpoint.TestScenarios/"+strings.TrimSuffix(filepath.Base(file), ".txt")] = true
	}
	named := regexp.MustCompile("`([a-z]+\\.(?:Test|Fuzz)\\w+(?:/[a-z0-9-]+)?)`")
	for line := range strings.Lines(string(page)) {
		found := named.FindAllStringSubmatch(line, -1)
		for _, m := range found {
			assert.True(t, tests[m[1]], "there is no %s", m[1])
		}
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| class") && !strings.HasPrefix(line, "| ---") {
			assert.NotEmpty(t, found, "no test: %s", line)
		}
	}
}

// addTests notes the tests of the package in a folder.
func addTests(t *testing.T, tests map[string]bool, name, dir string) {
	files, err := filepath.Glob(filepath.Join("..", dir, "*_test.go"))
	require.NoError(t, err)
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllStringSubmatch(string(source), -1) {
			tests[name+"."+m[1]] = true
		}
	}
}

// securityPackages are where the tests are that security.md names.
var securityPackages = []string{
	"mpi/rpi/seal", "internal/unproven", "sctprpi", "sctprpi/engine", "sctprpi/internal/guard", "sctprpi/internal/record", "sctprpi/internal/handshake",
	"sctprpi/internal/associations", "sctprpi/internal/interop/transport", "sctprpi/engine/internal/endpoint", "sctprpi/engine/internal/admission", "tcprpi", "tcprpi/internal/handshake", "tcprpi/pertrc",
	"cmd/mpirun", "cmd/internal/proxy", "cmd/internal/frame", "cmd/internal/hosts", "cmd/internal/tunnel", "cmd/internal/secretfile", "cmd/internal/metrics", "internal/trace", "internal/pmi", "sctprpi/socket",
	"mpi/internal/core/startup", "mpi/internal/core/file", "internal/terminal", "internal/hang",
}

// Every test that security.md names exists.
func TestSecurityIsTested(t *testing.T) {
	page, err := os.ReadFile("security.md")
	require.NoError(t, err)
	tests := make(map[string]bool)
	for _, dir := range securityPackages {
		addTests(t, tests, filepath.Base(dir), dir)
	}
	found := regexp.MustCompile("`([a-z]+\\.(?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(string(page), -1)
	require.NotEmpty(t, found)
	for _, m := range found {
		assert.True(t, tests[m[1]], "there is no %s", m[1])
	}
}
