package hostmem

import (
	"math"
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
		room  int64
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
		"a full group": {"0::/\n", map[string]string{"memory.max": "100\n", "memory.current": "120\n"}, -20},
	} {
		root := t.TempDir()
		for path, text := range c.files {
			path = filepath.Join(root, "groups", path)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		}
		own := filepath.Join(root, "cgroup")
		require.NoError(t, os.WriteFile(own, []byte(c.own), 0o600))
		bytes, where := roomIn("", own, filepath.Join(root, "groups"))
		assert.Equal(t, c.room, bytes, name)
		assert.Contains(t, where, "control group /", name)
	}
}

func TestNoControlGroups(t *testing.T) {
	root := t.TempDir()
	own := filepath.Join(root, "cgroup")
	for _, text := range []string{"", "0::/a\n", "garbage\n", "4:memory:/../..\n", "4:cpu:/\n"} {
		require.NoError(t, os.WriteFile(own, []byte(text), 0o600))
		bytes, where := roomIn("", own, root)
		assert.Equal(t, int64(math.MaxInt64), bytes, text)
		assert.Equal(t, "this host", where)
	}
}

func TestRoomOfTheHost(t *testing.T) {
	system := filepath.Join(t.TempDir(), "meminfo")
	for text, room := range map[string]int64{
		"MemTotal: 9 kB\nMemAvailable: 5 kB\nSwapFree: 2 kB\n": 7 << 10,
		"MemAvailable: 0 kB\n":                                 0,
		"SwapFree: 2 kB\n":                                     math.MaxInt64, // of an old Linux
		"MemAvailable: many\n":                                 math.MaxInt64,
		"":                                                     math.MaxInt64,
	} {
		require.NoError(t, os.WriteFile(system, []byte(text), 0o600))
		bytes, where := roomIn(system, "", "")
		assert.Equal(t, room, bytes, text)
		assert.Equal(t, "this host", where)
	}
}
