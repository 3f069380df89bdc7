//go:build unix

package secretfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A secret that others can read is none. A group may read one of another user's, as in a volume of Kubernetes.
func TestSecretThatOthersCanRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(file, []byte(strings.Repeat("s", 32)), 0o600))
	for mode, fine := range map[os.FileMode]bool{0o600: true, 0o400: true, 0o640: false, 0o644: false, 0o604: false, 0o620: false} {
		require.NoError(t, os.Chmod(file, mode))
		_, err := Read(file, 32, 4096)
		if fine {
			assert.NoError(t, err, "%o", mode)
		} else {
			assert.ErrorContains(t, err, "chmod 600 "+file, "%o", mode)
		}
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root: to give a file away")
	}
	require.NoError(t, os.Chown(file, 12345, 0))
	require.NoError(t, os.Chmod(file, 0o440))
	_, err := Read(file, 32, 4096)
	assert.NoError(t, err)
	require.NoError(t, os.Chmod(file, 0o444))
	_, err = Read(file, 32, 4096)
	assert.ErrorContains(t, err, "has the mode 0444")
}
