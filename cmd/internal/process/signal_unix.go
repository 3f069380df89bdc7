//go:build unix

package process

import (
	"errors"
	"os"
	"sync"
	"syscall"
)

// signalGuard keeps signals from a process that has ended.
type signalGuard struct {
	mu          sync.Mutex // held while a signal is sent
	groupKilled bool       // the process id may be another's by now
}

// Signal sends a signal to a process and to what it has started: they are a process group of their own.
func (p *Process) Signal(s syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.groupKilled {
		_ = syscall.Kill(-p.Pid(), s) // fails only when no process is left
	}
}

// killGroup kills what a process has left behind in its group. No signal is sent to that group any more.
func (p *Process) killGroup() {
	p.Signal(syscall.SIGKILL)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.groupKilled = true
}

// isExecFormat reports whether a program could not be started because it is none.
func isExecFormat(err error) bool { return errors.Is(err, syscall.ENOEXEC) }

// OwnGroup makes a process the leader of a process group, so that the terminal's signals do not reach it.
func OwnGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// KillGroup kills a process that OwnGroup has been given to and what it has started.
func KillGroup(p *os.Process) {
	if p.Signal(syscall.SIGCONT) == nil { // else it has been waited for, and its number may be another's
		_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
	}
}
