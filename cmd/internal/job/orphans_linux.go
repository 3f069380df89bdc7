package job

import (
	"bytes"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// adoptOrphans makes this process the parent of what its descendants leave behind, daemons that have escaped from their
// rank's process group above all, so that they too end with the job. It has to be able to find them in /proc.
func adoptOrphans() {
	if _, err := os.Stat("/proc/thread-self/children"); err != nil {
		return
	}
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) // an old kernel: orphans are init's
}

// children returns the process ids of this process's children. Dead children that have not been waited for are
// among them.
func children() []int {
	var pids []int
	files, _ := filepath.Glob("/proc/self/task/*/children")
	for _, file := range files {
		text, _ := os.ReadFile(file) // a thread may have ended
		for field := range bytes.FieldsSeq(text) {
			if pid, err := strconv.Atoi(string(field)); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

// reapOrphans takes leave of adopted children that have died, once it is known which children are ranks.
func (j *job) reapOrphans() {
	if j.starting {
		return
	}
	ranks := make(map[int]bool, len(j.ranks))
	for r := range j.processes {
		ranks[r.command.Process.Pid] = true
	}
	for _, pid := range children() {
		if !ranks[pid] {
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil)
		}
	}
}

// killOrphans kills all children, of which no rank is one any more, and theirs as they are adopted.
func killOrphans(limit time.Duration) {
	died := make(chan os.Signal, 1)
	signal.Notify(died, unix.SIGCHLD)
	defer signal.Stop(died)
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		left := false
		for _, pid := range children() {
			_ = unix.Kill(pid, unix.SIGKILL)
			if reaped, err := unix.Wait4(pid, nil, unix.WNOHANG, nil); err != nil || reaped != pid {
				left = true
			}
		}
		if !left && len(children()) == 0 {
			return
		}
		select {
		case <-died:
		case <-timer.C:
			return
		}
	}
}
