//go:build unix

package job

import (
	"errors"
	"sync"
	"syscall"
)

// signalGuard keeps signals from a process that has ended.
type signalGuard struct {
	mu          sync.Mutex // held while a signal is sent
	groupKilled bool       // the process id may be another's by now
}

// signal sends a signal to a rank and to what it has started: they are a process group of their own.
func (r *rank) signal(s syscall.Signal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.groupKilled {
		_ = syscall.Kill(-r.command.Process.Pid, s) // fails only when no process is left
	}
}

// killGroup kills what a rank has left behind in its process group. No signal is sent to that group any more.
func (r *rank) killGroup() {
	r.signal(syscall.SIGKILL)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.groupKilled = true
}

// resume lets stopped ranks run, so that they can act on a signal.
func (j *job) resume() { j.broadcast(syscall.SIGCONT) }

func isExecFormat(err error) bool { return errors.Is(err, syscall.ENOEXEC) }
