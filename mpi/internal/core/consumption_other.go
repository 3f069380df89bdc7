//go:build !unix

package core

import "time"

// consumption is not known here.
func consumption() (processor time.Duration, memory uint64) { return 0, 0 }
