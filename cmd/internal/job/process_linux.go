package job

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes makes a rank the leader of a process group, and has the kernel kill it should mpirun be killed.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// wait waits for the process of a rank and buries the rank before the process id can become another's.
func (r *rank) wait() {
	for unix.Waitid(unix.P_PID, r.command.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
	r.killGroup()
	_ = r.command.Wait() // ProcessState says all
}
