package rpi

import (
	"errors"
	"fmt"
	"syscall"
)

// CannotConnect is the error of a connection over a transport that this process, which peers reach at own, could not make to the
// address of a peer. It says what to look at, by what the system has said.
func (cfg *Config) CannotConnect(own, address, transport string, err error) error {
	return fmt.Errorf("rank %d (%s) cannot connect to it at %q over %s: %w; %s", cfg.Rank, own, address, transport, err, cfg.connectAdvice(err))
}

// connectAdvice says what to look at.
func (cfg *Config) connectAdvice(err error) string {
	for _, of := range []struct {
		advice string
		errnos []syscall.Errno
	}{
		{"this host has no way there: check that its network is up (ip addr; for 127.0.0.1 that is lo) and the route (ip route), or choose another network " +
			"with " + EnvInterface, []syscall.Errno{syscall.ENETUNREACH, syscall.ENETDOWN}},
		{"check that the host is up and the route to it (ip route)", []syscall.Errno{syscall.EHOSTUNREACH, syscall.EHOSTDOWN}},
		{"a firewall or a security policy of this host forbids it", []syscall.Errno{syscall.EACCES, syscall.EPERM}},
	} {
		for _, errno := range of.errnos {
			if errors.Is(err, errno) {
				return of.advice
			}
		}
	}
	if cfg.OneProcess {
		return "its goroutine may have ended: all ranks are in this process"
	}
	return "check that the process runs and that no firewall is between"
}
