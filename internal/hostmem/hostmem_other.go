//go:build !linux

package hostmem

// New returns ErrNotSupported.
func New(string, int) (fd int, memory []byte, err error) { return -1, nil, ErrNotSupported }

// Map returns ErrNotSupported.
func Map(int, int64) ([]byte, error) { return nil, ErrNotSupported }

// Unmap does nothing.
func Unmap([]byte) {}

// Most is how many bytes a process can have at most.
func Most() int64 { return AddressSpace }
