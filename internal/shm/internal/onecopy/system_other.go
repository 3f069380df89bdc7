//go:build !linux

package onecopy

func read(int, []byte, uint64) error { return ErrNotSupported }
func alive(int) (bool, error)        { return false, ErrNotSupported }

// AllowReaders does nothing.
func AllowReaders(int) error { return nil }

// Scope is empty.
