//go:build unix

package file

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The hidden file of the shared pointer is made by the first rank, and opened by the others. A link in its place is not followed, as another
// user may have laid it.
func TestHiddenFileIsNoLink(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, ".data.shared")
	for range 2 {
		f, err := openHidden(name)
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	aim := filepath.Join(folder, "precious")
	require.NoError(t, os.WriteFile(aim, nil, 0o600))
	for what, lay := range map[string]func(at string) error{
		"a link":            func(at string) error { return os.Symlink(aim, at) },
		"a link to nothing": func(at string) error { return os.Symlink(filepath.Join(folder, "none"), at) },
		"a pipe":            func(at string) error { return syscall.Mkfifo(at, 0o600) },
	} {
		at := filepath.Join(folder, what)
		require.NoError(t, lay(at))
		_, err := openHidden(at)
		assert.Error(t, err, what)
	}
	_, err := os.Lstat(filepath.Join(folder, "none"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}
