//go:build unix && !linux

package process

import "syscall"

// attributes makes a process the leader of a process group. Should this process be killed, it goes on.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// Wait waits until the process has ended.
func (p *Process) Wait() Outcome {
	_ = p.command.Wait() // ProcessState says all
	p.killGroup()
	return outcomeOf(p.command.ProcessState)
}
