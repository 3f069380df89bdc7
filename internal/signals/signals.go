// Package signals has the library told of signals that the process gets. In a Go program that uses the same signal both are told. Where
// Go is a guest, package os/signal would take a signal from the program, and from threads that block it.
package signals

import (
	"io"
	"os"
	"os/signal"
)

// Foreign is Notify in a program that is not Go's. It is nil in others, and is set before any use.
var Foreign func(os.Signal) (got <-chan os.Signal, stop func())

// Notify has signals of a kind arrive in a channel until stop is called, which closes it. Some may be lost if they come fast. After stop the signal has its
// usual effect.
func Notify(s os.Signal) (got <-chan os.Signal, stop func()) {
	if Foreign != nil {
		return Foreign(s)
	}
	c := make(chan os.Signal, 1)
	signal.Notify(c, s)
	return c, func() {
		signal.Stop(c)
		close(c)
	}
}

// Counted passes on, in the channel that it returns, that there was a signal whenever a counter can be read, and ends when that fails. Its goroutine is
// of this package, as one of package main would count as the program's in a report of a hang.
func Counted(s os.Signal, counter io.Reader) <-chan os.Signal {
	c := make(chan os.Signal, 1)
	go func() {
		defer close(c)
		for b := make([]byte, 8); ; {
			if _, err := counter.Read(b); err != nil {
				return
			}
			select {
			case c <- s:
			default:
			}
		}
	}()
	return c
}
