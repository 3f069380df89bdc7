package process

import (
	"bufio"
	"bytes"
	"os"
	"path"
	"strconv"
	"strings"
)

// resources are those of this host that bound the number of ranks.
func resources() []resource {
	all := []resource{descriptors(maxDescriptors())}
	for _, limit := range []string{"/proc/sys/kernel/pid_max", "/proc/sys/kernel/threads-max"} {
		if n, ok := readNumber(limit); ok {
			all = append(all, tasks(n, limit))
		}
	}
	if left, file := groupLeft("pids", "pids.max", "pids.max", "pids.current"); file != "" {
		all = append(all, tasks(left, file))
	}
	left := unlimited
	if free, ok := availableMemory(); ok {
		left = free
	}
	// What the group uses counts the page cache too, which would give way.
	group, _ := groupLeft("memory", "memory.max", "memory.limit_in_bytes", "")
	if left = min(left, group); left != unlimited {
		all = append(all, memory(left))
	}
	return all
}

// readNumber reads a file that holds a number.
func readNumber(file string) (uint64, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64)
	return n, err == nil
}

// availableMemory is what the system says can still be used, swap included, in bytes.
func availableMemory() (uint64, bool) {
	file, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	defer file.Close()
	var sum uint64
	var known bool
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 2 || fields[0] != "MemAvailable:" && fields[0] != "SwapFree:" {
			continue
		}
		if n, err := strconv.ParseUint(fields[1], 10, 64); err == nil {
			sum += n << 10
			known = known || fields[0] == "MemAvailable:"
		}
	}
	return sum, known
}

// groupLeft is what the control groups of this process leave of what a controller limits, and the file with the
// tightest limit, none if there is no limit. The limit is in a file whose name differs between the versions 2 and 1 of
// control groups; usage is the file with what is taken, none if that does not count.
func groupLeft(controller, limit2, limit1, usage string) (left uint64, file string) {
	left = unlimited
	text, _ := os.ReadFile("/proc/self/cgroup")
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) < 3 {
			continue
		}
		root, limit := "/sys/fs/cgroup", limit2
		switch fields[1] {
		case "":
		case controller:
			root, limit = path.Join(root, controller), limit1
		default:
			continue
		}
		for group := fields[2]; ; group = path.Dir(group) {
			dir := path.Join(root, group)
			most, limited := readNumber(path.Join(dir, limit))
			used := uint64(0)
			if usage != "" {
				used, _ = readNumber(path.Join(dir, usage))
			}
			if limited && most-min(most, used) < left {
				left, file = most-min(most, used), path.Join(dir, limit)
			}
			if group == "/" || group == "." {
				break
			}
		}
	}
	return left, file
}
