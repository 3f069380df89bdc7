//go:build !linux

package udplink

import (
	"fmt"
	"runtime"

	"github.com/sctpmpi/sctpmpi/cmd/internal/link"
)

func (Transport) unsupported() error {
	return fmt.Errorf("bare UDP is measured on Linux only, not on %s", runtime.GOOS)
}

// Listen implements link.Transport.
func (t Transport) Listen(link.Options, func(string)) (link.Link, error) { return nil, t.unsupported() }

// Dial implements link.Transport.
func (t Transport) Dial(link.Options, string) (link.Link, error) { return nil, t.unsupported() }
