//go:build !linux

package driver

// move does nothing where a thread cannot choose its processor.
func move() bool { return false }
