package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sctpmpi/sctpmpi/mpi/rpi"
)

// Every variable that the code names is one that a user's typing errors are compared with.
func TestEveryVariableIsKnown(t *testing.T) {
	names := regexp.MustCompile(`"SCTPMPI_[A-Z_]*[A-Z]"`)
	found := 0
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, name := range names.FindAllString(string(source), -1) {
			assert.Empty(t, rpi.MistakenVariables([]string{strings.Trim(name, `"`) + "=x"}), path)
			found++
		}
		return err
	})
	require.NoError(t, err)
	assert.NotZero(t, found)
}
