//go:build !linux

package waiting

import (
	"errors"
	"time"
)

func measure(string, int, time.Duration) (float64, error) { return 0, errors.ErrUnsupported }
