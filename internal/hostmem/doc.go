// Package hostmem is memory that processes of one host share, which needs Linux, and how much memory the host has. What is shared
// are files that have no name, and whose size cannot change, so that no access to their memory fails.
package hostmem

import (
	"errors"
	"fmt"
)

// AddressSpace is how many bytes a process has addresses for, at most.
const AddressSpace = 1 << 47

// Why there is no memory.
var (
	ErrNotSupported = fmt.Errorf("shared memory needs Linux: %w", errors.ErrUnsupported)
	// ErrNoRoom: this host, or a memory control group of this process, has too little left.
	ErrNoRoom = errors.New("not enough memory left")
	// ErrUnfit: a file is not what New makes.
	ErrUnfit = errors.New("unfit memory")
)
