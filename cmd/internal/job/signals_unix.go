//go:build unix

package job

import (
	"os"
	"os/signal"
	"syscall"
)

// listenForSignals asks for the signals that the launcher handles. One that it was started to ignore, as by nohup, it ignores, and
// so do the ranks. They are never given back: one that comes at the very end must not be the exit status.
func listenForSignals() <-chan os.Signal {
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
	return c
}

// signalled passes a signal on to the ranks, which the terminal does not do, as they are not in its foreground group.
func (j *job) signalled(s os.Signal) {
	switch s := s.(syscall.Signal); s {
	case syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT:
		j.interrupt(s)
	case syscall.SIGUSR1, syscall.SIGUSR2:
		j.broadcast(s)
	case syscall.SIGCONT:
		j.rested()
		j.broadcast(s)
		j.stops.rest(false)
	case syscall.SIGTSTP:
		j.stops.rest(true)
		j.broadcast(s)
		j.stopSelf()
	case syscall.SIGCHLD:
		j.reapOrphans()
		j.suspectStops()
	}
}

// signalledLast deals with a signal when all ranks have ended. It returns the signal if it asks for the end, else 0.
func (j *job) signalledLast(s os.Signal) syscall.Signal {
	switch s := s.(syscall.Signal); s {
	case syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT:
		return s
	case syscall.SIGTSTP:
		j.stopSelf()
	case syscall.SIGCONT:
		j.rested()
	}
	return 0
}

// stopSelf has this process stopped until it gets SIGCONT, perhaps a moment after it returns. What has been sent to other hosts would
// else still be here.
func (j *job) stopSelf() {
	j.rest()
	_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
}

// resume lets stopped ranks run, so that they can act on a signal.
func (j *job) resume() { j.broadcast(syscall.SIGCONT) }
