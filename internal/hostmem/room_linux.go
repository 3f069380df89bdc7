package hostmem

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// controller is how a version of control groups tells of memory: files of a group's folder, and a line of its
// memory.stat.
type controller struct{ folder, limit, usage, cache string }

var (
	version1 = controller{"memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}
	version2 = controller{"", "memory.max", "memory.current", "inactive_file"}
)

// Most is how many bytes this host has for all processes together, swap included. Linux may grant more, and ends processes when
// it is used.
func Most() int64 {
	var host unix.Sysinfo_t
	if unix.Sysinfo(&host) != nil {
		return AddressSpace
	}
	return min(AddressSpace, int64(host.Totalram+host.Totalswap)*int64(host.Unit))
}

// room is how many bytes this process may still take, and where no more are left: Linux would not refuse memory that is to be
// shared, but end a process. It is a look only: what others take at the same time it does not see.
func room() (bytes int64, where string) {
	return roomIn("/proc/meminfo", "/proc/self/cgroup", "/sys/fs/cgroup")
}

// roomIn reads what the system says of its memory, the control groups of the process, and the folder in which they are.
func roomIn(system, own, root string) (bytes int64, where string) {
	bytes, where = math.MaxInt64, "this host"
	if left, known := available(system); known {
		bytes = left
	}
	groups, _ := os.ReadFile(own) // there may be none
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
			if left, known := c.room(filepath.Join(root, c.folder, path)); known && left < bytes {
				bytes, where = left, "control group "+path
			}
			if path == "/" {
				break
			}
		}
	}
	return bytes, where
}

// available is what the system says can still be used, swap included, in bytes.
func available(system string) (bytes int64, known bool) {
	text, _ := os.ReadFile(system)
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] != "MemAvailable:" && fields[0] != "SwapFree:" {
			continue
		}
		if n, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
			bytes += n << 10
			known = known || fields[0] == "MemAvailable:"
		}
	}
	return bytes, known
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
