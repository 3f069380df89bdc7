package process

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes makes a process the leader of a process group, and has the kernel kill it should this process be killed.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// Wait waits until the process has ended. It kills what is left of the process group while the zombie still keeps the
// process id from being given to another process.
func (p *Process) Wait() Outcome {
	for unix.Waitid(unix.P_PID, p.command.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	p.killGroup()
	_ = p.command.Wait() // ProcessState says all
	return outcomeOf(p.command.ProcessState)
}
