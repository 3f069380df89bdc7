//go:build unix

package proxy

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// signalName is the name of a signal, which is the same on all systems, as its number is not.
func signalName(s syscall.Signal) string { return unix.SignalName(s) }

func signalNumber(name string) (s syscall.Signal, known bool) {
	s = unix.SignalNum(name)
	return s, s != 0
}
