package job

import (
	"os"
	"os/signal"
	"syscall"
)

func listenForSignals() <-chan os.Signal {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	return c
}

func (j *job) signalled(os.Signal) { j.interrupt(syscall.SIGINT) }

func (j *job) signalledLast(os.Signal) syscall.Signal { return syscall.SIGINT }

func (j *job) resume() {}
