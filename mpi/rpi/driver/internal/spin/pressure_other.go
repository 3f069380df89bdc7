//go:build !linux

package spin

import "time"

// openPressure returns nil: the system does not say.
func openPressure() func() (time.Duration, error) { return nil }
