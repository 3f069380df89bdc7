//go:build !linux

package window

// MostMemory is how many bytes a process can have at most.
func MostMemory() int64 { return addressSpace }
