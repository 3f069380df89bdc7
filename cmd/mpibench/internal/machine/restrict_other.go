//go:build !linux

package machine

// Restrict does nothing where it cannot be done: the report says how many cores there are.
func Restrict(int) error { return nil }
