package meeting

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRoomInControlGroups(t *testing.T) {
	for name, c := range map[string]struct {
		own   string
		files map[string]string
		room  int
	}{
		"version 2": {"0::/a/b\n", map[string]string{
			"a/b/memory.max": "1000\n", "a/b/memory.current": "900\n", "a/b/memory.stat": "anon 5\ninactive_file 300\nfile 800\n",
		}, 400},
		"version 2, a group above": {"0::/a/b\n", map[string]string{
			"a/b/memory.max": "max\n", "a/b/memory.current": "900\n", "a/memory.max": "2000", "a/memory.current": "1500",
		}, 500},
		"version 2 in a container": {"0::/\n", map[string]string{"memory.max": "100\n", "memory.current": "10\n"}, 90},
		"version 1": {"7:cpu:/x\n4:hugetlb,memory:/a\n", map[string]string{
			"memory/a/memory.limit_in_bytes": "1000\n", "memory/a/memory.usage_in_bytes": "300\n",
			"memory/a/memory.stat":         "inactive_file 1\ntotal_inactive_file 100\n",
			"memory/memory.limit_in_bytes": "9223372036854771712\n", "memory/memory.usage_in_bytes": "300\n",
		}, 800},
		"version 1, a path outside of the container": {"4:memory:/docker/0123\n", map[string]string{
			"memory/memory.limit_in_bytes": "1000\n", "memory/memory.usage_in_bytes": "1\n",
		}, 999},
		"a full group": {"0::/\n", map[string]string{"memory.max": "100\n", "memory.current": "120\n"}, 0},
	} {
		root := t.TempDir()
		for path, text := range c.files {
			path = filepath.Join(root, "groups", path)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		}
		own := filepath.Join(root, "cgroup")
		require.NoError(t, os.WriteFile(own, []byte(c.own), 0o600))
		check := func(size int) error { return checkRoom(own, filepath.Join(root, "groups"), size) }
		if c.room > 0 {
			assert.NoError(t, check(c.room), name)
		}
		assert.ErrorIs(t, check(c.room+1), ErrNoMemory, name)
	}
}

func TestNoControlGroups(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, checkRoom(filepath.Join(root, "none"), root, 1<<30))
	own := filepath.Join(root, "cgroup")
	for _, text := range []string{"", "0::/a\n", "garbage\n", "4:memory:/../..\n", "4:cpu:/\n"} {
		require.NoError(t, os.WriteFile(own, []byte(text), 0o600))
		require.NoError(t, checkRoom(own, root, 1<<30), text)
	}
}
