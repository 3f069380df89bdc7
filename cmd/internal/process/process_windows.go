package process

import (
	"os"
	"syscall"
	"time"
)

func attributes() *syscall.SysProcAttr { return nil }

// signalGuard is not needed: the system keeps the id of a process as long as its handle is open.
type signalGuard struct{}

// Signal kills a process: there is no other way to end one here.
func (p *Process) Signal(syscall.Signal) { _ = p.command.Process.Kill() }

// Wait waits until the process has ended.
func (p *Process) Wait() Outcome {
	_ = p.command.Wait() // ProcessState says all
	return outcomeOf(p.command.ProcessState)
}

func isExecFormat(error) bool { return false }

// OwnGroup does nothing here.
func OwnGroup() *syscall.SysProcAttr { return nil }

// KillGroup kills a process.
func KillGroup(p *os.Process) { _ = p.Kill() }

// AdoptOrphans does nothing here.
func AdoptOrphans() {}

// ReapOrphans does nothing here.
func ReapOrphans(func(pid int) bool) {}

// KillOrphans does nothing here.
func KillOrphans(time.Duration) {}

// maxDescriptors is how many descriptors this process may have: handles are bounded by memory only.
func maxDescriptors() uint64 { return unlimited }
