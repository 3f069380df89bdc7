//go:build !linux

package kernel

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/sctpmpi/sctpmpi/sctprpi/socket"
)

// Probe tells whether Open can work on this host, and if not, why.
func Probe() error {
	return fmt.Errorf("sctp: %w: kernel SCTP is for Linux, this is %s; use package engine", errors.ErrUnsupported, runtime.GOOS)
}

// Listen opens a socket. It works on Linux only.
func Listen(Config) (socket.Socket, error) { return nil, Probe() }

// Open opens a socket without a goroutine. It works on Linux only.
func Open(Config) (socket.Core, error) { return nil, Probe() }
