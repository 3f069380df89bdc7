package meeting

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// controller is how a version of control groups tells of memory: files of a group's folder, and a line of its
// memory.stat.
type controller struct{ folder, limit, usage, cache string }

var (
	version1 = controller{"memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}
	version2 = controller{"", "memory.max", "memory.current", "inactive_file"}
)

// checkRoom says if the memory control groups of this process have no room for a segment: Linux would not refuse
// the memory, but end a process of the group. It is a look only: what others take at the same time it does not see. Own is
// /proc/self/cgroup, root where the groups are.
func checkRoom(own, root string, size int) error {
	groups, err := os.ReadFile(own)
	if err != nil {
		return nil // there are none
	}
	for line := range strings.Lines(string(groups)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		c := version1
		if fields[1] == "" {
			c = version2
		} else if !slices.Contains(strings.Split(fields[1], ","), "memory") {
			continue
		}
		// Each group counts what is in those below it. In a container the path may be one outside of it.
		for path := filepath.Clean("/" + fields[2]); ; path = filepath.Dir(path) {
			if room, known := c.room(filepath.Join(root, c.folder, path)); known && room < int64(size) {
				return fmt.Errorf("%w for a segment of %d: %d", ErrNoMemory, size, max(0, room))
			}
			if path == "/" {
				break
			}
		}
	}
	return nil
}

// room is how many bytes a group may still take. Of what it has, files that it has not read for a while do not count.
func (c controller) room(group string) (bytes int64, known bool) {
	number := func(name string) (int64, bool) {
		text, err := os.ReadFile(filepath.Join(group, name))
		if err != nil {
			return 0, false
		}
		n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		return n, err == nil // "max" is no limit
	}
	limit, limited := number(c.limit)
	usage, used := number(c.usage)
	if !limited || !used {
		return 0, false
	}
	stat, _ := os.ReadFile(filepath.Join(group, "memory.stat"))
	for line := range strings.Lines(string(stat)) {
		if value, found := strings.CutPrefix(line, c.cache+" "); found {
			cache, _ := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			usage -= cache
		}
	}
	return limit - usage, true
}
