// Package signals has the library told of signals that the process gets. In a Go program that uses the same signal both are told. Where
// Go is a guest, package os/signal would take a signal from the program, and from threads that block it.
package signals

import (
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
