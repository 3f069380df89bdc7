//go:build !linux

package spin

// move does nothing where a thread cannot choose its processor.
func move() bool { return false }
