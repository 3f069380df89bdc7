package proxy

import "syscall"

// signalName is the name of a signal elsewhere.
func signalName(s syscall.Signal) string {
	switch s {
	case syscall.SIGINT:
		return "SIGINT"
	case syscall.SIGKILL:
		return "SIGKILL"
	}
	return "SIGTERM"
}
