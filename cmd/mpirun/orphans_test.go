//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// leaveOrphans has mpirun adopt n processes that end at once, and waits until it has taken leave of all of them.
func leaveOrphans(args []string) int {
	n, _ := strconv.Atoi(args[0])
	for range n {
		// The shell ends at once and leaves a subshell behind, which prints its process id and ends.
		pid, err := exec.Command("/bin/sh", "-c", "(exec sh -c 'echo $$') &").Output()
		if err != nil {
			fmt.Println(err)
			return 99
		}
		orphan, _ := strconv.Atoi(strings.TrimSpace(string(pid)))
		for syscall.Kill(orphan, 0) == nil && isChildOfMpirun(orphan) {
			runtime.Gosched()
		}
	}
	return 0
}

// isChildOfMpirun tells the orphan from a later process with the same id.
func isChildOfMpirun(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	fields := strings.Fields(string(stat[strings.LastIndex(string(stat), ")")+1:]))
	return fields[1] == strconv.Itoa(os.Getppid())
}
