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
)

const (
	// mostOutput is how much of a job's output is kept, in bytes.
	mostOutput = 1 << 20

	// patience is how much longer than its limit a launcher may take, which itself ends the job at the limit.
	patience = 10 * time.Second

	// marker is the variable by which the processes of a job are found, even if their parents are gone.
	marker = "CONFORMANCE_JOB"

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

var jobs atomic.Int64

// runJob runs a command in a folder until it ends, or kills it when the limit is well over. No process of it is left
// behind.
func runJob(ctx context.Context, folder string, env, command []string, limit time.Duration) (outcome, error) {
	mark := fmt.Sprintf("%s=%d-%d", marker, os.Getpid(), jobs.Add(1))
	var output head
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Dir, c.Env = folder, append(env, mark)
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
		killMarked(mark)
	})
	_ = c.Wait() // the state says all
	timer.Stop()
	killMarked(mark)
	if err := ctx.Err(); err != nil {
		return outcome{}, errors.New("interrupted")
	}
	o := outcome{output: output.String(), status: c.ProcessState.ExitCode(), took: time.Since(begun)}
	// Hydra has no status for it, but takes as long as it takes.
	o.timedOut = killed.Load() || o.status == timeoutStatus || o.status != 0 && o.took > limit
	return o, nil
}

// killMarked kills all processes that have a mark in their environment.
func killMarked(mark string) {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		pid, err := strconv.Atoi(filepath.Base(folder))
		env, err2 := os.ReadFile(filepath.Join(folder, "environ"))
		if err == nil && err2 == nil && pid != os.Getpid() && bytes.Contains(env, []byte(mark+"\x00")) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
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
