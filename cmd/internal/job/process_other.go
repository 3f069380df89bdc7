//go:build unix && !linux

package job

import "syscall"

// attributes makes a rank the leader of a process group. Should mpirun be killed, ranks go on.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// wait waits for the process of a rank.
func (r *rank) wait() {
	_ = r.command.Wait() // ProcessState says all
	r.killGroup()
}
