//go:build unix

package job

import (
	"os"
	"os/signal"
	"syscall"
)

// listenForSignals asks for the signals that the launcher handles. One that it was started to ignore, as by nohup, it ignores, and
// so do the ranks.
func listenForSignals() (signals <-chan os.Signal, stop func()) {
	c := make(chan os.Signal, 16)
	for _, s := range []os.Signal{
		syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2,
		syscall.SIGTSTP, syscall.SIGCONT, syscall.SIGCHLD,
		syscall.SIGPIPE, // so that writing to a closed pipe is an error and not the end
	} {
		if !signal.Ignored(s) {
			signal.Notify(c, s)
		}
	}
	return c, func() { signal.Stop(c) }
}

// signalled passes a signal on to the ranks, which the terminal does not do, as they are not in its foreground group.
func (j *job) signalled(s os.Signal) {
	switch s := s.(syscall.Signal); s {
	case syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT:
		j.interrupt(s)
	case syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGCONT:
		j.broadcast(s)
	case syscall.SIGTSTP:
		j.broadcast(s)
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	case syscall.SIGCHLD:
		j.reapOrphans()
	}
}

// resume lets stopped ranks run, so that they can act on a signal.
func (j *job) resume() { j.broadcast(syscall.SIGCONT) }
