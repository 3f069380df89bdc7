//go:build unix && !linux

package process

import "time"

// AdoptOrphans does nothing here.
func AdoptOrphans() {}

// ReapOrphans does nothing here.
func ReapOrphans(func(pid int) bool) {}

// KillOrphans does nothing here.
func KillOrphans(time.Duration) {}
