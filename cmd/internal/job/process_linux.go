package job

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes makes a rank the leader of a process group, and has the kernel kill it should mpirun be killed.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// wait waits until the process of a rank has ended. It kills what is left of the process group while the zombie still
// keeps the process id from being given to another process.
func (r *rank) wait() {
	for unix.Waitid(unix.P_PID, r.command.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	r.killGroup()
	_ = r.command.Wait() // ProcessState says all
}
