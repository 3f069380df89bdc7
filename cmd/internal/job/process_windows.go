package job

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

func attributes() *syscall.SysProcAttr { return nil }

// signalGuard is not needed: the system keeps the id of a process as long as its handle is open.
type signalGuard struct{}

// signal kills the process of a rank: there is no other way to end one here.
func (r *rank) signal(syscall.Signal) { _ = r.command.Process.Kill() }

func (r *rank) wait() { _ = r.command.Wait() } // ProcessState says all

func (j *job) resume() {}

func isExecFormat(error) bool { return false }

func listen() (<-chan os.Signal, func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	return c, func() {}
}

func (j *job) signalled(os.Signal) { j.interrupt(syscall.SIGINT) }

func adoptOrphans() {}

func (j *job) reapOrphans() {}

func killOrphans(time.Duration) {}

// maxDescriptors is how many descriptors this process may have: handles are bounded by memory only.
func maxDescriptors() uint64 { return unlimited }
