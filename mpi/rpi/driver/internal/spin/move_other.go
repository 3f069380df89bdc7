//go:build !linux

package spin

// move does nothing where a thread cannot choose its processor.
func move() bool { return false }

func switches() (count int64, thread int) { return 0, 0 }
