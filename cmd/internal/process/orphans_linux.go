package process

import (
	"bytes"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// AdoptOrphans makes this process the parent of what its descendants leave behind, daemons that have escaped from their
// process group above all, so that they too end with the job. It has to be able to find them in /proc.
func AdoptOrphans() {
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

// ReapOrphans takes leave of adopted children that have died: of all children that are not kept. It must not be called while
// processes are being started.
func ReapOrphans(keep func(pid int) bool) {
	for _, pid := range children() {
		if !keep(pid) {
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil)
		}
	}
}

// KillOrphans kills all children, of which no rank is one any more, and theirs as they are adopted.
func KillOrphans(limit time.Duration) {
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
