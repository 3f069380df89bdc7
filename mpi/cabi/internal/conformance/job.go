package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// mostOutput is how much of a job's output is kept, in bytes.
	mostOutput = 1 << 20

	// patience is how much longer than its limit a launcher may take, which itself ends the job at the limit.
	patience = 10 * time.Second

	// timeoutStatus is mpirun's exit status if a job has not ended within its limit.
	timeoutStatus = 124
)

// outcome is what became of a job.
type outcome struct {
	output   string // both streams
	status   int    // of the launcher, −1 if a signal ended it
	timedOut bool
	took     time.Duration
}

// runJob runs a command in a folder until it ends, or kills it when the limit is well over. No process of it is left
// behind, nor any other child of this process.
func runJob(ctx context.Context, folder string, env, command []string, limit time.Duration) (outcome, error) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return outcome{}, fmt.Errorf("prctl: %w", err)
	}
	var output head
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Dir, c.Env = folder, env
	c.Stdout, c.Stderr = &output, &output
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = patience
	begun := time.Now()
	if err := c.Start(); err != nil {
		return outcome{}, err
	}
	killed := atomic.Bool{}
	timer := time.AfterFunc(limit+patience, func() {
		killed.Store(true)
		_ = c.Process.Kill()
	})
	_ = c.Wait() // the state says all
	timer.Stop()
	killChildren()
	if err := ctx.Err(); err != nil {
		return outcome{}, errors.New("interrupted")
	}
	o := outcome{output: output.String(), status: c.ProcessState.ExitCode(), took: time.Since(begun)}
	// Hydra has no status for it, but takes as long as it takes.
	o.timedOut = killed.Load() || o.status == timeoutStatus || o.status != 0 && o.took > limit
	return o, nil
}

// killChildren kills all children of this process, and theirs: a process whose parent has ended is a child of the subreaper
// above it, which this process is.
func killChildren() {
	for {
		left := children(os.Getpid())
		if len(left) == 0 {
			return
		}
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			_, _ = syscall.Wait4(pid, nil, 0, nil)
		}
	}
}

// children are the processes whose parent a process is.
func children(parent int) (pids []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// The name, in parentheses, may have any character in it. Behind it are the state and the parent.
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// head keeps the beginning of what is written into it.
type head struct{ strings.Builder }

var _ io.Writer = (*head)(nil)

func (h *head) Write(p []byte) (int, error) {
	if room := mostOutput - h.Len(); room > 0 {
		h.Builder.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
