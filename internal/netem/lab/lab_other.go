//go:build !linux

package lab

import (
	"fmt"
	"runtime"

	"github.com/sctpmpi/sctpmpi/internal/netem/lab/internal/wire"
)

// Probe returns an error wrapping ErrUnavailable: labs need Linux.
func Probe() error {
	return fmt.Errorf("%w: it needs Linux, this is %s", ErrUnavailable, runtime.GOOS)
}

func (c *Cmd) run(*wire.Spec) (*wire.Exit, error) {
	return nil, Probe()
}
